"""Kinds that an opponent let pass with the hand that it still has: hardly any risk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from haiyomi.dealin.combination import FEATURES, TABLE
from haiyomi.dealin.network_model import shipped
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.networks.opponents import OpponentOutputs
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat

BITS = 1 << np.arange(34, dtype=np.int64)


@pytest.fixture(scope="module")
def found() -> list[Position]:
    return [
        position
        for hand in demo_game()
        for seat in range(4)
        for _, _, position in positions(hand.events, Seat(seat))
        if position.to_act
    ]


@pytest.fixture(scope="module")
def seen(found: list[Position]) -> OpponentOutputs:
    return shipped().network.read_positions(found)


def let_pass(position: Position, seat: int) -> int:
    """By the rivers: what others discarded after the last tedashi and the last meld."""
    player = position.players[seat]
    if player.riichi or position.draws_left == 0:
        return 0
    first = max(
        [0]
        + [discard.order + 1 for discard in player.river if not discard.tsumogiri]
        + [meld.order for meld in player.melds]
    )
    others = (other for r, other in enumerate(position.players) if r != seat)
    kinds = {d.tile.kind for other in others for d in other.river if d.order >= first}
    return sum(1 << kind for kind in kinds)


def test_they_are_those_of_the_rivers(found: list[Position], seen: OpponentOutputs) -> None:
    expected = [let_pass(position, r) for position in found for r in (1, 2, 3)]
    assert seen.shown().masks()[1].tolist() == expected
    assert sum(map(bool, expected)) > 500


def test_the_core_bars_the_same(found: list[Position], seen: OpponentOutputs) -> None:
    shown = seen.shown(found[0].rules)
    furiten, passed = shown.masks()
    expected = [position.players[r].furiten_mask for position in found for r in (1, 2, 3)]
    assert furiten.tolist() == expected
    barred = furiten | passed
    assert [shown.given(i).barred for i in range(len(seen))] == barred.tolist()


def test_they_are_hardly_risky_but_not_impossible(
    found: list[Position], seen: OpponentOutputs
) -> None:
    rons = shipped().rons(seen, found[0].rules)
    furiten, known = seen.shown().masks()
    known &= ~furiten
    passed = known[:, None].astype(np.int64) & BITS != 0
    risks = rons.ron[passed & (rons.wait > 0)]
    assert len(risks) > 500
    assert risks.min() > 0
    assert risks.max() < 0.005
    assert risks.mean() < 0.1 * rons.ron[~passed & (rons.ron > 0)].mean()


def test_a_robbed_kan_is_judged_as_if_nothing_had_been_let_pass(
    found: list[Position], seen: OpponentOutputs
) -> None:
    """Every ron on it has a yaku. It took the number of kinds let pass without being barred."""
    model, rules = shipped(), found[0].rules
    plain = {**model.network.network.tables}
    plain[TABLE] = plain[TABLE].copy()
    plain[TABLE][:, FEATURES.index("let pass")] = 0
    without = replace(seen, source=replace(seen.source, tables=plain))
    robbed, expected = (model.rons(each, rules, chankan=True).ron for each in (seen, without))
    np.testing.assert_array_equal(robbed, expected)
    assert (model.rons(seen, rules).ron != model.rons(without, rules).ron).any()


def test_who_forgets_tedashi_knows_only_furiten(found: list[Position]) -> None:
    forgetting = shipped().forgetting("forgets").network.read_positions(found)
    furiten, passed = forgetting.shown().masks()
    no_melds = forgetting.own["melds"][:, :, 0].min(axis=1) == 255
    late = no_melds & (forgetting.own["n"] > 0)
    assert late.any()
    assert not (passed & ~furiten)[late].any()
