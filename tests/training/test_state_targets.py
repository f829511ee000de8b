"""The targets about the end of a hand agree with the score changes and endings of the labels."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.joint import JOINT
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.training.outcome_rows import endings_of
from haiyomi.training.targets import state_targets


@pytest.fixture(scope="module")
def decisions() -> tuple[Decisions, Labels]:
    return decode_games(
        pack_games([(str(seed), simulate_rule_players(3, seed)) for seed in range(3)])
    )


def test_joint_endings_are_those_of_the_seat(decisions: tuple[Decisions, Labels]) -> None:
    rows, labels = decisions
    found = state_targets(rows, labels)["ending"]
    assert [int(JOINT[n].ending) for n in found] == endings_of(labels).tolist()


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
