"""From grids of (han, fu) to predictions: shared by all deal-in models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import DealIn, Opponents, PointsRows, TileRisk, ZeroReason
from haiyomi.dealin.payment import CELL_FU, points_grid, red_grid
from haiyomi.dealin.riichi import N_FU, N_HAN
from haiyomi.game.position import Position
from haiyomi.tiles import Seat, Tile, tile_order

Floats = NDArray[np.float64]
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
    def tenpai(self) -> NDArray[np.float64]:
        """(3,) P(tenpai)."""
        ...

    @property
    def reasons(self) -> Sequence[Sequence[ZeroReason | None]]:
        """By opponent, the reason for each zero among the 34 kinds."""
        ...

    def ron_cells(self, kinds: Sequence[int]) -> Floats:
        """(3, n, 14, 12) probabilities of a ron on n kinds by (han, fu) cell."""
        ...

    def ron_grid(self, seat: int) -> RonGrid:
        """The relative seat's cells, for every kind that the viewer holds."""
        ...

    def chances(self) -> Floats:
        """(3, 34) P(ron), without points."""
        ...


def deal_in_by_grid(found: GridOpponents, tiles: Sequence[Tile] | None = None) -> DealIn:
    """The answer for the given tiles, by default the distinct tiles of the viewer's hand."""
    position = found.position
    wanted = sorted(set(position.hand), key=tile_order) if tiles is None else list(tiles)
    kinds = sorted({tile.kind for tile in wanted})
    ron = found.ron_cells(kinds)[:, [kinds.index(tile.kind) for tile in wanted]]
    red = [i for i, tile in enumerate(wanted) if tile.red]
    if red:
        ron[:, red] = red_grid(ron[:, red])
    rows = _rows(position, ron)
    n = len(wanted)
    a, b, c = (
        [
            TileRisk(tile, seat, each.probability, each, reasons[tile.kind])
            for tile, each in zip(wanted, rows[n * (seat - 1) : n * seat], strict=True)
        ]
        for seat, reasons in zip(SEATS, found.reasons, strict=True)
    )
    risks = dict(zip(wanted, zip(a, b, c, strict=True), strict=True))
    x, y, z = found.tenpai.tolist()
    return DealIn(position.seat, found.model_name, (x, y, z), risks)


def probabilities(found: GridOpponents) -> tuple[Floats, Floats]:
    """(3, 34) deal-in probabilities and (3, 34) mean points if dealt in (plain tiles, honba
    included; 0 where impossible), by opponent 1, 2, 3."""
    cells, position = found.ron_cells(range(34)), found.position
    p: Floats = cells.sum(axis=(2, 3))
    points = np.zeros((3, 34))
    for i, seat in enumerate(SEATS):
        grid = points_grid(position.dealer == seat, position.honba, position.rules.kiriage)
        loss = np.tensordot(cells[i], grid, axes=2)
        points[i] = np.divide(loss, p[i], out=np.zeros(34), where=p[i] > 0)
    return found.chances(), points


def _rows(position: Position, ron: Floats) -> list[PointsRows]:
    """The outcomes of each of ``ron`` (3, n, 14, 12): 3n, an opponent after the other."""
    honba, kiriage = position.honba, position.rules.kiriage
    points = np.stack([points_grid(position.dealer == seat, honba, kiriage) for seat in SEATS])
    flat, n = ron.reshape(-1), ron.shape[1]
    # numpy looks for what is not zero many times as fast along one axis as along four.
    at = np.flatnonzero(flat)
    of, cell = np.divmod(at, N_HAN * N_FU)
    han, fu = np.divmod(cell, N_FU)
    cells = np.empty((len(at), 4))
    cells[:, 0], cells[:, 1] = han, CELL_FU[fu]
    cells[:, 2], cells[:, 3] = points[of // n, han, fu], flat[at]
    return PointsRows.parts(cells, of, 3 * n)
