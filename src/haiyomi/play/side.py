"""One seat's side of a live table: its tiles, melds, waits and furiten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from haiyomi.game.player_view import MeldKind
from haiyomi.kernels.waits import waits as waits_of
from haiyomi.tiles import YAOCHU, Kind, Seat, Tile, TileId


@dataclass(slots=True)
class LiveMeld:
    """A set on the table: its lowest kind and all its tile ids."""

    shape: MeldKind
    kind: Kind
    ids: list[TileId]


def ids_of(tile: Tile, red_fives: bool) -> Iterator[TileId]:
    """The ids of a tile, ascending; none of a red five where ``red_fives`` is False."""
    ids = range(4 * tile.kind, 4 * tile.kind + 4)
    return (TileId(i) for i in ids if Tile.from_id(i, red_fives) == tile)


def wait_mask(counts: Sequence[int], melds: Sequence[LiveMeld]) -> int:
    """The kinds that complete a hand of 3k+1 concealed tiles, as bits.

    A kind of which the hand and its melds hold all four is no wait.
    """
    mask = int(waits_of(np.array([counts], dtype=np.uint8))[0])
    if mask:
        mask &= ~held_mask(counts, melds)
    return mask


def held_mask(counts: Sequence[int], melds: Sequence[LiveMeld]) -> int:
    """The kinds of which hand and melds hold all four copies, as bits."""
    totals = list(counts)
    for meld in melds:
        for tile in meld.ids:
            totals[tile // 4] += 1
    return sum(1 << k for k, n in enumerate(totals) if n >= 4)


@dataclass(slots=True)
class Side:
    """The mutable state of one seat.

    ``riichi`` 1, or 2 for a double riichi; ``passed_wait``: a winning tile was let pass since
    the own last discard, ``passed_wait_riichi``: since the riichi (both are furiten).
    """

    seat: Seat
    hand: list[TileId]
    counts: list[int] = field(init=False)
    melds: list[LiveMeld] = field(default_factory=list)
    open: bool = False
    drawn: TileId | None = None
    waits: int = 0
    river_mask: int = 0
    discards: int = 0
    riichi: int = 0
    ippatsu: bool = False
    passed_wait: bool = False
    passed_wait_riichi: bool = False

    def __post_init__(self) -> None:
        self.counts = [0] * 34
        for tile in self.hand:
            self.counts[tile // 4] += 1
        self.refresh()

    def refresh(self) -> None:
        """Recompute the waits after the concealed tiles changed."""
        self.waits = wait_mask(self.counts, self.melds)

    def take(self, tile: TileId) -> None:
        self.hand.append(tile)
        self.counts[tile // 4] += 1
        self.drawn = tile

    def remove(self, tile: TileId) -> None:
        self.hand.remove(tile)
        self.counts[tile // 4] -= 1

    @property
    def furiten(self) -> bool:
        return self.passed_wait or self.passed_wait_riichi or bool(self.waits & self.river_mask)

    def orphans_wait(self, kind: int) -> bool:
        """Whether the hand is thirteen orphans that lack ``kind``: such a hand alone may win on a
        closed kan, where the rules allow it."""
        return bool(self.waits >> kind & 1) and sum(self.counts[k] > 0 for k in YAOCHU) >= 12

    def pass_by(self, kind: int) -> None:
        """Let another's tile pass without a win."""
        if self.waits >> kind & 1:
            self.passed_wait = True
            if self.riichi:
                self.passed_wait_riichi = True
