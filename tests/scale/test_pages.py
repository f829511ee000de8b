"""The pages of speed, scale and reliability are those of the stored results."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def fill(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(root / "docs"))
    for name in ("fill_scale", "speed_table"):
        sys.modules.pop(name, None)
    return importlib.import_module("fill_scale")


def test_pages_are_made_from_the_results(fill: Any, root: Path) -> None:
    bench = fill.stored("bench/results/throughput.json")
    sizes = fill.stored("bench/results/size.json")
    short = fill.stored("bench/results/size-short.json")
    faults = fill.stored("docs/results/faults.json")
    docs = root / "docs"
    made = fill.scale_page(bench, sizes, short, fill.stored("bench/results/memory.json"))
    assert (docs / "explanation" / "scale.md").read_text(encoding="utf-8") == made
    made = fill.reliability_page(faults)
    assert (docs / "explanation" / "reliability.md").read_text(encoding="utf-8") == made
    table = fill.speed_table(bench)
    assert table in (docs / "explanation" / "performance.md").read_text(encoding="utf-8")


def test_core_hours_by_hand(fill: Any, root: Path) -> None:
    """A million games at 100 a second are 10,000 s, 2.8 core-hours."""
    speeds = [
        {"task": task, "unit": "games/s", "rate": 100.0, "more": {"bytes_a_game": 5000}}
        for task, _ in fill.STAGES
    ]
    bench = {"machine": "m", "date": "d", "records": "r", "speeds": speeds}
    row = {"games_a_second": 1, "peak_mb": 100, "warm_mb": 90, "bytes_a_game": 1}
    plan = {"games": 1, "memory": 1, "disk": 1}
    sizes = {"records": "r", "date": "d", "rows": [row | {"games": 1000}]}
    stages = ("evaluate dealin", "evaluate reading", "review")
    kept = [{"task": stage, "bytes_a_game": 2e6} for stage in stages]
    memory = {"date": "d", "games": [1, 2], "rows": kept}
    page = fill.scale_page(bench, sizes | {"plan_bytes_a_game": plan}, sizes, memory)
    assert "32 GB hold 16,000 games" in page
    assert "| 100 | 2.8 | 5 GB | 55.6 | 100 GB |" in page


def test_losses_are_counted_from_the_runs(root: Path) -> None:
    result = json.loads((root / "docs" / "results" / "faults.json").read_text(encoding="utf-8"))
    assert sum(kill["losses"] for kill in result["kills"]) == 0
    assert all(row["inputs"] > 0 for row in result["fuzz"].values())
