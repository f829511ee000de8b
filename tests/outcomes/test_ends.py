"""The ends of a hand pay what the rules say: against games, and as sums."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.ends import CLASSES, JOINT_OF, N_ENDS, WON, Stakes, ends_of, ends_with, spread
from haiyomi.outcomes.joint import ABORTED, DRAWN, WINNER, WORTH_BASES
from haiyomi.outcomes.worth import Worth, shipped
from haiyomi.play.rule_games import simulate_rule_players

pytest.importorskip("torch")

from haiyomi.training.targets import state_targets


@pytest.mark.parametrize("stakes", [Stakes(0, 0, 0), Stakes(3, 2, 3)])
def test_the_winner_has_what_the_others_pay_and_the_deposits(stakes: Stakes) -> None:
    changes = ends_of(stakes).changes
    assert changes.shape == (N_ENDS, 4)
    assert np.allclose(changes[:WON].sum(axis=1), 1000 * stakes.sticks)
    assert np.allclose(changes[WON:].sum(axis=1), 0)
    winner = WINNER[JOINT_OF[:WON]]
    assert (np.take_along_axis(changes[:WON], winner[:, None], axis=1) > 0).all()
    assert not changes[-1].any()


@pytest.fixture(scope="module")
def ended() -> tuple[Decisions, Labels]:
    return decode_games(
        pack_games([(str(seed), simulate_rule_players(3, seed)) for seed in range(4)])
    )


def test_games_paid_so_for_rons_and_draws(ended: tuple[Decisions, Labels]) -> None:
    """With the hand's own points in place of its class's mean, every score changed so."""
    rows, labels = ended
    targets = state_targets(rows, labels)
    seen = 0
    for i in np.flatnonzero(np.bitwise_count(labels["winners"]) < 2).tolist():
        joint = int(targets["ending"][i])
        observation = rows[i]["observation"]
        stakes = Stakes(
            int(observation["dealer"]), int(observation["honba"]), int(observation["sticks"])
        )
        if joint < DRAWN and joint // 4 == joint % 4:
            continue
        points = np.zeros((2, len(WORTH_BASES), 3))
        points[:, :, 0] = int(labels["worth"][i])
        end = joint * CLASSES if joint < DRAWN else WON + joint - DRAWN
        ends = ends_with(Worth(points, shipped().tilt), stakes)
        paid = 1000 * (int(labels["deposits"][i]) >> np.arange(4) & 1)
        changes = ends.changes[end] - paid
        if joint < DRAWN:
            changes[joint // 4] += paid.sum()
        assert changes.tolist() == labels["deltas"][i].tolist()
        seen += 1
    assert seen > 1000


def test_the_dealer_stays_after_a_win_a_tenpai_draw_and_an_abort() -> None:
    renchan = ends_of(Stakes(2, 0, 0)).renchan
    stays = {JOINT_OF[i] for i in np.flatnonzero(renchan)}
    assert stays == {8, 9, 10, 11, ABORTED} | {DRAWN + m for m in range(16) if m & 4}


def test_the_shipped_points_lie_in_their_class() -> None:
    """Limit hands of each class pay one sum; the others lie between the bases of their class."""
    points = shipped().points
    for deals, factor in ((0, 4), (1, 6)):
        base = points[deals, :, 0] / factor
        assert (base >= WORTH_BASES).all()
        assert (base[:-1] < WORTH_BASES[1:]).all()
    assert points[0, 4:8].tolist() == [
        [8e3, 4e3, 2e3],
        [12e3, 6e3, 3e3],
        [16e3, 8e3, 4e3],
        [24e3, 12e3, 6e3],
    ]
    assert points[1, 4:8].tolist() == [
        [12e3, 0, 4e3],
        [18e3, 0, 6e3],
        [24e3, 0, 8e3],
        [36e3, 0, 12e3],
    ]


def test_a_tsumo_is_worth_more_than_a_ron_and_no_probability_is_lost() -> None:
    """The classes given the win are those of the train split where the network says the mean."""
    ending = np.full((1, 33), 1 / 33)
    worth = np.full((1, 4, CLASSES), 1 / CLASSES)
    p = spread(ending, worth)
    assert p.sum() == pytest.approx(1)
    by_joint = np.bincount(JOINT_OF, p[0])
    assert by_joint == pytest.approx(ending[0])
    ron, tsumo = p[0, CLASSES : 2 * CLASSES], p[0, :CLASSES]
    classes = np.arange(CLASSES)
    assert tsumo @ classes > ron @ classes
