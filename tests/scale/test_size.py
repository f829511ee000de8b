"""The measurement of memory and disk a game (``bench.size``) runs with today's code."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest


def test_the_plan_holds_the_name_of_every_record(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root))
    found = importlib.import_module("bench.size").plan_bytes(300)
    name = 37  # characters of a record's name
    assert found["games"] == 300
    assert name < found["disk"] < 3 * name
    assert found["memory"] > name
