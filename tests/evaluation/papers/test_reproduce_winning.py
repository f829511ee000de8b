"""The comparison with published values, on a file of values that are ours; its page."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from haiyomi.errors import DatasetError
from haiyomi.evaluation.papers.reproduce_winning import CONVENTIONS, experiment
from haiyomi.evaluation.papers.reproduction_page import write
from haiyomi.winning.convention import find_convention
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.table import win_table

HAND = "234m567p99s34s888p"


def _published(path: Path, off: float = 0.0) -> Path:
    found: dict[str, Any] = {}
    for theirs, ours in CONVENTIONS.items():
        table = win_table(WinQuestion.parse(HAND), find_convention(ours)).to_json()
        win = {name: [v + off for v in values] for name, values in table["win"].items()}
        found[theirs] = {"win": win, "tenpai": table["tenpai"], "score": table["points"]}
        if not table["points"]:
            del found[theirs]["score"]
    hand = {"hand": HAND, "melds": 0, "shanten": 0, "results": found}
    with gzip.open(path, "wt", encoding="utf-8") as file:
        json.dump({"hands": [hand]}, file)
    return path


def test_differences_from_published_values_are_measured(tmp_path: Path) -> None:
    same = experiment(_published(tmp_path / "same.json.gz"))
    assert {c["win"]["largest"] for c in same["conventions"]} == {0.0}
    apart = experiment(_published(tmp_path / "apart.json.gz", off=0.25))
    for c in apart["conventions"]:
        assert c["win"]["largest"] == pytest.approx(0.25)
        assert c["tenpai"]["largest"] == 0.0
    assert all(c["forward_equal"] and c["cuts_equal"] for c in same["chains"])
    assert all(i["largest"] < 1e-12 for i in same["irregular"])
    default, returns, literal = same["remedies"][0]["win"]
    assert returns < default == pytest.approx(literal)
    docs = tmp_path / "docs"
    docs.mkdir()
    write("winning", same, docs)
    page = (docs / "reproduction" / "tomohxx.md").read_text(encoding="utf-8")
    for word in ("Every equation", "inconsistency", "neko-D", "winning-figure1.svg", "(8)-(9)"):
        assert word in page
    assert "[tomohxx" in (docs / "reproduction" / "index.md").read_text(encoding="utf-8")


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json.gz"
    path.write_bytes(b"no gzip")
    with pytest.raises(DatasetError, match="no file of published values"):
        experiment(path)
