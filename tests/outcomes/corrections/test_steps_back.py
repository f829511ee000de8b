"""A discard that leaves more shanten than another wins, is tenpai and deals in less often."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import played

from haiyomi.kernels.shanten import shanten
from haiyomi.outcomes.corrections.steps_back import (
    DEAL_INS,
    EARLY,
    TENPAI,
    WINS,
    is_step_back,
    steps_back,
)
from haiyomi.outcomes.joint import DRAWN, JOINT
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import RecordedDecision
from haiyomi.tiles import kind_counts

OWN_TENPAI = np.array([bool((joint.tenpai or 0) & 1) for joint in JOINT])


@pytest.fixture(scope="module")
def decisions() -> list[RecordedDecision]:
    return [d for seed in range(3) for d in played(seed)]


def test_a_step_back_leaves_more_shanten_than_another_discard(
    decisions: list[RecordedDecision],
) -> None:
    """By counting the hand without each tile, and without the four of a kan."""
    seen, kans = 0, []
    for d in decisions:
        block = OptionBlock.of([d])
        back = is_step_back(block)
        if d.offer is not None:
            assert not back.any()
            continue
        hand = np.array(kind_counts(d.position.hand), np.uint8)
        left = {}
        for kind in np.flatnonzero(hand):
            rest = hand.copy()
            rest[kind] -= 1
            left[int(kind)] = int(shanten(rest[None])[0])
        for option, found in zip(block.flat, back, strict=True):
            if option.act == "discard":
                assert found == (left[option.tiles[0].kind] > min(left.values()))
                seen += bool(found)
            elif option.act == "ankan":
                rest = hand.copy()
                rest[option.tiles[0].kind] = 0
                assert found == (int(shanten(rest[None])[0]) > min(left.values()))
                kans.append(bool(found))
            else:
                assert not found
    assert seen > 100
    assert set(kans) == {True, False}


@pytest.mark.parametrize(
    ("least", "threat"), [(1, True), (9, True), (9, False), (30, True), (30, False), (55, False)]
)
def test_odds_change_by_the_draws_left(
    decisions: list[RecordedDecision], least: int, threat: bool
) -> None:
    d = next(
        d
        for d in decisions
        if least <= d.position.draws_left < least + 12
        and any(player.riichi for player in d.position.players[1:]) == threat
        and is_step_back(OptionBlock.of([d])).any()
    )
    block = OptionBlock.of([d])
    rng = np.random.default_rng(1)
    before = rng.dirichlet(np.ones(33), (2, len(block.act))).transpose(2, 0, 1)
    after = steps_back(block, before)
    back = is_step_back(block)
    assert np.array_equal(after[:, :, ~back], before[:, :, ~back])
    early = min(d.position.draws_left / EARLY, 1)
    riichi = any(player.riichi for player in d.position.players[1:])
    assert riichi == threat

    def odds(p: np.ndarray, which: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """Of some joint endings against others, which keep their probability."""
        return p[which][:, :, back].sum(axis=0) / p[rest][:, :, back].sum(axis=0)

    ends = np.arange(33)
    own, deal_in = ends < 4, np.isin(ends, (4, 8, 12))
    drawn = (ends >= DRAWN) & (ends < 32)
    others = (ends < DRAWN) & ~own & ~deal_in
    for which, rest, factor in (
        (own, others, early ** WINS[riichi]),
        (deal_in, others, early ** DEAL_INS[riichi]),
        (drawn, others, 1.0),
        (OWN_TENPAI, drawn & ~OWN_TENPAI, early ** TENPAI[riichi]),
    ):
        assert odds(after, which, rest) == pytest.approx(factor * odds(before, which, rest))


def test_a_hand_that_is_noten_for_certain_stays_so(decisions: list[RecordedDecision]) -> None:
    d = next(d for d in decisions if is_step_back(OptionBlock.of([d])).any())
    block = OptionBlock.of([d])
    p = np.zeros((33, 1, len(block.act)))
    p[DRAWN] = 1
    assert np.array_equal(steps_back(block, p), p)
