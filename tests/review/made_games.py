"""Small games for the review's tests: random hands with an ending put to each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from properties.made_hands import made_hand

from haiyomi.events import (
    Discard,
    Event,
    ExhaustiveDraw,
    Game,
    Hand,
    Header,
    Start,
    Win,
)
from haiyomi.tiles import Seat

NAMES = ("Aoi", "桜井章一郎のとても長い名前", "", "bad\x1b[31m\nname")


def made_game(seed: int, hands: int = 4) -> Game:
    """Kyoku 0, 1, 2, ... with a ron on every other hand's last discard but a few."""
    rng = np.random.default_rng(seed)
    out = []
    for number in range(hands):
        events = list(made_hand(rng))
        assert isinstance(events[0], Start)
        events = _shifted(events, number)
        if number % 2:
            out.append(Hand((*events, ExhaustiveDraw((0, 0, 0, 0), (True, False, False, False)))))
            continue
        cut = max(i for i, e in enumerate(events[: -len(events) // 4]) if isinstance(e, Discard))
        last = events[cut]
        assert isinstance(last, Discard)
        winner = Seat((last.seat + 1) % 4)
        deltas = [0, 0, 0, 0]
        deltas[winner], deltas[last.seat] = 8000, -8000
        win = Win(
            winner,
            last.seat,
            last.tile,
            (deltas[0], deltas[1], deltas[2], deltas[3]),
            yaku=((1, 1), (52, 3)),
            fu=30,
            points=8000,
        )
        out.append(Hand((*events[: cut + 1], win)))
    return Game(Header(names=NAMES), tuple(out))


def _shifted(events: list[Event], kyoku: int) -> list[Event]:
    """The hand as that kyoku; the honba says which repeat."""
    start = events[0]
    assert isinstance(start, Start)
    turn = (kyoku - start.kyoku) % 4
    out: list[Event] = [replace(start, kyoku=kyoku, honba=kyoku % 3, sticks=kyoku % 2)]
    for event in events[1:]:
        changes: dict[str, object] = {}
        for name in ("seat", "target"):
            if hasattr(event, name):
                changes[name] = Seat((getattr(event, name) + turn) % 4)
        if hasattr(event, "hands"):
            hands = event.hands
            changes["hands"] = tuple(hands[(s - turn) % 4] for s in range(4))
        out.append(replace(event, **changes))
    return out
