"""The fits (``fit_*``), and the rows that they read of records.

``packed_*`` and ``decision_stream``: games as Parquet, decoded for the networks as a fit goes.
``dataset`` and ``dataset_rows``: five tables for the model of Kurita and Hoki.
``reading_rows``, ``placement_rows``, ``outcome_rows``: those of one model or evaluation each.
``branches``, ``branch_folder``, ``option_rows``, ``option_payments``: options played on.
``trainer``, with ``batches``, ``targets``, ``losses``, ``network_module`` and ``ranks``: PyTorch.
``decision_columns``, ``_table``, ``_files``, ``_torch``: the decision data set, for other programs.
"""
