"""The columns in docs/how-to are those of the files, in their order and types."""

from __future__ import annotations

import pathlib
import re

import pytest

from haiyomi.training import packed_corpus
from haiyomi.training.dataset_rows import TABLES, arrow_schema

HOW_TO = pathlib.Path(__file__).resolve().parent.parent / "docs" / "how-to"
PAGE = HOW_TO / "dataset.md"


@pytest.mark.parametrize("table", TABLES)
def test_the_page_lists_every_column_with_its_type(table: str) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra [data]")
    section = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = next(part for part in section if part.startswith(f"{table}\n"))
    listed = re.findall(r"^\| `(\w+)` \| (\S+) \|", text, re.MULTILINE)
    assert listed == [(field.name, str(field.type)) for field in arrow_schema(table)]


def test_the_page_of_packed_games_lists_every_column_with_its_type() -> None:
    pytest.importorskip("pyarrow", reason="needs the extra [data]")
    text = (HOW_TO / "packed-games.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (.+?) \|", text, re.MULTILINE)
    assert listed == [(field.name, str(field.type)) for field in packed_corpus.arrow_schema()]
