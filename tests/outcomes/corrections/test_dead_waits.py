"""A closed hand in silence on tiles that are all seen wins as often as was measured."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import played

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.game.position import Position
from haiyomi.kernels.shanten import shanten
from haiyomi.outcomes.corrections.dead_waits import dead_waits, with_dead_waits
from haiyomi.outcomes.joint import OWN_WINS
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import Decision
from haiyomi.play.stated_decision import decision_at
from haiyomi.tiles import kind_counts


def seven_pairs(draws_left: int = 48) -> Decision:
    """Six pairs, a north wind of which all others are seen, and a live 4m."""
    thrown = "4z 9p 2z 1s 3z"
    return decision_at(
        Position.from_json({
            "seat": "S", "indicators": "7z", "hand": "1199m2255p3388s4z", "drawn": "4m",
            "draws_left": draws_left,
            "players": {"E": {"river": thrown + " 6z"}, "W": {"river": thrown},
                        "N": {"river": thrown}, "S": {"river": "2z 6z 3z 7z 1z"}},
        })
    )  # fmt: skip


def completes(decision: Decision, thrown: int | None) -> bool:
    """Whether a tile that the seat does not see completes the hand."""
    hand = np.array(kind_counts(decision.position.hand), np.uint8)
    if thrown is not None:
        hand[thrown] -= 1
    unseen = np.flatnonzero(np.array(decision.position.unseen) > 0)
    return bool((shanten(hand + np.eye(34, dtype=np.uint8)[unseen]) == -1).any())


def test_the_options_are_those_that_no_unseen_tile_completes() -> None:
    found = [*(d for seed in range(4) for d in played(seed)), seven_pairs()]
    number = 0
    for d in found:
        block = OptionBlock.of([d])
        own, dead = d.position.players[0], set(dead_waits(block).tolist())
        for i, option in enumerate(block.flat):
            if option.act not in ("discard", "pass"):
                assert i not in dead
                continue
            hand = np.array(kind_counts(d.position.hand), np.uint8)
            thrown = option.tiles[0].kind if option.act == "discard" else None
            hand[[] if thrown is None else thrown] -= 1
            tenpai = int(shanten(hand)) == 0 and hand.sum() % 3 == 1
            silent = not own.riichi and not own.open_melds and d.position.draws_left > 0
            assert (i in dead) == (tenpai and silent and not completes(d, thrown))
        number += len(dead)
    assert number > 0


@pytest.mark.parametrize(("draws", "part"), [(6, 0.06), (24, 0.30), (48, 0.30)])
def test_the_wins_follow_the_draws_left(draws: int, part: float) -> None:
    block = OptionBlock.of([seven_pairs(draws)])
    before = np.full((33, 1, len(block.act)), 1 / 33)
    before[OWN_WINS], before[4:] = 0.5 / 4, 0.5 / 29
    after = with_dead_waits(block, before)
    some = dead_waits(block)
    assert [str(block.flat[i]) for i in some] == ["discard 4m"]
    assert after[OWN_WINS][:, 0, some].sum() == pytest.approx(part, abs=0.01)
    np.testing.assert_allclose(after.sum(axis=0), 1)
    rest = np.delete(np.arange(len(block.act)), some)
    assert np.array_equal(after[:, :, rest], before[:, :, rest])


def test_the_live_tile_is_kept() -> None:
    """A named case: the dead one was kept, and won 46% where 22% came."""
    (outcomes,) = Analyzer().outcomes([seven_pairs()])
    found = {str(outcome.option): outcome for outcome in outcomes}
    assert found["discard 4m"].win < found["discard 4z"].win - 0.1
    assert found["discard 4m"].points < found["riichi 4z"].points
