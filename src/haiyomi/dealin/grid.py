"""From grids of (han, fu) to predictions: shared by all deal-in models.

Row h of a grid (14, 12) has h han, the last 13 and more; column c the fu ``payment.CELL_FU[c]``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.dealin.answer import (
    DealIn,
    DealInModel,
    Opponents,
    PointsRows,
    TileRisk,
    Waits,
    ZeroReason,
)
from haiyomi.dealin.payment import points_grid
from haiyomi.game.position import Position
from haiyomi.kernels.posterior import ron_outcomes
from haiyomi.tiles import Seat, Tile, tile_order

SEATS = (Seat(1), Seat(2), Seat(3))


class RonGrid(NamedTuple):
    """One opponent: ``tenpai`` probability; ``ron`` (34, 14, 12) probabilities of a ron on each
    plain kind by (han, fu) cell, zero where the rules forbid it; ``reasons`` why (34)."""

    tenpai: float
    ron: Floats
    reasons: Sequence[ZeroReason | None]


class GridOpponents(Opponents, Protocol):
    """The predictions of a model of (han, fu) cells for the opponents of one position."""

    @property
    def model_name(self) -> str: ...

    @property
    def tenpai(self) -> Floats:
        """(3,) P(tenpai)."""
        ...

    def reason(self, seat: int, kind: int) -> ZeroReason | None:
        """Why a relative seat cannot win on a kind; None where it might."""
        ...

    def ron_cells(self, kinds: Sequence[int]) -> Floats:
        """(3, n, 14, 12) probabilities of a ron on n kinds by (han, fu) cell."""
        ...

    def cells_and_waits(self, kinds: Sequence[int], waits_from: float) -> tuple[Floats, Waits]:
        """``ron_cells``, and the waits of probabilities of at least ``waits_from``."""
        ...

    def chances(self) -> Floats:
        """(3, 34) P(ron), without points."""
        ...


class GridModel(DealInModel, Protocol):
    """A model of (han, fu) cells, as all are that ``models.load_model`` knows."""

    def read(
        self, positions: Sequence[Position], chankan: bool = False, chances_only: bool = False
    ) -> Sequence[GridOpponents]:
        """See DealInModel."""
        ...


def deal_in_by_grid(
    found: GridOpponents, tiles: Sequence[Tile] | None = None, waits_from: float = math.inf
) -> DealIn:
    """``Opponents.deal_in``."""
    position = found.position
    if tiles is None:
        tiles = sorted({tile.code: tile for tile in position.hand}.values(), key=tile_order)
    wanted = list(tiles)
    kinds = sorted({tile.kind for tile in wanted})
    places, red = [kinds.index(tile.kind) for tile in wanted], [tile.red for tile in wanted]
    cells, waits = found.cells_and_waits(kinds, waits_from)
    outcomes = ron_outcomes(cells, points_of(position), places, red)
    asked = [(tile, seat) for seat in SEATS for tile in wanted]
    # A named tuple's own __new__ takes several times as long.
    made = [
        tuple.__new__(
            TileRisk, (tile, seat, p, rows, None if p > 0 else found.reason(seat, tile.kind))
        )
        for (tile, seat), rows, p in zip(
            asked, PointsRows.parts(*outcomes), outcomes[2], strict=True
        )
    ]
    n = len(wanted)
    by_tile = zip(made[:n], made[n : 2 * n], made[2 * n :], strict=True)
    x, y, z = found.tenpai.tolist()
    risks = dict(zip(wanted, by_tile, strict=True))
    return DealIn(found.model_name, (x, y, z), risks, waits)


def points_of(position: Position) -> Ints:
    """(3, 14, 12) what a ron of each opponent costs."""
    return _points(position.dealer, position.honba, position.rules.kiriage)


@lru_cache(maxsize=64)
def _points(dealer: Seat, honba: int, kiriage: bool) -> Ints:
    out = np.stack([points_grid(dealer == seat, honba, kiriage) for seat in SEATS])
    out.setflags(write=False)
    return out
