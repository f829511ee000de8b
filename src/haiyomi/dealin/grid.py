"""From grids of (han, fu) to answers: what every deal-in model's ``assess`` has in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import DealIn, PointsRows, TileRisk, ZeroReason
from haiyomi.dealin.payment import CELL_FU, points_grid, red_grid
from haiyomi.dealin.riichi import N_FU, N_HAN
from haiyomi.game.position import Position
from haiyomi.tiles import Seat, Tile, tile_order

Floats = NDArray[np.float64]
SEATS = (Seat(1), Seat(2), Seat(3))


class Grids(NamedTuple):
    """The three opponents: ``tenpai`` probabilities; ``ron`` (3, n, 14, 12) probabilities of a
    ron on n kinds by (han, fu) cell; ``reasons`` why each of the 34 zeros is one."""

    tenpai: tuple[float, float, float]
    ron: Floats
    reasons: Sequence[Sequence[ZeroReason | None]]


class GridModel(Protocol):
    """A model that answers with the grids of some kinds, which are zero where a reason stands."""

    @property
    def name(self) -> str: ...

    def ron_grids(
        self, position: Position, kinds: Sequence[int], chankan: bool = False
    ) -> Grids: ...


def assess_by_grid(
    model: GridModel,
    position: Position,
    tiles: tuple[Tile, ...] | None = None,
    chankan: bool = False,
) -> DealIn:
    """The answer for the given tiles, by default the distinct tiles of the viewer's hand."""
    wanted = tuple(sorted(set(position.hand), key=tile_order)) if tiles is None else tiles
    kinds = sorted({tile.kind for tile in wanted})
    found = model.ron_grids(position, kinds, chankan)
    ron = found.ron[:, [kinds.index(tile.kind) for tile in wanted]]
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
    return DealIn(position.seat, model.name, found.tenpai, risks)


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
