"""Yaku, han, fu and points of winning hands, many or one, by default with Tenhou's rules.

*Yaku* are the patterns that let a hand win, *han* their worth, *fu* the minipoints of its
sets, pair, wait and the way it won; han and fu make the points. Of several ways to read a
hand the one that pays most counts, then the most han, then the most fu.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.arrays import Bools, Bytes, Ints32
from haiyomi.kernels.counts import Counts, as_rows
from haiyomi.kernels.yaku import YAKU, Yaku
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import Tile, parse_tiles

NO_MELD: Final = 255
"""The type of an empty place in an array of melds."""

Column = npt.ArrayLike
"""One number or flag for all hands, or one a hand."""


class MeldType(IntEnum):
    """What the core calls the kinds of meld."""

    CHI = 0
    PON = 1
    DAIMINKAN = 2
    KAKAN = 3
    ANKAN = 4


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of n hands, each an array of n.

    ``complete``: the tiles form a hand; ``has_yaku``: and it may win, without which han and
    points are 0. ``han`` includes dora, ura dora and red fives; 13 a limit hand. ``fu`` is
    rounded, 0 for a limit hand. ``yakuman``: limit hands counted (0 for thirteen or more han
    without one, which pays the same). ``yaku_han``: ``(n, 55)`` han of each yaku id. Points
    are without honba: ``ron`` from the discarder; on tsumo ``tsumo_dealer`` from the dealer
    (0 if the winner deals) and ``tsumo_other`` from each other player.
    """

    complete: Bools
    has_yaku: Bools
    han: Bytes
    fu: Bytes
    yakuman: Bytes
    yaku_han: Bytes
    ron: Ints32
    tsumo_dealer: Ints32
    tsumo_other: Ints32

    def __len__(self) -> int:
        return len(self.han)


class Score(NamedTuple):
    """The score of one hand; fields as in ``Scores``, ``yaku`` with the han of each.

    A named tuple, because it is made in a tenth of the time of a frozen dataclass.
    """

    complete: bool
    has_yaku: bool
    han: int
    fu: int
    yakuman: int
    yaku: tuple[tuple[Yaku, int], ...]
    ron: int
    tsumo_dealer: int
    tsumo_other: int

    @property
    def names(self) -> tuple[str, ...]:
        """The romaji names of its yaku."""
        return tuple(yaku.name for yaku, _ in self.yaku)


def no_melds(n: int) -> Bytes:
    """``(n, 4, 2)`` empty melds, to be filled with rows of (type, kind)."""
    return np.full((n, 4, 2), NO_MELD, dtype=np.uint8)


def score(
    concealed: Counts,
    win_kind: Column,
    *,
    melds: Bytes | None = None,
    round_wind: Column = 27,
    seat_wind: Column = 27,
    riichi: Column = 0,
    tsumo: Column = False,
    ippatsu: Column = False,
    rinshan: Column = False,
    chankan: Column = False,
    last_tile: Column = False,
    first_turn: Column = False,
    dora: Column = 0,
    ura: Column = 0,
    reds: Column = 0,
    rules: Ruleset = TENHOU,
) -> Scores:
    """Score n winning hands.

    ``concealed``: ``(n, 34)`` uint8, the concealed tiles with the winning one, 14 - 3 a meld.
    ``win_kind``: 0-33. ``melds``: ``(n, 4, 2)`` uint8 of (``MeldType``, kind - the lowest of a
    chi), ``NO_MELD`` where there is none. Winds are kinds 27-30; the seat wind 27 deals.
    ``riichi``: 1 riichi, 2 double riichi. ``last_tile``: haitei on tsumo, houtei on ron.
    ``first_turn``: a tsumo before any call (tenhou, chiihou). ``dora``, ``ura``, ``reds``: han
    each. All but the first may be one value for every hand. What cannot be (riichi with an
    open hand, rinshan on a ron, ...) is ignored. Raises TypeError, or ValueError naming the
    first bad row.
    """
    rows = as_rows(concealed)
    n = len(rows)
    context = np.empty((n, 13), dtype=np.uint8)
    columns = {
        "win_kind": win_kind,
        "round_wind": round_wind,
        "seat_wind": seat_wind,
        "riichi": riichi,
        "tsumo": tsumo,
        "ippatsu": ippatsu,
        "rinshan": rinshan,
        "chankan": chankan,
        "last_tile": last_tile,
        "first_turn": first_turn,
        "dora": dora,
        "ura": ura,
        "reds": reds,
    }
    for i, (name, column) in enumerate(columns.items()):
        context[:, i] = _column(name, column, n)
    if melds is None:
        melds = no_melds(n)
    elif not isinstance(melds, np.ndarray) or melds.dtype != np.uint8:
        found = getattr(melds, "dtype", type(melds).__name__)
        raise TypeError(f"melds must be a numpy array of uint8, not {found}")
    if melds.shape != (n, 4, 2):
        raise ValueError(f"melds must have shape ({n}, 4, 2), not {melds.shape}")
    return Scores(
        *_core.score(
            rows,
            np.ascontiguousarray(melds),
            context,
            rules.kuitan,
            rules.multiple_yakuman,
            rules.double_yakuman,
            rules.kiriage,
            rules.wind_pair_fu,
        )
    )


def _column(name: str, column: Column, n: int) -> npt.NDArray[np.generic]:
    values = np.asarray(column)
    if values.dtype.kind not in "bui":
        raise TypeError(f"{name} must be integers or flags, not {values.dtype}")
    if values.shape not in ((), (n,)):
        raise ValueError(f"{name} must be one value or have shape ({n},), not {values.shape}")
    if values.dtype not in (np.bool_, np.uint8) and ((values < 0) | (values > 255)).any():
        raise ValueError(f"{name} must be 0 to 255")
    return values


def score_one(
    concealed: str | Iterable[Tile | int],
    win: str | Tile | int,
    *,
    melds: Sequence[tuple[MeldType, Tile | int]] = (),
    round_wind: int = 27,
    seat_wind: int = 27,
    riichi: int = 0,
    tsumo: bool = False,
    ippatsu: bool = False,
    rinshan: bool = False,
    chankan: bool = False,
    last_tile: bool = False,
    first_turn: bool = False,
    dora: int = 0,
    ura: int = 0,
    reds: int = 0,
    rules: Ruleset = TENHOU,
) -> Score:
    """Score one hand: ``score_one("123456789m11222p", "1p", tsumo=True)``.

    ``concealed``: notation, tiles or kinds, the winning one among them; red fives are *not*
    counted from it, ``reds`` says how many the whole hand has. ``melds``: (type, tile or kind -
    the lowest of a chi). The rest as for ``score``. Raises TileError, ValueError.
    """
    found = _core.score_one(
        parse_tiles(concealed) if isinstance(concealed, str) else concealed,
        Tile.parse(win) if isinstance(win, str) else win,
        melds,
        (
            round_wind,
            seat_wind,
            riichi,
            tsumo,
            ippatsu,
            rinshan,
            chankan,
            last_tile,
            first_turn,
            dora,
            ura,
            reds,
        ),
        YAKU,
        rules.kuitan,
        rules.multiple_yakuman,
        rules.double_yakuman,
        rules.kiriage,
        rules.wind_pair_fu,
    )
    return Score._make(found)


def payments(
    han: int, fu: int, *, yakuman: int = 0, dealer: bool, rules: Ruleset = TENHOU
) -> tuple[int, int, int]:
    """What a discarder pays, and on tsumo the dealer and each other player; without honba."""
    return _core.pay(han, fu, yakuman, dealer, rules.kiriage)
