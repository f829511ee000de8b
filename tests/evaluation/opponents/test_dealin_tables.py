"""Tables of a deal-in model's answers, against sums that are done by hand."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from haiyomi.evaluation.metrics import finite
from haiyomi.evaluation.opponents.dealin_rows import DealinRows
from haiyomi.evaluation.opponents.dealin_tables import (
    calibration_bin,
    table2_equal,
    table2_percent,
    table3,
    tenpai_tables,
    tile_tables,
)
from haiyomi.reading.opponent_class import CLASSES


def nodes(p: list[float], label: list[int], **more: list[Any]) -> dict[str, NDArray[Any]]:
    columns = {"probability": p, "label": label, **more}
    return {name: np.array(values) for name, values in columns.items()}


def test_a_bin_says_what_was_predicted_and_what_came() -> None:
    label = np.array([1] + [0] * 99)
    found = calibration_bin(np.full(100, 0.02), label, 0.02, 0.03)
    assert (found["n"], found["deal_ins"], found["observed"]) == (100, 1, 0.01)
    assert found["predicted"] == pytest.approx(0.02)
    assert found["allowed"] == pytest.approx(1.96 * math.sqrt(0.01 * 0.99 / 100))
    assert found["within"]
    assert found["interval"][0] < 0.01 < found["interval"][1]
    assert not calibration_bin(np.full(100, 0.05), label, 0, 1)["within"]
    # Where nothing came, one point is allowed.
    assert calibration_bin(np.full(10, 0.009), np.zeros(10), 0, 1)["within"]
    assert calibration_bin(np.zeros(0), np.zeros(0), 0.1, 0.2) == {"low": 0.1, "high": 0.2, "n": 0}


def test_percent_bins_take_tenth_discards_under_threat() -> None:
    p = [0.005, 0.01, 0.0799, 0.08, 0.5, 0.015, 0.015]
    columns = nodes(
        p,
        [0, 1, 0, 1, 1, 1, 1],
        threat=[True] * 6 + [False],
        own=[10] * 5 + [9, 10],
    )
    found = table2_percent(columns)
    assert found["nodes"] == 5
    assert found["share_to_8_percent"] == pytest.approx(3 / 5)
    assert [b["n"] for b in found["bins"]] == [1, 1, 0, 0, 0, 0, 0, 1]
    assert [b.get("deal_ins") for b in found["bins"]][:2] == [0, 1]
    none = table2_percent({name: values[:0] for name, values in columns.items()})
    assert (none["nodes"], none["share_to_8_percent"]) == (0, None)


def test_equal_bins_hold_every_decision_once_in_order() -> None:
    rng = np.random.default_rng(3)
    n = 105
    columns = {
        "probability": rng.random(n),
        "label": rng.random(n) < 0.3,
        "threat": np.arange(n) % 7 > 0,
        "forced": np.arange(n) % 5 == 0,
    }
    kept = columns["threat"] & ~columns["forced"]
    found = table2_equal(columns, 10)
    assert found["nodes"] == kept.sum() == sum(b["n"] for b in found["bins"])
    assert sum(b["deal_ins"] for b in found["bins"]) == (columns["label"] & kept).sum()
    assert max(b["n"] for b in found["bins"]) - min(b["n"] for b in found["bins"]) <= 1
    edges = [(b["low"], b["high"]) for b in found["bins"]]
    assert all(a[1] <= b[0] for a, b in pairwise(edges))


def test_han_classes_are_counted_by_what_came_and_what_was_predicted() -> None:
    columns = nodes(
        [],
        [],
        han=[1, 2, 6, 0, 3],
        predicted_class=[1, 3, 4, 1, 3],
        fu=[30, 40, 0, 50, 30],
        points=[1000, 2600, 12000, 1600, 3900],
        mean_points=[1500, 2000, 9000, 1600, 4000],
        cls=[0, 0, 1, 4, 4],
    )
    found = table3(columns)
    assert found["deal_ins"] == 5
    assert found["right"] == pytest.approx(4 / 5)
    assert np.array(found["shares"])[1, 2] == pytest.approx(1 / 5)
    assert np.array(found["shares"]).sum() == pytest.approx(1)
    assert found["class_mode"] == pytest.approx(2 / 5)
    assert found["fu_30_or_40"] == pytest.approx(3 / 4)
    riichi = found["by_class"]["riichi"]
    assert (riichi["n"], riichi["mean_paid"], riichi["mean_predicted"]) == (2, 1800, 1750)
    assert set(found["by_class"]) == {"riichi", "3 melds", "closed"}
    assert table3({name: values[:0] for name, values in columns.items()}) == {"deal_ins": 0}


def test_scores_are_by_class_and_threat() -> None:
    rng = np.random.default_rng(4)
    n = 400
    cls = np.arange(n) % len(CLASSES)
    columns = {
        "probability": rng.random(n),
        "label": rng.random(n) < 0.4,
        "game": np.arange(n) // 100,
        "cls": cls,
        "threat": cls < 4,
    }
    rows = DealinRows(("a", "b", "c", "d"), {"tile": columns, "tenpai": columns})
    tile = tile_tables(rows, 1)
    assert set(tile["threat"]) == {"all", *CLASSES[:4]}
    assert set(tile["no threat"]) == {"all", "closed"}
    assert tile["threat"]["all"]["n"] == 320
    assert tile["threat"]["riichi"]["n"] == 80
    tenpai = tenpai_tables(rows, 1)
    # An opponent in riichi is tenpai: it has no row of its own.
    assert set(tenpai["all decisions"]) == {"all", *CLASSES[1:], "open"}
    assert tenpai["all decisions"]["open"]["n"] == 320


def test_what_json_cannot_write_is_none() -> None:
    assert finite({"a": [float("nan"), (1.0, float("inf"))], "b": 2}) == {
        "a": [None, [1.0, None]],
        "b": 2,
    }
