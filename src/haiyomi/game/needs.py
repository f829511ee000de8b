"""What a seat needs in the last hand: the least win that makes it first, second or third.

By the rules alone: honba and the deposits on the table are counted. An own deposit comes back with
the win, and what the others may still deposit is not known yet.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from haiyomi.events import FourScores, by_place
from haiyomi.game.game_end import game_over
from haiyomi.kernels.replay import HandEnd
from haiyomi.kernels.scoring import payments
from haiyomi.rules import DEPOSIT, Ruleset
from haiyomi.tiles import Seat

_HAN: Final = (1, 2, 3, 4, 5, 6, 8, 11, 13)
_FU: Final = (20, 25, 30, 40, 50, 60, 70)


class Need(NamedTuple):
    """The least win that makes a seat finish in ``place``, 0 the first: what it pays without honba,
    by ron off an absolute seat ``payer``, or by own draw (None): the points of each other player,
    and of the dealer where another deals. Left out are hands of 90 fu and more, of which some pay a
    little less, and of 1 han with 70 fu: none of 18,565 wins of train were the first, one of 2,710
    of valid the second."""

    place: int
    payer: int | None
    points: tuple[int, ...]


class HandScores(NamedTuple):
    """A hand and the ``scores`` by absolute seat, at its start or later."""

    kyoku: int
    honba: int
    sticks: int
    scores: FourScores


@lru_cache(maxsize=64)
def needs(rules: Ruleset, now: HandScores, seat: int) -> tuple[Need, ...]:
    """Of an absolute seat with such scores, for each place above its own, the first place first;
    nothing before the last hand, and where no win is enough or the game would go on. Of a dealer
    only the first place is named: in another only a bust would end the game."""
    if now.kyoku < 4 * rules.rounds - 1:
        return ()
    found: list[Need] = []
    places = by_place(now.scores).index(Seat(seat))
    for place in range(min(places, 1) if seat == now.kyoku % 4 else places):
        mine = [
            Need(place, payer, points)
            for payer in (None, *(other for other in range(4) if other != seat))
            if (points := _least(rules, now, seat, place, payer)) is not None
        ]
        # What makes the seat second is named only where it is less than what makes it first.
        better = {need[1:] for need in found}
        found += [need for need in mine if need[1:] not in better]
    return tuple(found)


def _least(
    rules: Ruleset, now: HandScores, seat: int, place: int, payer: int | None
) -> tuple[int, ...] | None:
    """The least win off a payer after which the seat has the place and the game is over."""
    dealer = now.kyoku % 4
    renchan = seat == dealer
    for points in _wins(payer is None, renchan, rules):
        paid = [0] * 4
        for other in range(4) if payer is None else (payer,):
            if other != seat:
                paid[other] = points[-1] if other == dealer else points[0]
                paid[other] += (100 if payer is None else 300) * now.honba
        paid[seat] = -sum(paid) - DEPOSIT * now.sticks
        a, b, c, d = (score - paid[s] for s, score in enumerate(now.scores))
        end = HandEnd("win", renchan, (a, b, c, d), 0, now.kyoku + (not renchan), 0)
        if by_place(end.scores).index(Seat(seat)) <= place and game_over(end, rules):
            return points
    return None


@lru_cache(maxsize=64)
def _wins(tsumo: bool, dealer: bool, rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """What wins pay, the least first, as in ``Need``."""
    found = set()
    for han in _HAN:
        for fu in _FU:
            # Pinfu by own draw, and seven pairs; of one han hardly a win has 70 fu.
            if (fu == 20 and not tsumo) or (han == 1 and not 30 <= fu <= 60):
                continue
            ron, by_dealer, each = payments(han, fu, dealer=dealer, rules=rules)
            drawn = (each,) if dealer else (each, by_dealer)
            found.add(drawn if tsumo else (ron,))
    return tuple(sorted(found))
