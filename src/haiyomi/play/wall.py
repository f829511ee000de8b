"""The wall: 136 tiles in an order that a seed fixes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from haiyomi.rules import WALL_DRAWS
from haiyomi.tiles import Seat, TileId

if TYPE_CHECKING:
    from numpy.random import Generator

DEAD = 14
"""Tiles of the dead wall: four replacements, five indicators, five ura indicators."""
DEALT = 52
MAX_KANS = 4


class Wall:
    """One hand's wall: what is dealt, drawn, replaced and turned over, in its order.

    ``tiles`` are the 136 tile ids: the four replacements, then five pairs of (indicator, ura
    indicator), the 52 dealt and the 70 draws.
    """

    def __init__(self, tiles: Sequence[int]) -> None:
        if sorted(tiles) != list(range(136)):
            raise ValueError("a wall is an order of the tile ids 0 to 135")
        self.tiles = tuple(TileId(t) for t in tiles)
        self.drawn = 0
        self.replaced = 0

    @classmethod
    def shuffled(cls, rng: Generator) -> Wall:
        """A wall in random order.

        Fisher and Yates on the raw 64-bit output, which numpy keeps the same for ever;
        ``Generator.permutation`` may change with a release. The bias is below 2**-56.
        """
        tiles = list(range(136))
        raw = rng.bit_generator.random_raw(135).tolist()
        for i, word in zip(range(135, 0, -1), raw, strict=True):
            j = word % (i + 1)
            tiles[i], tiles[j] = tiles[j], tiles[i]
        return cls(tiles)

    def deal(self, dealer: Seat) -> tuple[list[TileId], ...]:
        """Four hands of thirteen by seat: from the dealer on four tiles thrice, then one."""
        hands: tuple[list[TileId], ...] = ([], [], [], [])
        at = DEAD
        for size in (4, 4, 4, 1):
            for i in range(4):
                hands[(dealer + i) % 4].extend(self.tiles[at : at + size])
                at += size
        return hands

    @property
    def left(self) -> int:
        """Draws left."""
        return WALL_DRAWS - self.drawn - self.replaced

    def draw(self) -> TileId:
        """The next tile of the live wall."""
        assert self.left > 0
        self.drawn += 1
        return self.tiles[DEAD + DEALT + self.drawn - 1]

    def replacement(self) -> TileId:
        """The next tile after a kan."""
        assert self.replaced < MAX_KANS
        assert self.left > 0
        self.replaced += 1
        return self.tiles[self.replaced - 1]

    def indicator(self, n: int) -> TileId:
        """The n-th dora indicator, 0-4."""
        return self.tiles[4 + 2 * n]

    def ura(self, n: int) -> TileId:
        """The ura indicator below the n-th dora indicator."""
        return self.tiles[5 + 2 * n]
