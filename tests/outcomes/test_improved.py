"""The improved policy: how advantages move people's choices, and that every choice is legal."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.errors import ArgumentError
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.kernels.tables import new_games
from haiyomi.outcomes.improved import (
    PLACES,
    SURE,
    ImprovedPolicy,
    drawn,
    reweighted,
    shipped_improved,
)
from haiyomi.outcomes.later_models import shipped as shipped_options
from haiyomi.outcomes.option_actions import option_shares, options_of_records
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.option_model import PART_TAKEN
from haiyomi.outcomes.option_values import OptionValues, option_values
from haiyomi.outcomes.placement import shipped as shipped_placement
from haiyomi.play.decision import decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import TENHOU

ROW = np.array([0, 0, 0, 1, 1, 2])
SHARE = np.array([0.6, 0.3, 0.1, 0.5, 0.5, 1.0])
Bools = NDArray[np.bool_]


@pytest.fixture(scope="module")
def improved() -> ImprovedPolicy:
    return shipped_improved()


def test_a_scale_or_a_temperature_near_0_makes_no_infinities(improved: ImprovedPolicy) -> None:
    """They warned of an overflow, and drew from what is no number."""
    with pytest.raises(ArgumentError, match=r"^scale is 1e-320: expected a number from 1e-06$"):
        replace(improved, scale=1e-320)
    found = drawn(SHARE, ROW, 1e-320, np.array([0.5, 0.2, 0.9]))
    assert found.tolist() == [0, 3, 5]


@pytest.fixture(scope="module")
def some() -> tuple[Decisions, Bools]:
    """Open decisions of games of chance, early and late."""
    games = new_games(TENHOU, [1] * 8, range(8))
    rng = np.random.default_rng(1)
    records, allowed = [], []
    for step in range(120):
        legal = games.legal()
        if step % 12 == 0:
            records.append(games.records(1).view(DECISION)[:, 0])
            allowed.append(legal)
        games.answer((rng.random(legal.shape) * legal).argmax(axis=1).astype(np.uint8), 1)
    return np.concatenate(records), np.concatenate(allowed)


def test_an_option_gains_by_its_advantage_and_keeps_the_share_of_people() -> None:
    value = np.array([[0.0, 0.01, 0.02, 0.3, 0.3, 9.0]])
    found = reweighted(SHARE, value, ROW, 0.01)
    np.testing.assert_allclose(np.bincount(ROW, found), 1)
    assert found[1] / found[0] == pytest.approx(0.5 * np.e)
    assert found[2] / found[0] == pytest.approx(np.e**2 / 6)
    assert found[3:].tolist() == pytest.approx([0.5, 0.5, 1.0])
    np.testing.assert_allclose(reweighted(SHARE, value, ROW, 1e6), SHARE, rtol=1e-5)


def test_an_option_that_nobody_takes_is_never_taken() -> None:
    share = np.array([0.999, 0.001, 0.0])
    value = np.array([[0.0, 0.5, 50.0]])
    found = reweighted(share, value, np.zeros(3, np.int64), 0.01)
    assert found[2] == 0
    assert np.isfinite(found).all()


def test_networks_that_disagree_lower_an_advantage() -> None:
    agree = np.array([[0.0, 0.02], [0.0, 0.02]])
    disagree = np.array([[0.0, 0.04], [0.0, 0.0]])
    share, row = np.array([0.9, 0.1]), np.zeros(2, np.int64)
    sure, unsure = (reweighted(share, value, row, 0.01) for value in (agree, disagree))
    assert sure[1] > unsure[1]


def test_options_are_drawn_as_often_as_their_shares() -> None:
    n = 20_000
    row = np.repeat(np.arange(n), 3)
    share = np.tile([0.7, 0.3, 0.0], n)
    rng = np.random.default_rng(2)
    for temperature, expected in ((1.0, 0.3), (0.5, 0.09 / 0.58)):
        found = drawn(share, row, temperature, rng.random(n))
        np.testing.assert_array_equal(row[found], np.arange(n))
        rates = np.bincount(found % 3, minlength=3) / n
        assert rates[2] == 0
        assert abs(rates[1] - expected) < 0.015


def test_values_on_records_are_about_those_of_the_forecast() -> None:
    """In places, 0 to 3. The values on records are simpler (``option_values`` says in what): what
    parts two options of a decision is 7% less by them, at the 141 decisions here. Over decisions,
    which are independent where options are not, that slope has a standard error of 0.025."""
    game = simulate_rule_players(5, 5)
    found = [d for d in decisions(game) if d.hand in (0, 6)]
    every = OptionBlock.of(found)
    goes_on = np.minimum.reduceat(every.actions.goes_on, every.begins)
    kept = [d for d, on in zip(found, goes_on, strict=True) if on]
    block = OptionBlock.of(kept)
    values = option_values(
        replace(shipped_options(), part=PART_TAKEN), shipped_placement(), PLACES,
        block.records, block.actions, TENHOU,
    ).value.mean(axis=0)  # fmt: skip
    outcomes = Analyzer(payoff=str(PLACES)).outcomes(kept)
    expected = np.concatenate([
        [next(o.placement.value for o in each if o.option == option and o.placement)
         for option in options]
        for each, options in zip(outcomes, block.options, strict=True)
    ])  # fmt: skip
    means = [np.bincount(block.row, v) / np.bincount(block.row) for v in (values, expected)]
    one, other = values - means[0][block.row], expected - means[1][block.row]
    assert np.abs(means[0] - means[1]).max() < 0.06
    assert np.corrcoef(one, other)[0, 1] > 0.96
    slope = (one @ other) / (other @ other)
    scores = np.bincount(block.row, (one - slope * other) * other)
    error = np.sqrt(scores @ scores) / (other @ other)
    assert error < 0.03
    assert slope == pytest.approx(0.93, abs=3 * error)


def test_the_value_of_an_option_has_the_same_bits_in_any_batch(
    some: tuple[Decisions, Bools],
) -> None:
    options = options_of_records(*some)
    goes_on = np.bincount(options.row, ~options.goes_on) == 0
    records, legal = (part[goes_on] for part in some)
    model, placement = shipped_options(), shipped_placement()

    def values(which: slice) -> OptionValues:
        chosen = records[which]
        every = options_of_records(chosen, legal[which])
        return option_values(model, placement, PLACES, chosen, every, TENHOU)

    together = values(slice(None))
    row = options_of_records(records, legal).row
    for i in range(0, len(records), 7):
        alone = values(slice(i, i + 1))
        assert alone.share.tobytes() == together.share[row == i].tobytes()
        assert alone.value.tobytes() == together.value[:, row == i].tobytes()


def test_people_decide_where_they_are_sure_or_the_hand_may_end(
    improved: ImprovedPolicy, some: tuple[Decisions, Bools]
) -> None:
    records, legal = some
    options, share = improved.shares(records, legal, TENHOU)
    people = option_shares(records, improved.policy.logits(records), options)
    np.testing.assert_allclose(np.bincount(options.row, share), 1)
    most = np.zeros(len(records))
    np.maximum.at(most, options.row, people)
    ends = np.bincount(options.row, ~options.goes_on) > 0
    alone = (most >= SURE) | ends
    assert 0 < alone.mean() < 1
    same = np.bincount(options.row, share != people) == 0
    assert same[alone].all()
    assert not same[~alone].any()


def test_a_decision_does_not_depend_on_those_beside_it(
    improved: ImprovedPolicy, some: tuple[Decisions, Bools]
) -> None:
    records, legal = some
    together = improved.actions(records, legal, TENHOU)
    assert legal[np.arange(len(records)), together].all()
    for i in range(0, len(records), 9):
        (alone,) = improved.actions(records[i : i + 1], legal[i : i + 1], TENHOU)
        assert alone == together[i]
    with pytest.raises(ArgumentError, match=r"^temperature -1: expected 0 or more$"):
        improved.actions(records, legal, TENHOU, -1)
    with pytest.raises(ValueError, match="random generator"):
        improved.actions(records, legal, TENHOU, 1.0)


def test_games_before_an_outside_referee(improved: ImprovedPolicy) -> None:
    pytest.importorskip("riichienv")
    from haiyomi.evaluation.imitation.referee import play
    from haiyomi.outcomes.improved_bot import ImprovedBot

    report = play(
        0,
        lambda game, seat, relief: ImprovedBot(
            seat, temperature=seat / 3, seed=game, improved=improved
        ),
    )
    assert not report.illegal
    assert not report.differing
    assert report.fallbacks == report.errors == 0


def test_the_command_plays_by_value() -> None:
    start = {"type": "start_game", "id": 0}
    hand = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "P", "9m"]
    kyoku = {
        "type": "start_kyoku", "bakaze": "E", "dora_marker": "1p", "kyoku": 1, "honba": 0,
        "kyotaku": 0, "oya": 0, "scores": [25000] * 4, "tehais": [hand, *[["?"] * 13] * 3],
    }  # fmt: skip
    draw = {"type": "tsumo", "actor": 0, "pai": "2p"}
    done = subprocess.run(
        [sys.executable, "-m", "haiyomi", "bot", "--by", "ev", "--temperature", "0"],
        input="\n".join(map(json.dumps, (start, kyoku, draw))) + "\n",
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["type"] in ("dahai", "reach")
    assert "0 fallbacks" in done.stderr
    wrong = subprocess.run(
        [sys.executable, "-m", "haiyomi", "bot", "--by", "ev", "--style", "closed"],
        input="", capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert wrong.returncode == 2
    assert "--by ev cannot be combined with --style" in wrong.stderr
