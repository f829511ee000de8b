"""What a seat needs in the last hand: the least win that makes it first, second or third.

By the rules alone: honba and the deposits on the table are counted, an own riichi changes nothing
where the seat wins, and what the others may still deposit is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from haiyomi.events import FourScores
from haiyomi.game.game_end import game_over, places
from haiyomi.kernels.replay import HandEnd
from haiyomi.rules import DEPOSIT, Ruleset
from haiyomi.tiles import Seat

MANGAN: Final = 2000
_LIMITS: Final = (MANGAN, 3000, 4000, 6000, 8000)
_FU: Final = (25, 30, 40, 50, 60, 70)


class Need(NamedTuple):
    """The least win that makes a seat finish in ``place``, 0 the first: what it pays without honba,
    by ron off an absolute seat ``payer``, or by own draw (None): the points of each other player,
    and of the dealer where that is another."""

    place: int
    payer: int | None
    points: tuple[int, ...]


def needs(
    rules: Ruleset, kyoku: int, honba: int, sticks: int, scores: FourScores, seat: int
) -> tuple[Need, ...]:
    """Of an absolute seat in a hand that begins so, for each place above its own, the first place
    first; nothing before the last hand, and where no win is enough or the game would go on."""
    if kyoku < 4 * rules.rounds - 1:
        return ()
    found: list[Need] = []
    before: list[Need] = []
    for place in range(places(scores).index(Seat(seat))):
        mine = [
            Need(place, payer, points)
            for payer in (None, *(other for other in range(4) if other != seat))
            for points in _least(rules, kyoku, honba, sticks, scores, seat, place, payer)
        ]
        # What makes the seat second is named only where it is less than what makes it first.
        if [need[1:] for need in mine] != [need[1:] for need in before]:
            found += mine
        before = mine
    return tuple(found)


def _least(
    rules: Ruleset,
    kyoku: int,
    honba: int,
    sticks: int,
    scores: FourScores,
    seat: int,
    place: int,
    payer: int | None,
) -> list[tuple[int, ...]]:
    """The least win off a payer after which the seat has the place and the game is over, if any."""
    dealer = kyoku % 4
    renchan = seat == dealer
    for points in _wins(rules, payer is None, renchan):
        paid = [0] * 4
        for other in range(4) if payer is None else (payer,):
            if other != seat:
                paid[other] = points[-1] if other == dealer else points[0]
                paid[other] += (100 if payer is None else 300) * honba
        paid[seat] = -sum(paid) - DEPOSIT * sticks
        a, b, c, d = (score - paid[s] for s, score in enumerate(scores))
        after = a, b, c, d
        end = HandEnd("win", renchan, after, 0, kyoku + (not renchan), 0)
        if places(after).index(Seat(seat)) <= place and game_over(end, rules):
            return [points]
    return []


def _wins(rules: Ruleset, tsumo: bool, deals: bool) -> Iterator[tuple[int, ...]]:
    """What wins pay, the least first: by ron, or by own draw each other and the dealer."""
    fu = (20, *_FU) if tsumo else _FU
    bases = {f * 2 ** (2 + han) for f in fu for han in range(1, 5) if han > 1 or f > 25}
    if rules.kiriage:
        bases -= {1920}
    for base in sorted({b for b in bases if b < MANGAN} | set(_LIMITS)):
        if not tsumo:
            yield (_up(base * (6 if deals else 4)),)
        elif deals:
            yield (_up(2 * base),)
        else:
            yield _up(base), _up(2 * base)


def _up(points: int) -> int:
    """Rounded up to hundreds."""
    return -(-points // 100) * 100
