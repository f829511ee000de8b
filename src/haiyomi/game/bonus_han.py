"""Han of a ron that come from luck and not from the hand: ura dora, ippatsu and red fives."""

from __future__ import annotations

from typing import Final

from haiyomi.events import Hand, Win
from haiyomi.kernels.yaku import IPPATSU, RED_FIVE, URA
from haiyomi.tiles import Seat

BONUS: Final = frozenset({IPPATSU, URA, RED_FIVE})
"""Tenhou's numbers of the yaku counted."""
UNKNOWN: Final = -1


def bonus_han(hand: Hand, discard: int, winner: Seat) -> int:
    """The han of ura dora, ippatsu and red fives in a ron on the discard with that event's number.

    UNKNOWN where the record does not state the yaku. Raises ValueError if the seat has not won on
    that discard.
    """
    for event in hand.events[discard + 1 :]:
        if not isinstance(event, Win):
            break
        if event.seat == winner:
            if event.yaku is None:
                return UNKNOWN
            return sum(han for yaku, han in event.yaku if yaku in BONUS)
    raise ValueError(f"seat {winner} has not won on event {discard}")
