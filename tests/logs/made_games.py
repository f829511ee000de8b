"""Whole games made from a seed, for round trips: random hands with every kind of ending."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from properties.made_hands import made_hand

from haiyomi.events import (
    AbortiveDraw,
    Discard,
    Draw,
    Event,
    ExhaustiveDraw,
    FourScores,
    Game,
    Hand,
    Header,
    Kakan,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.logs.dora_order import in_canonical_order
from haiyomi.rules import TENHOU
from haiyomi.tiles import Seat, Tile

FORMATS = ("mjlog", "tenhou6", "mjai")
"""The formats that games are written in."""

# (yaku, fu, worth by ron, by self-draw) of a non-dealer, and the same of a dealer
WORTH = {
    False: [
        (((1, 1),), 30, 1000, 1100),
        (((1, 1), (8, 1)), 30, 2000, 2000),
        (((1, 1), (7, 1), (52, 1)), 30, 3900, 4000),
        (((1, 1), (8, 1), (54, 2)), 40, 8000, 8000),
        (((1, 1), (35, 6)), 30, 16000 - 4000, 12000),
        (((40, 13),), 50, 32000, 32000),
    ],
    True: [
        (((1, 1),), 30, 1500, 1500),
        (((1, 1), (8, 1)), 40, 3900, 3900),
        (((28, 2), (52, 3)), 40, 12000, 12000),
        (((39, 13), (42, 13)), 60, 96000, 96000),
    ],
}


def made_game(seed: int, hands: int = 5) -> Game:
    """A game of some random hands; each event is in canonical order."""
    rng = np.random.default_rng(seed)
    pick = random.Random(seed)
    made = [_hand(made_hand(rng), pick) for _ in range(hands)]
    rules = TENHOU.but(rounds=pick.choice((1, 2)))
    names = ("東の人", "b & <c>", 'd"e', "")
    return Game(Header(names, rules, (41000, 30100, 20000, 8900)), tuple(made))


def _hand(events: tuple[Event, ...], pick: random.Random) -> Hand:
    kept = list(_plain_tsumogiri(events))
    places = [i for i, e in enumerate(kept) if i > 40 and isinstance(e, Discard | Draw | Kakan)]
    whole = pick.random() < 0.2 and isinstance(kept[-1], Discard)
    cut = len(kept) - 1 if whole else pick.choice(places)
    kept = kept[: cut + 1]
    last = kept[-1]
    start = kept[0]
    assert isinstance(start, Start)
    if whole:
        tenpai = pick.choice([(True, False, False, False), (True, True, True, True)])
        deltas = (3000, -1000, -1000, -1000) if not all(tenpai) else (0, 0, 0, 0)
        kept.append(ExhaustiveDraw(deltas, tenpai))
    elif isinstance(last, Draw):
        if pick.random() < 0.2:
            kept.append(AbortiveDraw("nine-terminals", last.seat))
        else:
            kept.append(_win(kept, last.seat, last.seat, last.tile, start, pick))
    else:
        assert isinstance(last, Discard | Kakan)
        if isinstance(last, Discard) and pick.random() < 0.2:
            reason = pick.choice(["four-winds", "four-riichi", "four-kans", "triple-ron"])
            if isinstance(kept[-2], Riichi) and reason != "triple-ron":
                kept.append(RiichiAccepted(last.seat))
            kept.append(AbortiveDraw(reason))  # type: ignore[arg-type]
        else:
            steps = pick.choice([(1,), (2,), (3,), (1, 3)])
            for step in steps:
                seat = Seat((last.seat + step) % 4)
                kept.append(_win(kept, seat, last.seat, last.tile, start, pick))
    return in_canonical_order(Hand(tuple(kept)))


def _plain_tsumogiri(events: tuple[Event, ...]) -> list[Event]:
    """A discard of the tile just drawn counts as that very tile."""
    kept: list[Event] = []
    drawn: Tile | None = None
    for event in events:
        if isinstance(event, Draw):
            drawn = event.tile
        elif isinstance(event, Discard):
            kept.append(replace(event, tsumogiri=event.tile == drawn))
            drawn = None
            continue
        kept.append(event)
    return kept


def _win(
    events: list[Event], seat: Seat, target: Seat, tile: Tile, start: Start, pick: random.Random
) -> Win:
    yaku, fu, ron, tsumo = pick.choice(WORTH[seat == start.dealer])
    worth = tsumo if seat == target else ron
    paid = [0, 0, 0, 0]
    paid[seat] = worth + 1000
    paid[target if seat != target else (seat + 1) % 4] -= worth
    deltas: FourScores = (paid[0], paid[1], paid[2], paid[3])
    declared = any(isinstance(e, Riichi) and e.seat == seat for e in events)
    ura: tuple[Tile, ...] = ()
    if declared:
        first = next((e.ura for e in events if isinstance(e, Win) and e.ura), None)
        ura = first or (_unused(events),)
    return Win(seat, target, tile, deltas, ura, yaku, fu, worth)


def _unused(events: list[Event]) -> Tile:
    """A tile of which not all copies have left the wall."""
    counts: dict[Tile, int] = {}
    for event in events:
        for tile in _from_wall(event):
            counts[tile] = counts.get(tile, 0) + 1
    return next(t for t in map(Tile.from_id, range(1, 136, 4)) if counts.get(t, 0) < 3)


def _from_wall(event: Event) -> list[Tile]:
    match event:
        case Draw(tile=tile):
            return [tile]
    if hasattr(event, "indicator"):
        return [event.indicator]
    return [t for hand in getattr(event, "hands", ()) for t in hand]
