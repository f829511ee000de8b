"""Which copy of a tile took part in each event of a hand that was played from a wall."""

from __future__ import annotations

from collections.abc import Sequence

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
    Start,
    Win,
)
from haiyomi.play.wall import Wall
from haiyomi.tiles import Seat, Tile, TileId


def copies_of(events: Sequence[Event], tiles: Sequence[int], red_fives: bool) -> tuple[TileId, ...]:
    """The tile ids of a hand's events in order, as ``Hand.copies`` has them.

    ``tiles`` are the 136 ids of its wall (see ``play.wall``). Of several equal tiles a hand gives
    the one of the lowest id, the one just drawn last.
    """
    fold = _Copies(Wall(tiles), red_fives)
    for event in events:
        fold.apply(event)
    return tuple(fold.copies)


class _Copies:
    """The tile ids in the hands, and those of the events so far."""

    def __init__(self, wall: Wall, red_fives: bool) -> None:
        self.wall = wall
        self.red_fives = red_fives
        self.hands: tuple[list[TileId], ...] = ()
        self.drawn: TileId | None = None
        self.last = TileId(0)
        self.shown = 0
        self.copies: list[TileId] = []

    def apply(self, event: Event) -> None:
        copies = self.copies
        if isinstance(event, Start):
            self.hands = self.wall.deal(Seat(event.kyoku % 4))
            copies.append(self.indicator())
        elif isinstance(event, Deal):
            copies.extend(tile for hand in self.hands for tile in hand)
        elif isinstance(event, DoraReveal):
            copies.append(self.indicator())
        elif isinstance(event, Draw):
            self.drawn = self.wall.replacement() if event.rinshan else self.wall.draw()
            self.hands[event.seat].append(self.drawn)
            self.last = self.drawn
            copies.append(self.drawn)
        elif isinstance(event, Discard | Kakan):
            tsumogiri = isinstance(event, Discard) and event.tsumogiri
            self.last = self.give(event.seat, event.tile, tsumogiri)
            copies.append(self.last)
            self.drawn = None
        elif isinstance(event, Chi | Pon | Daiminkan | Ankan):
            own = event.tiles if isinstance(event, Ankan) else event.consumed
            if not isinstance(event, Ankan):
                copies.append(self.last)
            else:
                self.drawn = None
            copies.extend(self.give(event.seat, tile) for tile in own)
            self.last = copies[-len(own)]
        elif isinstance(event, Win):
            copies.append(self.last)
            copies.extend(self.wall.ura(n) for n in range(len(event.ura)))

    def indicator(self) -> TileId:
        self.shown += 1
        return self.wall.indicator(self.shown - 1)

    def give(self, seat: Seat, tile: Tile, tsumogiri: bool = False) -> TileId:
        """Remove a tile from a hand."""
        hand = self.hands[seat]
        if tsumogiri and self.drawn is not None:
            chosen = self.drawn
        else:
            equal = [t for t in hand if Tile.from_id(t, self.red_fives) == tile]
            chosen = min(equal, key=lambda t: (t == self.drawn, t))
        hand.remove(chosen)
        return chosen
