"""Hands made from a seed, and the same hands with everything hidden dealt anew.

``made_hand`` deals, draws, discards, calls and declares at random: not good play, and not
always legal play (a riichi may be noten), but every event is one that can be seen at a table,
in canonical order, with 136 tiles conserved. ``dealt_anew`` gives another hand that one viewer
cannot tell from it so far. Both know nothing of Position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
)
from haiyomi.tiles import Seat, Tile


class _Maker:
    """One hand in the making; every list of tiles is spent from its end."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        wall = [Tile.from_id(int(i)) for i in rng.permutation(136)]
        self.dead, self.wall = wall[:14], wall[14:]
        self.hands = [[self.wall.pop() for _ in range(13)] for _ in range(4)]
        self.indicators = self.dead[4:9]
        self.rinshan = self.dead[:4]
        self.pons: list[list[Tile]] = [[], [], [], []]
        self.melds = [0] * 4
        self.riichi = [False] * 4
        self.reveal_later = 0
        kyoku = int(rng.integers(0, 8))
        start = Start(kyoku, 0, 0, (25000, 25000, 25000, 25000), self.indicators.pop())
        self.dealer = kyoku % 4
        self.events: list[Event] = [start, Deal(tuple(tuple(h) for h in self.hands))]

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def pick(self, tiles: Sequence[Tile]) -> Tile:
        return tiles[int(self.rng.integers(len(tiles)))]

    def draw(self, seat: int, rinshan: bool = False) -> Tile:
        tile = self.rinshan.pop() if rinshan else self.wall.pop()
        if rinshan:
            del self.wall[0]  # the last tile of the wall joins the dead wall
        self.hands[seat].append(tile)
        self.events.append(Draw(Seat(seat), tile, rinshan))
        return tile

    def reveal(self) -> None:
        self.events.append(DoraReveal(self.indicators.pop()))

    def owed_indicators(self) -> None:
        for _ in range(self.reveal_later):
            self.reveal()
        self.reveal_later = 0

    def own_kan(self, seat: int) -> bool:
        """Perhaps a concealed or an added kan, up to its announcement and indicator."""
        hand = self.hands[seat]
        if not self.rinshan or not self.wall:
            return False
        fours = [t.kind for t in hand if sum(o.kind == t.kind for o in hand) == 4]
        if fours and self.chance(0.7):
            tiles = tuple(sorted(t for t in hand if t.kind == fours[0]))
            for tile in tiles:
                hand.remove(tile)
            self.owed_indicators()
            self.events.append(Ankan(Seat(seat), tiles))
            self.melds[seat] += 1
            self.reveal()
            return True
        adds = [t for t in hand if any(p.kind == t.kind for p in self.pons[seat])]
        if adds and not self.riichi[seat] and self.chance(0.8):
            hand.remove(adds[0])
            self.owed_indicators()
            self.events.append(Kakan(Seat(seat), adds[0]))
            self.reveal_later += 1
            return True
        return False

    def discard(self, seat: int, drawn: Tile | None) -> Tile:
        hand = self.hands[seat]
        declares = (
            drawn is not None
            and not self.riichi[seat]
            and not self.melds[seat]
            and len(self.wall) >= 4
            and self.chance(0.06)
        )
        if declares:
            self.events.append(Riichi(Seat(seat)))
        # A tsumogiri is of the tile drawn; a tedashi of an equal tile looks like one as well.
        tsumogiri = drawn is not None and (self.riichi[seat] or self.chance(0.2))
        # Mostly lone tiles go, so that pairs gather and there are pons and kans to see.
        lone = [t for t in hand if sum(o.kind == t.kind for o in hand) == 1]
        free = lone if lone and self.chance(0.9) else hand
        tile = drawn if tsumogiri and drawn is not None else self.pick(free)
        hand.remove(tile)
        self.owed_indicators()
        self.events.append(Discard(Seat(seat), tile, tsumogiri))
        if declares:
            self.events.append(RiichiAccepted(Seat(seat)))
            self.riichi[seat] = True
        return tile

    def call(self, target: int, tile: Tile) -> tuple[int, str] | None:
        """Perhaps a call of the tile just discarded: who, and what."""
        for step in (1, 2, 3):
            seat = (target + step) % 4
            hand = self.hands[seat]
            if self.riichi[seat] or self.melds[seat] == 4 or not self.wall:
                continue
            same = sorted(t for t in hand if t.kind == tile.kind)
            if len(same) == 3 and self.rinshan and self.chance(0.5):
                self._take(seat, same)
                self.events.append(Daiminkan(Seat(seat), Seat(target), tile, tuple(same)))
                self.reveal_later += 1
                return seat, "kan"
            if len(same) >= 2 and self.chance(0.5):
                self._take(seat, same[:2])
                self.events.append(Pon(Seat(seat), Seat(target), tile, tuple(same[:2])))
                self.pons[seat].append(tile)
                return seat, "pon"
            if step == 1 and tile.kind < 27 and self.chance(0.3):
                for low in (-2, -1, 1):
                    kinds = [tile.kind + low, tile.kind + low + (2 if low == -1 else 1)]
                    pair = [next((t for t in hand if t.kind == k), None) for k in kinds]
                    if all(k // 9 == tile.kind // 9 for k in kinds) and None not in pair:
                        own = sorted(t for t in pair if t is not None)
                        self._take(seat, own)
                        self.events.append(Chi(Seat(seat), Seat(target), tile, tuple(own)))
                        return seat, "chi"
        return None

    def _take(self, seat: int, tiles: Sequence[Tile]) -> None:
        for tile in tiles:
            self.hands[seat].remove(tile)
        self.melds[seat] += 1


def made_hand(rng: np.random.Generator) -> tuple[Event, ...]:
    """The events of one random hand, without its ending."""
    table = _Maker(rng)
    seat, drawn, rinshan = table.dealer, True, False
    while True:
        tile = None
        if drawn:
            if not (table.rinshan if rinshan else table.wall):
                return tuple(table.events)
            if not rinshan:
                table.owed_indicators()
            tile = table.draw(seat, rinshan)
            if table.own_kan(seat):
                rinshan = True
                continue
        tile = table.discard(seat, tile)
        called = table.call(seat, tile)
        if called is None:
            seat, drawn, rinshan = (seat + 1) % 4, True, False
        else:
            seat, what = called
            drawn = rinshan = what == "kan"


def dealt_anew(events: Sequence[Event], viewer: int, rng: np.random.Generator) -> tuple[Event, ...]:
    """The same events with all that ``viewer`` has not seen by their end dealt at random.

    A tile that another seat shows later (by a discard, meld or kan) stays in the slot of the
    deal or draw from which it is shown; the rest of the other seats' tiles and of the wall are
    shuffled together.
    """
    slots: list[tuple[int, int, Tile]] = []  # (event, place in it, tile) of others, unshown
    seen: list[Tile] = []
    held: dict[int, list[tuple[int, int, Tile]]] = {s: [] for s in range(4)}

    def show(seat: int, tile: Tile, latest: bool) -> None:
        seen.append(tile)
        places = [p for p in held[seat] if p[2] == tile]
        held[seat].remove(places[-1] if latest else places[int(rng.integers(len(places)))])

    for index, event in enumerate(events):
        match event:
            case Start():
                seen.append(event.indicator)
            case DoraReveal():
                seen.append(event.indicator)
            case Deal():
                for seat, hand in enumerate(event.hands):
                    held[seat] += [(index, 13 * seat + i, t) for i, t in enumerate(hand)]
            case Draw():
                held[event.seat].append((index, 0, event.tile))
            case Discard():
                show(event.seat, event.tile, event.tsumogiri)
            case Chi() | Pon() | Daiminkan():
                for tile in event.consumed:
                    show(event.seat, tile, False)
            case Ankan():
                for tile in event.tiles:
                    show(event.seat, tile, False)
            case Kakan():
                show(event.seat, event.tile, False)
    for seat in range(4):
        if seat != viewer:
            slots += held[seat]
    pool = [Tile.from_id(i) for i in range(136)]
    for tile in (*seen, *(t for _, _, t in held[viewer])):
        pool.remove(tile)
    order = rng.permutation(len(pool))
    anew = {(e, i): pool[order[n]] for n, (e, i, _) in enumerate(slots)}
    out: list[Event] = []
    for index, event in enumerate(events):
        if isinstance(event, Deal):
            out.append(
                Deal(
                    tuple(
                        tuple(anew.get((index, 13 * s + i), t) for i, t in enumerate(hand))
                        for s, hand in enumerate(event.hands)
                    )
                )
            )
        elif isinstance(event, Draw):
            out.append(replace(event, tile=anew.get((index, 0), event.tile)))
        else:
            out.append(event)
    return tuple(out)
