"""Metamorphic rules, on the positions beyond dispute: of positions, and of today's balance."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from haiyomi.evaluation.metamorphic import (
    exchanged,
    exchanged_option,
    richer,
    suit_differences,
)
from haiyomi.evaluation.suite import Judged, cases
from haiyomi.game.position import Position
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import Decision
from haiyomi.play.stated_decision import decision_at
from haiyomi.tiles import Tile, kind_counts

OWN = [case for case in cases() if case.decision.offer is None]
ORDERS = [suits for suits in permutations(range(3)) if suits != (0, 1, 2)]


@pytest.mark.parametrize("suits", ORDERS)
def test_suits_exchanged_there_and_back_change_nothing(suits: tuple[int, int, int]) -> None:
    back = (suits.index(0), suits.index(1), suits.index(2))
    for case in OWN:
        position = case.decision.position
        there = exchanged(position, suits)
        assert there != position
        assert exchanged(there, back) == position
        # It is a position: what follows from the rest is what JSON would fill in.
        assert Position.from_json(there.to_json()) == there
        same = {exchanged_option(option, suits) for option in options_of(case.decision)}
        assert same == set(options_of(decision_at(there)))


def by_acceptance(decision: Decision, payoff: Payoff) -> dict[Option, Judged]:
    """A valuer without suits: how many unseen tiles make the hand that a discard leaves tenpai."""
    position = decision.position
    found = {}
    for option in options_of(decision):
        if option.act == "discard":
            left = list(position.hand)
            left.remove(option.tiles[0])
            mask = int(waits(np.array([kind_counts(left)], np.uint8))[0])
            tiles = sum(n for kind, n in enumerate(position.unseen) if mask >> kind & 1)
            found[option] = Judged(float(tiles), tiles / 136)
    return found


def by_suit(decision: Decision, payoff: Payoff) -> dict[Option, Judged]:
    """A valuer that likes to discard circles."""
    return {
        option: Judged(100.0 * (option.tiles[0].kind // 9 == 1), 0.0)
        for option in options_of(decision)
        if option.act == "discard"
    }


def test_a_valuer_that_prefers_a_suit_is_found_out() -> None:
    for case in OWN:
        position = case.decision.position
        assert suit_differences(by_acceptance, position, case.payoff, (2, 0, 1)) == (0, 0)
        assert suit_differences(by_suit, position, case.payoff, (1, 0, 2)) == (100, 0)


def test_more_on_the_table_is_stated_as_such() -> None:
    position = OWN[0].decision.position
    more = richer(position, sticks=2, honba=1, indicator=Tile.parse("1z"))
    assert (more.sticks, more.honba) == (position.sticks + 2, position.honba + 1)
    assert sum(more.dora) == sum(position.dora) + 1
    assert sum(more.seen) == sum(position.seen) + 1
    gone = Tile(position.seen.index(4)) if 4 in position.seen else None  # type: ignore[arg-type]
    if gone is not None:
        with pytest.raises(ValueError, match="all four"):
            richer(position, indicator=gone)
