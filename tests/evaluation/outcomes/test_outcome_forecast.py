"""A forecast of outcomes against records: what a right forecast and a wrong one score."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from apps.in_process import haiyomi
from forecasts import small_network

from haiyomi.evaluation.outcomes.given_up import GivenUp, given_up_results
from haiyomi.evaluation.outcomes.option_forecast import option_forecasts
from haiyomi.evaluation.outcomes.outcome_forecast import (
    Forecasts,
    forecast_results,
    groups_of,
    kinds_of,
    reports,
    state_forecasts,
)
from haiyomi.game.decision_record import RON, TSUMO
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.logs.mjlog_write import write_mjlog
from haiyomi.outcomes.ending import Ending
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.training.outcome_rows import OutcomeRows


@pytest.fixture(scope="module")
def rows() -> OutcomeRows:
    return OutcomeRows(
        *decode_games(pack_games([(str(s), simulate_rule_players(3, s)) for s in range(4)]))
    )


def certain(rows: OutcomeRows, points: float = 0.0) -> Forecasts:
    """What happened, as a forecast, with so many points too many."""
    p = np.full((len(rows), len(Ending)), 1e-9)
    p[np.arange(len(rows)), rows.ending] = 1
    means = np.repeat(rows.change[:, None] + points, len(Ending), axis=1)
    return Forecasts(p / p.sum(axis=1, keepdims=True), means, p[:, 2:5].sum(axis=1))


def test_what_happened_is_a_perfect_forecast(rows: OutcomeRows) -> None:
    results = forecast_results(rows, certain(rows), "games", "truth")
    assert results["binary"]["win"]["auc"]["value"] == 1
    assert results["change"]["all"]["value"] == pytest.approx(1)
    for bins in results["tenths"].values():
        assert all(abs(b["value"]) < 1e-3 for b in bins)
    for ending in results["endings"]:
        if ending["observed"] is not None:
            assert ending["points"] == pytest.approx(ending["observed"], abs=0.1)


def test_points_that_are_too_many_show_in_every_tenth(rows: OutcomeRows) -> None:
    results = forecast_results(rows, certain(rows, 500), "games", "too high")
    assert all(b["value"] == pytest.approx(500, abs=0.1) for b in results["tenths"]["all"])
    assert results["change"]["all"]["value"] < 1


def test_the_parts_and_the_kinds_divide_the_decisions(rows: OutcomeRows) -> None:
    parts = groups_of(rows)
    for names in (("riichi", "melds", "closed"), ("first third", "second third", "last third")):
        assert (sum(parts[name].astype(int) for name in names) == 1).all()
    assert (sum(kind.astype(int) for kind in kinds_of(rows).values()) == 1).all()


def test_the_options_that_were_chosen_are_forecast(tmp_path: Path) -> None:
    """Each row is the choice of a record; a certain win is forecast as one."""
    game = simulate_rule_players(3, 1)
    game = replace(game, header=replace(game.header, names=("a", "b", "c", "d")))
    records, model = tmp_path / "records", tmp_path / "network.safetensors"
    records.mkdir()
    (records / "game.xml").write_text(write_mjlog(game), encoding="utf-8")
    small_network().save(model)
    rows, found, skipped = option_forecasts([records], model, 1.0, 23, named={"program": "b"})
    assert not skipped
    assert found.given is not None
    assert ((found.given.level == "program") == (rows.labels["seat"] == 1)).all()
    assert len(rows) == len(found.p) > 100
    assert np.allclose(found.p.sum(axis=1), 1)
    assert found.given is not None
    assert (found.given.lost > -1e-9).all()
    assert np.allclose(found.given.best - found.given.lost, found.change)
    won = rows.labels["choice"]["chosen"] & (1 << TSUMO | 1 << RON) != 0
    assert won.any()
    wins = found.p[:, Ending.TSUMO] + found.p[:, Ending.RON]
    assert (wins[won] == 1).all()
    assert (wins[~won] < 1).all()
    # Without the head of options, what is given up is the exact parts' difference.
    results = forecast_results(rows, found, "games", "small")
    bands = results["given_up"]["bands"]
    assert bands[0]["from"] is None
    assert bands[0]["n"] > len(rows) / 2
    text = "\n".join(report.text() for report in reports(results))
    assert "cross-fitted" in text
    assert found.placed is not None
    assert (found.placed.place >= 0).all()
    assert np.allclose(found.placed.by_option.sum(axis=1), 1)
    assert np.allclose(found.placed.at_start.sum(axis=1), 1)
    assert "at the start of the hand" in text


def test_a_network_is_measured_and_printed(rows: OutcomeRows) -> None:
    found = state_forecasts(small_network(), rows.decisions)
    assert np.allclose(found.p.sum(axis=1), 1)
    results = forecast_results(rows, found, "games", "small")
    text = "\n".join(report.text() for report in reports(results))
    assert "Forecast of outcomes: small" in text
    assert "forecast - observed" in text


def test_levels_are_compared_in_positions_that_all_of_them_have() -> None:
    """One level plays the dear sort of position more often, and another sort alone."""
    n = 300
    strata = np.repeat([0, 1, 2, 0, 1], [n, 3 * n, n, 3 * n, n])
    level = np.repeat(["high", "low"], [5 * n, 4 * n])
    lost = np.array([10.0, 50.0, 900.0])[strata] + 5 * (level == "low")
    zeros = np.zeros(len(strata))
    given = GivenUp(lost, lost, lost, lost, zeros.astype(np.int64), level)
    found = given_up_results(given, zeros, np.arange(len(strata)), strata)["levels"]
    assert found["high"]["n"] == found["low"]["n"] == 4 * n
    assert found["low"]["value"] - found["high"]["value"] == pytest.approx(5)
    assert found["high"]["value"] == pytest.approx(30)


def test_a_line_of_its_own_is_for_options() -> None:
    """A named case: without --options the name was ignored in silence."""
    refused = haiyomi("evaluate", "forecast", "records", "--model", "a", "--named", "me=Aoi")
    assert refused.returncode == 2
    assert "--named is for --options" in refused.stderr


def test_the_decisions_that_are_drawn_do_not_depend_on_where_the_records_lie(
    tmp_path: Path,
) -> None:
    """A named case: the path as it was typed was part of the hash. A second copy is listed."""
    game, model = simulate_rule_players(3, 1), tmp_path / "network.safetensors"
    small_network().save(model)
    drawn = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("one.mjlog", "one.xml"):
            (folder / file).write_text(write_mjlog(game), encoding="utf-8")
        rows, _, skipped = option_forecasts([folder], model, 0.2, 23)
        drawn.append(rows.labels["event"].tolist())
        assert len(skipped) == 1
    assert drawn[0] == drawn[1]
