"""Reads the decision data set as NumPy arrays: whole files, or shuffled batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus.splits import SPLITS, Split
from haiyomi.errors import DatasetError
from haiyomi.seeds import check_index, generator
from haiyomi.training.batch_checks import check_epoch, check_rank, check_size
from haiyomi.training.decision_columns import BY_NAME, arrow_type
from haiyomi.training.decision_table import DECISIONS

Batch = dict[str, NDArray[Any]]
"""Column -> (n,) or (n, width) values."""


@dataclass(frozen=True, slots=True)
class DecisionFiles:
    """The files of one split, and the columns that are read of them.

    ``files`` in order of their names and ``rows`` of each. Raises DatasetError for a folder without
    such files, a split or a column that does not exist, and a damaged file.
    """

    folder: Path | str
    split: Split = "train"
    columns: Sequence[str] = tuple(BY_NAME)
    files: tuple[Path, ...] = field(init=False)
    rows: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if isinstance(self.columns, str):
            raise DatasetError(f"columns are a list, such as [{self.columns!r}], not a text")
        for name in self.columns:
            if name not in BY_NAME:
                raise DatasetError(f"no column {name!r}: the columns are {', '.join(BY_NAME)}")
        if self.split not in SPLITS:
            raise DatasetError(f"no split {self.split!r}: choose from {', '.join(SPLITS)}")
        files = tuple(sorted((Path(self.folder) / self.split).glob(f"*/{DECISIONS}")))
        if not files:
            raise DatasetError(f"{self.folder} holds no decisions of the {self.split} split")
        try:
            rows = tuple(pq.read_metadata(file).num_rows for file in files)
        except (OSError, pa.ArrowException) as error:
            raise DatasetError(f"{self.folder}: {error}") from None
        object.__setattr__(self, "files", files)
        object.__setattr__(self, "rows", rows)

    def __len__(self) -> int:
        return sum(self.rows)

    def read(self, number: int) -> Batch:
        """All rows of file ``number``, from 0. Raises DatasetError where it is damaged,
        ArgumentError where there is none."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        check_index(number, "file", len(self.files))
        try:
            table = pq.read_table(self.files[number], columns=list(dict.fromkeys(self.columns)))
        except (OSError, pa.ArrowException) as error:
            # Of some errors the other lines are the whole schema.
            why = str(error).partition("\n")[0]
            raise DatasetError(f"{self.files[number]}: {why}") from None
        for name in self.columns:
            wanted, found = arrow_type(BY_NAME[name]), table.schema.field(name).type
            if found != wanted or table[name].null_count:
                raise DatasetError(f"{self.files[number]}: {name} is no column of {wanted}")
        return {name: _values(table[name].combine_chunks()) for name in self.columns}

    def batches(
        self, size: int, seed: int = 0, epoch: int = 0, rank: int = 0, ranks: int = 1
    ) -> Iterator[Batch]:
        """One pass in batches of ``size`` rows; the last of a file holds what is left.

        Files come in an order that ``seed`` draws, and the rows of a file are shuffled. ``epoch``
        from 0 selects the shuffle; ``rank`` (0 to ``ranks`` - 1) selects this process's files. One
        file is in memory at a time. Raises ArgumentError for a size, an epoch or a rank that is
        none.
        """
        check_size(size)
        check_epoch(epoch)
        check_rank(rank, ranks)
        order = generator(seed, "files", epoch).permutation(len(self.files))
        for number in order[rank::ranks].tolist():
            batch = self.read(number)
            rows = generator(seed, "rows", epoch, number).permutation(self.rows[number])
            for at in range(0, len(rows), size):
                chosen = rows[at : at + size]
                yield {name: values[chosen] for name, values in batch.items()}


def _values(column: Any) -> NDArray[Any]:
    if hasattr(column.type, "list_size"):
        width = column.type.list_size
        flat: NDArray[Any] = column.flatten().to_numpy(zero_copy_only=False)
        return flat.reshape(-1, width)
    out: NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return out.astype(np.str_) if out.dtype == object else out
