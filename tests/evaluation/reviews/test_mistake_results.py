"""What is counted of decisions that were played on: signs, deal-ins, and the parts that come."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from haiyomi.evaluation.reviews.mistake_results import (
    deal_in_report,
    deal_in_rows,
    parts_fit,
    report,
    sign_results,
    without_luck,
)
from haiyomi.evaluation.reviews.played_mistakes import WAYS, Played, Settings
from haiyomi.review.confirmed_part import JudgedChoice
from haiyomi.review.verdicts import SEVERITIES

SETTINGS = Settings(share=1.0, worlds=64)


def row(game: int, *gain: float) -> Played:
    return Played(
        game, "mistake", 300.0, JudgedChoice("value", 500.0, 0.6, 0.2, 0.1), gain, (2.0, 2.0, 2.0),
        tuple(50 * g for g in gain), (64, 64, 64),
    )  # fmt: skip


def test_a_sign_is_kept_by_each_way_and_by_all() -> None:
    rows = [row(0, 5, 1, -1), row(0, 1, 5, 5), row(1, -5, 5, 5), row(1, 9, 9, 9)]
    results = sign_results(rows, SETTINGS, "made")
    found = {(g["group"], g["way"]): g for g in results["groups"]}
    kept = [found["all", way]["kept"]["value"] for way in (*WAYS, "all ways")]
    assert kept == [0.75, 1.0, 0.75, 0.5]
    rollout = found["mistake", WAYS[0]]
    assert (rollout["better"]["value"], rollout["worse"]["value"]) == (0.5, 0.25)
    assert rollout["forecast"]["value"] == 500
    assert ("blunder", WAYS[0]) not in found
    assert "75.0%" in report(results).text()


def test_deal_ins_are_those_of_the_records() -> None:
    """Of 40 tiles expected to deal in a quarter of the time every fifth does; calls gave none."""
    tiles = [
        replace(row(n % 10, 1, 1, 1), risks=(0.25, 0.05), dealt_in=n % 5 == 0) for n in range(40)
    ]
    found = deal_in_rows([*tiles, *(row(n, 1, 1, 1) for n in range(40))])
    assert [(each["group"], each["n"]) for each in found] == [("all", 40), ("value", 40)]
    shares = {key: found[0][key]["value"] for key in ("expected", "came", "better")}
    assert shares == pytest.approx({"expected": 0.25, "came": 0.2, "better": 0.05})
    assert found[0]["came"]["low"] < 0.2 < found[0]["came"]["high"]
    assert [each["n"] for each in deal_in_rows(tiles[:20])] == [20, 20]
    assert deal_in_rows(tiles[:19]) == []  # fewer than five are expected
    results = sign_results(tiles, SETTINGS, "made")
    assert "25.0%" in deal_in_report(results).text()


def test_luck_is_taken_out_of_the_share_that_keeps_its_sign() -> None:
    rng = np.random.default_rng(1)
    true = 100 + 100 * rng.normal(size=20_000)
    error = np.full(len(true), 300.0)
    seen = true + error * rng.normal(size=len(true))
    share = without_luck(seen, error)
    assert share == pytest.approx((true > 0).mean(), abs=0.03)
    assert (seen > 0).mean() < 0.65
    assert without_luck(np.ones(5), error[:5]) is None


def test_the_parts_that_come_are_fitted() -> None:
    """Made gains: .3 of the forecast of a call and .5 of a push, .1 and .04 more for each e times
    as rare, .05 more for each e times as large, of pushes .07 less for each e times as many wins;
    .4 of a call that half of the players make, .2 more for e times as many; .2 of efficiency, .15
    more for each e times from e^4 times on; .8 of a riichi that was not declared, a mean over three
    ways, .3 less for each e times as much that a win without it is worth."""
    rng = np.random.default_rng(2)
    rows = []
    for game in range(20_000):
        name, part, rarer = (
            ("call", 0.3, 0.1), ("pushed", 0.5, 0.04), ("missed call", 0.4, 0),
            ("efficiency", 0.2, 0.15), ("riichi not declared", 0.8, 0),
        )[game % 5]  # fmt: skip
        forecast, same = float(rng.uniform(200, 1200)), float(0.5 * 2 ** -rng.uniform(0, 8.9))
        win, better = float(0.4 * 0.5 ** rng.uniform(0, 7)), 0.5
        worth = float(rng.uniform(2000, 12_000))
        if name == "missed call":
            better = float(rng.uniform(0.1, 0.9))
            part += 0.2 * log(2 * better)
        elif name == "riichi not declared":
            part, same = part - 0.3 * log(worth / 5000), 0.5
        else:
            rare = log(0.5 / same)
            rare = max(rare - 4, 0) if name == "efficiency" else rare
            part += rarer * rare + 0.05 * log(forecast / 400)
        part -= 0.07 * log(win / 0.03) * (name == "pushed")
        mean = part * forecast + 0.3 * forecast * rng.normal()
        # A riichi is declared later by some of the ways to go on.
        of_way = (mean,) if name != "riichi not declared" else (2 * mean, 0.25 * mean, 0.75 * mean)
        choice, n = JudgedChoice(name, forecast, better, same, win, worth), len(of_way)
        rows.append(Played(game, None, 0, choice, of_way, (50.0,) * n, of_way, (64,) * n))
    fitted = parts_fit(rows)
    assert fitted["choices"] == 20_000
    for name, due in (
        ("call", 0.3), ("pushed", 0.5), ("missed call", 0.4), ("efficiency", 0.2),
        ("riichi not declared", 0.8),
    ):  # fmt: skip
        part = fitted["parts"][name]
        assert part["value"] == pytest.approx(due, abs=0.03)
        assert part["n"] == 4000
        assert part["low"] < part["value"] < part["high"] < part["low"] + 0.1
    slopes = {
        "rarer_call": 0.1, "rarer_by_risk": 0.04, "larger": 0.05, "winning": -0.07,
        "callers": 0.2, "rarer": 0.15, "worth": -0.3,
    }  # fmt: skip
    held = []
    for name, due in slopes.items():
        assert fitted[name]["value"] == pytest.approx(due, abs=0.02)
        held.append(fitted[name]["low"] < due < fitted[name]["high"])
    assert sum(held) >= len(held) - 1  # each interval misses one time in twenty
    assert fitted["growing_error"] == pytest.approx(0.3, abs=0.03)
    results = sign_results(rows, replace(SETTINGS, least=120.0), "made")
    assert results["fit"] == fitted
    by_way = {(g["group"], g["way"]) for g in results["groups"]}
    assert {way for group, way in by_way if group != "riichi not declared"} == {WAYS[0]}
    assert ("riichi not declared", "all ways") in by_way
    assert not any("cost" in g or g["group"] in SEVERITIES for g in results["groups"])
    assert "call, rollout network" in report(results).text()
