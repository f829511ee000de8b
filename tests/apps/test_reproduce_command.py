"""``haiyomi reproduce all``: every experiment in turn, with results that are stored already."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from haiyomi.apps import cli
from haiyomi.evaluation.papers.reproduction_page import PAPERS
from haiyomi.training import reading_rows

EXPERIMENTS = {
    "winning": "reproduce_winning",
    "dealin": "reproduce_dealin",
    "reading": "reproduce_reading",
    "reading-variants": "reading_variants",
    "styles": "reproduce_styles",
    "table4": "reproduce_table4",
    "class-styles": "reproduce_class_styles",
}


def test_every_result_and_page_is_written_whatever_was_stored_before(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    committed = {
        name: json.loads((root / "docs" / "results" / f"{name}.json").read_text(encoding="utf-8"))
        for name in EXPERIMENTS
    }
    turns = []
    for name, module in EXPERIMENTS.items():

        def run(*_: Any, name: str = name, **__: Any) -> Any:
            turns.append(name)
            return committed[name]

        monkeypatch.setattr(import_module(f"haiyomi.evaluation.papers.{module}"), "experiment", run)
    monkeypatch.setattr(reading_rows, "split_rows", lambda *_: None)
    for paper in PAPERS.values():
        monkeypatch.setattr(import_module(paper.module), "figures", lambda _: {})
    docs = tmp_path / "docs"
    (docs / "results").mkdir(parents=True)
    old = {key: value for key, value in committed["reading"].items() if key != "test"}
    (docs / "results" / "reading.json").write_text(json.dumps(old), encoding="utf-8")
    (tmp_path / "train.zip").touch()
    words = ("reproduce", "all", "--corpus", str(tmp_path), "--published", "values.json.gz")
    monkeypatch.setattr(
        sys, "argv", ["haiyomi", *words, "--work", str(tmp_path / "work"), "--docs", str(docs)]
    )
    cli.main()
    assert turns == list(EXPERIMENTS)
    assert set(turns) == {name for paper in PAPERS.values() for name in paper.results}
    found = capsys.readouterr()
    for name in EXPERIMENTS:
        assert re.search(
            rf"^{name}: \d+ s, (at most [\d.]+ GB|memory not measured)", found.out, re.M
        )
    assert "dealin is stored, the pages are not written" in found.err
    for page in (root / "docs" / "reproduction").iterdir():
        made = docs / "reproduction" / page.name
        assert made.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
