"""A rule-based player's memory of a hand, folded from the events its seat may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Draw,
    Event,
    HiddenDraw,
    Kakan,
    OwnDeal,
    Pon,
    RiichiAccepted,
    Start,
)
from haiyomi.game.rounds import round_wind
from haiyomi.rules import WALL_DRAWS
from haiyomi.tiles import Kind, Seat, Tile, dora_of


class SeatMemory:
    """One seat's memory of the hand; seats are absolute.

    ``hand`` the own concealed tiles and ``counts`` their kinds; ``melds`` the own melds as
    tuples of kinds; ``seen`` how many of each kind are visible, own hand included; ``safe``
    by seat the kinds (bits) that it cannot ron: its discards, and after its riichi
    everything that passed; ``riichi`` and ``opened`` by seat.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.begin(0)

    def begin(self, kyoku: int) -> None:
        self.kyoku = kyoku
        self.dealer = kyoku % 4
        self.hand: list[Tile] = []
        self.counts = [0] * 34
        self.melds: list[tuple[int, ...]] = []
        self.closed = True
        self.seen = [0] * 34
        self.safe = [0] * 4
        self.riichi = [False] * 4
        self.opened = [0] * 4
        self.dora: list[Kind] = []
        self.draws_left = WALL_DRAWS

    @property
    def value_kinds(self) -> frozenset[int]:
        """The honours that are worth a han to this seat: dragons, round and own wind."""
        own = 27 + (self.seat - self.dealer) % 4
        return frozenset((31, 32, 33, round_wind(self.kyoku), own))

    def observe(self, event: Event) -> None:
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)

    def _start(self, event: Start) -> None:
        self.begin(event.kyoku)
        self._indicator(event.indicator)

    def _indicator(self, tile: Tile) -> None:
        self.seen[tile.kind] += 1
        self.dora.append(dora_of(tile.kind))

    def _reveal(self, event: DoraReveal) -> None:
        self._indicator(event.indicator)

    def _deal(self, event: OwnDeal) -> None:
        for tile in event.tiles:
            self._add(tile)

    def _add(self, tile: Tile) -> None:
        self.hand.append(tile)
        self.counts[tile.kind] += 1
        self.seen[tile.kind] += 1

    def _take(self, tile: Tile) -> None:
        self.hand.remove(tile)
        self.counts[tile.kind] -= 1

    def _draw(self, event: Draw) -> None:
        self.draws_left -= 1
        self._add(event.tile)

    def _hidden(self, event: HiddenDraw) -> None:
        self.draws_left -= 1

    def _discard(self, event: Discard) -> None:
        kind = event.tile.kind
        if event.seat == self.seat:
            self._take(event.tile)
        else:
            self.seen[kind] += 1
        bit = 1 << kind
        self.safe[event.seat] |= bit
        for seat in range(4):
            if self.riichi[seat]:
                self.safe[seat] |= bit

    def _accepted(self, event: RiichiAccepted) -> None:
        self.riichi[event.seat] = True

    def _call(self, event: Chi | Pon | Daiminkan) -> None:
        self.opened[event.seat] += 1
        if event.seat == self.seat:
            for tile in event.consumed:
                self._take(tile)
            self.closed = False
            self.melds.append(tuple(sorted(t.kind for t in (event.tile, *event.consumed))))
        else:
            for tile in event.consumed:
                self.seen[tile.kind] += 1

    def _ankan(self, event: Ankan) -> None:
        kind = event.tiles[0].kind
        if event.seat == self.seat:
            for tile in event.tiles:
                self._take(tile)
            self.melds.append((kind,) * 4)
        else:
            self.seen[kind] = 4

    def _kakan(self, event: Kakan) -> None:
        kind = event.tile.kind
        if event.seat == self.seat:
            self._take(event.tile)
            self.melds[self.melds.index((kind,) * 3)] = (kind,) * 4
        else:
            self.seen[kind] += 1


_HANDLERS: dict[type, Callable[[SeatMemory, Any], None]] = {
    Start: SeatMemory._start,
    OwnDeal: SeatMemory._deal,
    Draw: SeatMemory._draw,
    HiddenDraw: SeatMemory._hidden,
    Discard: SeatMemory._discard,
    RiichiAccepted: SeatMemory._accepted,
    Chi: SeatMemory._call,
    Pon: SeatMemory._call,
    Daiminkan: SeatMemory._call,
    Ankan: SeatMemory._ankan,
    Kakan: SeatMemory._kakan,
    DoraReveal: SeatMemory._reveal,
}
