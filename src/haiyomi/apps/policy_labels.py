"""What a player chose, by the events that follow: the labels of the imitation.

On one's own turn the choices are ordered: win, nine terminals, kan, riichi, discard; those after
the choice made have no label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Event,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
)
from haiyomi.game.decision_labels import NOT_DECIDED
from haiyomi.game.decision_record import NINE, OFFERS, OPEN_KAN, PON, RIICHI, RON, TSUMO
from haiyomi.game.observation import NONE
from haiyomi.play.packed_decision import act_of, chi_act
from haiyomi.play.player import Choice
from haiyomi.tiles import Seat


def label_of(
    choices: Sequence[Choice], seat: Seat, after: Sequence[Event]
) -> tuple[Any, int] | None:
    """What a seat chose of its choices, by the events that follow: (CHOICE's fields, code).

    None where nobody can know: another's call or win came first.
    """
    legal = kans = 0
    for choice in choices:
        if isinstance(choice, Ankan | Kakan):
            kans += 1
        else:
            act = act_of(choice)
            if act is not None:
                legal |= 1 << act
    if legal & OFFERS:
        return _answer(legal, seat, after)
    events = [e for e in after if not isinstance(e, DoraReveal)]
    if not events:
        return None
    first = events[0]
    decided, chosen = legal, 0
    kan = NONE if kans else NOT_DECIDED
    if isinstance(first, Win):
        return (NONE, NOT_DECIDED, 1 << TSUMO, 1 << TSUMO), NONE
    decided_before_kan = decided & (1 << TSUMO | 1 << NINE)
    if isinstance(first, AbortiveDraw):
        return (NONE, NOT_DECIDED, decided_before_kan, 1 << NINE), NONE
    if isinstance(first, Ankan | Kakan):
        kind = first.tiles[0].kind if isinstance(first, Ankan) else first.tile.kind
        return (NONE, kind, decided_before_kan, 0), NONE
    if isinstance(first, Riichi):
        chosen |= 1 << RIICHI
        if len(events) == 1:  # its discard is still to come
            return (NONE, kan, decided, chosen), NONE
        first = events[1]
    if not isinstance(first, Discard):
        return None
    return (first.tile.kind, kan, decided, chosen), first.tile.code


def _answer(legal: int, seat: Seat, after: Sequence[Event]) -> tuple[Any, int] | None:
    events = [e for e in after if not isinstance(e, RiichiAccepted | DoraReveal)]
    if not events:
        return None
    first = events[0]
    decided = legal & OFFERS
    if isinstance(first, Win):
        won = any(isinstance(e, Win) and e.seat == seat for e in events)
        return ((NONE, NOT_DECIDED, decided, 1 << RON), NONE) if won else None
    if isinstance(first, AbortiveDraw):
        return None
    if isinstance(first, Chi | Pon | Daiminkan):
        if first.seat == seat:
            if isinstance(first, Chi):
                act = chi_act(first.tile.kind, [t.kind for t in first.consumed])
            else:
                act = PON if isinstance(first, Pon) else OPEN_KAN
            return (NONE, NOT_DECIDED, decided, 1 << act), NONE
        if not isinstance(first, Chi):
            # A pon or kan comes before a chi, whatever this seat wanted.
            decided &= 1 << RON | 1 << PON | 1 << OPEN_KAN
    if not decided:
        return None
    return (NONE, NOT_DECIDED, decided, 0), NONE
