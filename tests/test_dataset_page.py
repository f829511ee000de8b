"""The columns in docs/how-to/dataset.md are those of the dataset, in their order and types."""

from __future__ import annotations

import pathlib
import re

import pytest

from haiyomi.training.rows import TABLES
from haiyomi.training.schema import arrow_schema

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "how-to" / "dataset.md"


@pytest.mark.parametrize("table", TABLES)
def test_the_page_lists_every_column_with_its_type(table: str) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra [data]")
    section = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = next(part for part in section if part.startswith(f"{table}\n"))
    listed = re.findall(r"^\| `(\w+)` \| (\S+) \|", text, re.MULTILINE)
    assert listed == [(field.name, str(field.type)) for field in arrow_schema(table)]
