"""Forecast against playing on: what the figures say, and that the work goes on after a stop."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from apps.in_process import haiyomi

from haiyomi.errors import DatasetError
from haiyomi.evaluation.drawn_games import DrawnGame
from haiyomi.evaluation.outcomes import playout_agreement
from haiyomi.evaluation.outcomes.playout_agreement import (
    Compared,
    Settings,
    agreement_results,
    compare,
    reports,
)
from haiyomi.logs.load import write
from haiyomi.play.rule_games import simulate_rule_players

SETTINGS = Settings(share=0.08, worlds=8, options=2)


def _rows(slope: float, n: int = 4000) -> list[Compared]:
    """Decisions whose options truly differ by ``slope`` times the forecast and by 100 more points
    that it does not know, seen through luck of 400 points in each half."""
    rng = np.random.default_rng(1)
    rows = []
    for number in range(n):
        forecast = rng.normal(size=4) * 200
        truth = slope * forecast + rng.normal(size=4) * 100 + rng.normal() * 5000
        one, other = (truth + rng.normal(size=4) * 400 for _ in range(2))
        rows.append(
            Compared(
                number // 4, "discard" if number % 3 else "riichi or not", number % 18,
                number % 5 == 0, ("a", "b", "c", "d"), tuple(forecast), (0.4, 0.3, 0.2, 0.1),
                tuple(one), tuple(other),
            )
        )  # fmt: skip
    return rows


@pytest.mark.parametrize("slope", [0.5, 1.0])
def test_luck_and_the_level_of_a_decision_change_neither_coefficient_nor_correlation(
    slope: float,
) -> None:
    results = agreement_results(_rows(slope), SETTINGS, "made")
    whole = results["groups"][0]
    assert (whole["group"], whole["decisions"], whole["options"]) == ("all", 4000, 16_000)
    assert whole["coefficient"]["low"] < slope < whole["coefficient"]["high"]
    assert whole["coefficient"]["high"] - whole["coefficient"]["low"] < 0.1
    truth = slope * 200 / np.hypot(slope * 200, 100)
    assert whole["correlation"]["low"] < truth < whole["correlation"]["high"]
    assert whole["forecast_spread"] == pytest.approx(200, rel=0.05)
    assert whole["played_spread"] == pytest.approx(np.hypot(slope * 200, 100), rel=0.1)
    assert results["games"] == 1000


def test_one_game_has_no_interval() -> None:
    results = agreement_results([replace(row, game=3) for row in _rows(1.0, 60)], SETTINGS, "made")
    assert results["interval"] == "fewer than 6 games have no interval"
    for report in reports(results):
        assert "fewer than 6 games have no interval" in report.text()
        assert "[" not in report.text()


def test_a_forecast_that_ignores_the_option_scores_nothing() -> None:
    flat = [replace(row, forecast=(7.0,) * 4) for row in _rows(1.0, 200)]
    (whole, *_) = agreement_results(flat, SETTINGS, "made")["groups"]
    assert whole["coefficient"]["value"] == 0
    assert whole["forecast_spread"] == 0


def test_a_policy_that_follows_a_good_forecast_gains_what_the_options_differ_by() -> None:
    good, wrong = (
        agreement_results(_rows(slope), SETTINGS, "made")["gains"] for slope in (0.5, -0.5)
    )
    for gain, loss in zip(good, wrong, strict=True):
        assert gain["gain"]["low"] < gain["predicted"] / 2 < gain["gain"]["high"]
        assert loss["gain"]["high"] < 0
    moved = [gain["moved"] for gain in good]
    assert moved == sorted(moved)


def test_decisions_are_grouped_by_kind_turn_and_riichi() -> None:
    found = playout_agreement.groups_of(_rows(1.0, 180))
    assert list(found) == [
        "all", "discard", "riichi or not", "turn 1 to 6", "turn 7 to 12", "turn 13 on",
        "against riichi", "nobody in riichi",
    ]  # fmt: skip
    assert sum(len(found[name]) for name in list(found)[3:6]) == 180
    assert len(found["riichi or not"]) == 60


def test_a_comparison_goes_on_and_ends_with_the_same_decisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2):
        game = simulate_rule_players(5, number)
        short = replace(game, hands=game.hands[:1])
        (tmp_path / f"{number}.json").write_text(write(short, "mjai"), encoding="utf-8")
    sources = [tmp_path / "0.json", tmp_path / "1.json"]
    rows, skipped = compare(sources, None, SETTINGS, tmp_path / "out", 1)
    assert not skipped
    assert {row.game for row in rows} == {0, 1}
    for row in rows:
        assert (
            2
            == len(row.options)
            == len(row.forecast)
            == len(row.share)
            == len(row.one)
            == len(row.other)
        )
        assert row.one != row.other
    (tmp_path / "out" / "game-00001.json").unlink()
    done: list[int] = []
    one_game = playout_agreement._compare_game

    def counts(work: DrawnGame[Settings]) -> None:
        done.append(work.number)
        one_game(work)

    monkeypatch.setattr(playout_agreement, "_compare_game", counts)
    again, _ = compare(sources, None, SETTINGS, tmp_path / "out", 1)
    assert again == rows
    assert done == [1]
    with pytest.raises(DatasetError, match=r"other .*settings"):
        compare(sources, None, replace(SETTINGS, worlds=16), tmp_path / "out", 1)
    results = tmp_path / "results.json"
    shown = haiyomi(
        "evaluate", "playouts", *map(str, sources), "-o", str(tmp_path / "out"), "--share", "0.08",
        "--worlds", "8", "--most", "2", "--results", str(results), "--jobs", "1",
    )  # fmt: skip
    assert shown.returncode == 0
    assert "correlation" in shown.stdout
    assert json.loads(results.read_text("utf-8"))["groups"][0]["decisions"] == len(rows)
