"""Meld codes of mjlog: sixteen bits that say what was called, from whom, and which copies.

========  =======================================================================
bits 0-1  who gave the tile, counted from the caller: 1 right, 2 across, 3 left, 0 nobody
chi       bit 2 set; bits 3-4, 5-6, 7-8 the copies of the three tiles, ascending; bits 10-15
          ``3 * (7 * suit + lowest rank) + index of the called tile``
pon       bit 3 set; bits 5-6 the copy left out; bits 9-15 ``3 * kind + index of the called``
kakan     bit 4 set; bits 5-6 the copy added; bits 9-15 as in pon
others    bits 8-15 a tile id of the kan: the called one, or any for a concealed kan
========  =======================================================================

Bit 5 alone marks the north tile of a three-player game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from haiyomi.errors import TileError
from haiyomi.tiles import TileId


@dataclass(frozen=True, slots=True)
class MeldCode:
    """A decoded meld.

    ``tile`` is the called tile, the added one of a kakan, or the one that an ankan's code
    names; ``rest`` are the other tiles, ascending. ``giver`` is 1-3 seats after the caller,
    0 for an ankan; for a kakan it is who gave the tile of the pon.
    """

    shape: Literal["chi", "pon", "kakan", "daiminkan", "ankan"]
    giver: int
    tile: TileId
    rest: tuple[TileId, ...]


def decode(code: int) -> MeldCode:
    """The meld of a code 0-65535. Raises TileError if it is no meld of a four-player game."""
    if not 0 <= code < 65536:
        raise TileError(f"meld code {code} is not between 0 and 65535")
    giver = code & 3
    if code & 4:
        base, called = divmod(code >> 10, 3)
        if base > 20 or giver != 3:
            raise TileError(f"meld code {code} is no chi from the left")
        kind = base // 7 * 9 + base % 7
        ids = [4 * (kind + i) + (code >> (3 + 2 * i) & 3) for i in range(3)]
        return _meld("chi", giver, ids, called)
    if code & 24:
        kind, called = divmod(code >> 9, 3)
        if kind > 33 or giver == 0:
            raise TileError(f"meld code {code} is no pon")
        fourth = code >> 5 & 3
        ids = [4 * kind + copy for copy in range(4) if copy != fourth]
        if code & 8:
            return _meld("pon", giver, ids, called)
        return MeldCode("kakan", giver, TileId(4 * kind + fourth), tuple(TileId(i) for i in ids))
    tile = code >> 8
    if code & 32 or tile > 135:
        raise TileError(f"meld code {code} is no meld of a four-player game")
    ids = [tile // 4 * 4 + copy for copy in range(4)]
    return _meld("daiminkan" if giver else "ankan", giver, ids, tile % 4)


def _meld(
    shape: Literal["chi", "pon", "daiminkan", "ankan"], giver: int, ids: list[int], called: int
) -> MeldCode:
    rest = tuple(TileId(t) for i, t in enumerate(ids) if i != called)
    return MeldCode(shape, giver, TileId(ids[called]), rest)


def encode(meld: MeldCode, pon_tile: int | None = None) -> int:
    """The code of a meld; inverse of ``decode``.

    A kakan's code also names which tile of its pon was called: ``pon_tile``, else the lowest.
    """
    ids = sorted((meld.tile, *meld.rest))
    kind = ids[0] // 4
    if meld.shape == "chi":
        copies = sum((t % 4) << (3 + 2 * i) for i, t in enumerate(ids))
        base = kind // 9 * 7 + kind % 9
        return meld.giver | 4 | copies | (3 * base + ids.index(meld.tile)) << 10
    if meld.shape == "pon":
        (fourth,) = {0, 1, 2, 3} - {t % 4 for t in ids}
        return meld.giver | 8 | fourth << 5 | (3 * kind + ids.index(meld.tile)) << 9
    if meld.shape == "kakan":
        called = 0 if pon_tile is None else sorted(meld.rest).index(TileId(pon_tile))
        return meld.giver | 16 | (meld.tile % 4) << 5 | (3 * kind + called) << 9
    return meld.giver | meld.tile << 8
