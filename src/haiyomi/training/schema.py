"""The Arrow types of the dataset's tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from haiyomi.training.rows import TABLES, Rows

_WIDE = {"decision": "int16", "hand": "int16", "event": "int16", "honba": "int16"}
_OTHER = {
    "game": "string",
    "waits": "uint64",
    "ron": "uint64",
    "points": "int32",
    "concealed": "binary",
    "conditions": "binary",
}
_FLAGS = {
    "tsumogiri", "forced", "threat", "riichi", "tenpai", "two_sided", "furiten", "dealer",
}  # fmt: skip


def arrow_schema(table: str) -> Any:
    """The pyarrow schema of a table."""
    import pyarrow as pa

    fields = []
    for column in TABLES[table]:
        if column == "margins" or (column == "waits" and table in ("riichi", "facing")):
            kind = pa.binary(113)
        elif column == "concealed":
            kind = pa.binary(34)
        elif column == "conditions":
            kind = pa.binary(57)
        elif column == "ronned":
            kind = pa.bool_() if table == "opponents" else pa.int8()
        elif column in _FLAGS:
            kind = pa.bool_()
        else:
            name = _WIDE.get(column) or _OTHER.get(column) or "int8"
            kind = getattr(pa, name)()
        fields.append(pa.field(column, kind, nullable=False))
    return pa.schema(fields)


def arrow_table(table: str, rows: Rows) -> Any:
    """The pyarrow Table of collected rows."""
    import pyarrow as pa

    schema = arrow_schema(table)
    arrays = []
    for field in schema:
        values: Any = rows[field.name]
        if pa.types.is_integer(field.type) or pa.types.is_boolean(field.type):
            # By way of numpy: far faster than Arrow's walk over Python objects.
            values = np.array(values, dtype=field.type.to_pandas_dtype())
        arrays.append(pa.array(values, type=field.type))
    return pa.Table.from_arrays(arrays, schema=schema)
