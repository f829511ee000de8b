"""The targets about the end of a hand agree with the score changes and endings of the labels."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from outcomes.hand_outcome import outcome_of

from haiyomi.events import Game
from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.joint import JOINT
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.training.targets import state_targets


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [simulate_rule_players(3, seed) for seed in range(3)]


@pytest.fixture(scope="module")
def decisions(games: list[Game]) -> tuple[Decisions, Labels]:
    return decode_games(pack_games([(str(seed), game) for seed, game in enumerate(games)]))


def test_joint_endings_are_those_of_the_events(
    games: list[Game], decisions: tuple[Decisions, Labels]
) -> None:
    rows, labels = decisions
    ended = [[outcome_of(hand, game.header.rules) for hand in game] for game in games]
    targets = state_targets(rows, labels)
    for row, number, first in zip(labels, targets["ending"], targets["winner"], strict=True):
        joint, outcome, seat = JOINT[number], ended[row["game"]][row["hand"]], int(row["seat"])
        turn = [(winner - seat) % 4 for winner in outcome.winners]
        assert joint.ending == outcome.seen_by(seat)
        assert first == (turn[0] if turn else -1)
        assert joint.winner == (None if not turn else 0 if 0 in turn else turn[0])
        assert joint.payer == (None if outcome.payer is None else (outcome.payer - seat) % 4)
        if outcome.tenpai is None:
            assert joint.tenpai is None
        else:
            assert joint.tenpai == sum(outcome.tenpai[(seat + r) % 4] << r for r in range(4))


def test_worth_and_deposits_explain_what_is_paid_for_a_ron(
    decisions: tuple[Decisions, Labels],
) -> None:
    rows, labels = decisions
    honba = rows["observation"]["honba"].astype(np.int64)
    ronned = (labels["from"] < 4) & np.isin(labels["winners"], [1, 2, 4, 8])
    assert ronned.sum() > 100
    payer = np.where(ronned, labels["from"], 0).astype(np.int64)[:, None]
    paid = np.take_along_axis(labels["deltas"], payer, 1)[:, 0]
    deposit = labels["deposits"] >> payer[:, 0] & 1
    expected = -(labels["worth"] + 300 * honba + 1000 * deposit.astype(np.int64))
    assert (paid[ronned] == expected[ronned]).all()
    sticks = rows["observation"]["sticks"].astype(np.int64)
    won = labels["worth"] > 0
    assert (labels["deltas"].sum(axis=1)[won] == 1000 * sticks[won]).all()
