"""Where a new dora indicator stands: the canonical order of events, restored.

Formats differ in when they tell the indicator of an open or added kan. ``haiyomi.events``
fixes one order; this module moves the reveals (and the wins of a double ron) there.
"""

from __future__ import annotations

from dataclasses import replace

from haiyomi.errors import IllegalError
from haiyomi.events import (
    Ankan,
    Daiminkan,
    Discard,
    DoraReveal,
    Draw,
    Event,
    Hand,
    HiddenDraw,
    Kakan,
    Win,
)
from haiyomi.logs.limits import MOST_EVENTS, MOST_REVEALS
from haiyomi.tiles import TileId

_KANS = (Ankan, Daiminkan, Kakan)


def named_tiles(event: Event) -> int:
    """How many entries of ``Hand.copies`` belong to an event."""
    name = type(event).__name__
    if isinstance(event, Win):
        return 1 + len(event.ura)
    return _NAMED.get(name, 0)


_NAMED = {
    "Start": 1,
    "Deal": 52,
    "Draw": 1,
    "Discard": 1,
    "Chi": 3,
    "Pon": 3,
    "Daiminkan": 4,
    "Ankan": 4,
    "Kakan": 1,
    "DoraReveal": 1,
}


def order(events: tuple[Event, ...]) -> list[int]:
    """The indices of the events in canonical order.

    The n-th reveal belongs to the n-th kan. A reveal that the record tells later than its
    place moves up to it, an earlier one moves down; a reveal without a kan stays. Raises
    IllegalError for more reveals than ``limits`` allow.
    """
    types = list(map(type, events))
    if DoraReveal not in types and types.count(Win) < 2:
        return list(range(len(events)))  # most hands
    reveals = [i for i, e in enumerate(events) if isinstance(e, DoraReveal)]
    wins = [i for i, e in enumerate(events) if isinstance(e, Win)]
    if len(reveals) > MOST_REVEALS:
        raise IllegalError(f"more than {MOST_REVEALS} new indicators", value=len(reveals))
    others = [i for i, e in enumerate(events) if not isinstance(e, DoraReveal)]
    waiting = reveals[:]
    owed = 0  # open or added kans whose indicator is still to come
    result: list[int] = []
    for at, i in enumerate(others):
        event = events[i]
        after_kan = at > 0 and isinstance(events[others[at - 1]], _KANS)
        if isinstance(event, Discard) or (isinstance(event, Draw | HiddenDraw) and after_kan):
            due = owed
            owed = 0
            if isinstance(event, Draw | HiddenDraw):
                kan = events[others[at - 1]]
                if isinstance(kan, Ankan):
                    due += 1
                else:
                    owed = 1
            result.extend(waiting[:due])
            del waiting[:due]
        result.append(i)
    if (
        waiting
    ):  # more reveals than kans, or the hand ended before the place: as the record has them
        kept = sorted(waiting)
        for i in kept:
            place = next((k for k, j in enumerate(result) if j > i), len(result))
            result.insert(place, i)
    if len(wins) > 1:
        places = [k for k, i in enumerate(result) if i in wins]
        turn = sorted(wins, key=lambda i: _turns_after(events[i]))
        for k, i in zip(places, turn, strict=True):
            result[k] = i
    return result


def _turns_after(event: Event) -> int:
    assert isinstance(event, Win)
    return (event.seat - event.target) % 4


def in_canonical_order(hand: Hand) -> Hand:
    """The hand with its reveals and wins where ``haiyomi.events`` says they stand.

    Raises IllegalError for more events than a hand can have.
    """
    if len(hand.events) > MOST_EVENTS:
        raise IllegalError(f"a hand of more than {MOST_EVENTS} events", value=len(hand.events))
    indices = order(hand.events)
    if indices == list(range(len(indices))):
        return hand
    copies: tuple[TileId, ...] | None = None
    if hand.copies is not None:
        starts = [0]
        for event in hand.events:
            starts.append(starts[-1] + named_tiles(event))
        copies = tuple(t for i in indices for t in hand.copies[starts[i] : starts[i + 1]])
    return replace(hand, events=tuple(hand.events[i] for i in indices), copies=copies)
