"""Two published programs' values of 28 hands, under the conventions that reproduce theirs."""

from __future__ import annotations

import gzip
import json
import pathlib
from typing import Any

import numpy as np
import pytest

from haiyomi.winning.convention import find_convention
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.table import WinTable, win_tables

OUR_NAMES = {
    "tomo_main1": "tomo-main1",
    "tomo_main2_extra0": "tomo-main2",
    "tomo_main2_extra1": "tomo-main2-extra1",
    "neko_A": "neko-A",
    "neko_B": "neko-B",
    "neko_C": "neko-C",
    "neko_D": "neko-D",
}
MELDS = {0: "", 1: "777z", 2: "777z,666z"}
# The file has twelve digits.
LIMITS = {"win": 1e-9, "tenpai": 1e-9, "score": 1e-6}
OUR_KEYS = {"win": "win", "tenpai": "tenpai", "score": "points"}


@pytest.fixture(scope="module")
def hands(oracles: pathlib.Path) -> list[dict[str, Any]]:
    with gzip.open(oracles / "win_probability.json.gz", "rt", encoding="utf-8") as file:
        read: list[dict[str, Any]] = json.load(file)["hands"]
    assert len(read) == 28
    return read


@pytest.mark.parametrize("theirs", OUR_NAMES)
def test_every_value_of_the_published_programs(hands: list[dict[str, Any]], theirs: str) -> None:
    queries = [hand for hand in hands if theirs in hand["results"]]
    assert len(queries) >= 17
    questions = [WinQuestion.parse(hand["hand"], melds=MELDS[hand["melds"]]) for hand in queries]
    tables = win_tables(questions, find_convention(OUR_NAMES[theirs]), threads=2)
    for hand, table in zip(queries, tables, strict=True):
        _compare(hand["results"][theirs], table, hand["name"])


def _compare(expected: dict[str, Any], table: WinTable, name: str) -> None:
    values_of = table.to_json()
    for quantity, limit in LIMITS.items():
        if quantity not in expected:
            continue
        ours = values_of[OUR_KEYS[quantity]]
        assert set(ours) == set(expected[quantity]), (name, quantity)
        for discard, values in expected[quantity].items():
            error = np.abs(np.array(values) - ours[discard])
            if quantity == "score":
                error /= np.maximum(1.0, np.abs(values))
            assert error.max() < limit, (name, quantity, discard, error.max())
