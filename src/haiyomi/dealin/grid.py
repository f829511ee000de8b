"""From grids of (han, fu) to answers: what every deal-in model's ``assess`` has in common."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import DealIn, PointsRows, TileRisk
from haiyomi.dealin.payment import CELL_FU, points_grid, red_grid
from haiyomi.game.position import Position
from haiyomi.tiles import Seat, Tile

Floats = NDArray[np.float64]


class GridModel(Protocol):
    """A model that answers with ``ron`` (34, 14, 12) of one opponent, and why zeros are."""

    @property
    def name(self) -> str: ...

    def ron_grid(self, position: Position, seat: int, chankan: bool = False) -> tuple[Any, Any]: ...


def assess_by_grid(
    model: GridModel,
    position: Position,
    tiles: tuple[Tile, ...] | None = None,
    chankan: bool = False,
) -> DealIn:
    """The answer for the given tiles, by default the distinct tiles of the viewer's hand."""
    wanted = tuple(sorted(set(position.hand))) if tiles is None else tiles
    risks: dict[Tile, list[TileRisk]] = {tile: [] for tile in wanted}
    tenpai: list[float] = []
    for seat in (1, 2, 3):
        answer, reasons = model.ron_grid(position, seat, chankan)
        tenpai.append(answer.tenpai)
        points = points_grid(position.dealer == seat, position.honba, position.rules.kiriage)
        plain = _rows_by_kind(answer.ron, points)
        for tile in wanted:
            reason = reasons[tile.kind]
            if reason is not None:
                risks[tile].append(TileRisk(tile, Seat(seat), 0.0, PointsRows(), reason))
                continue
            rows = plain[tile.kind]
            if tile.red:
                rows = _rows_by_kind(red_grid(answer.ron[tile.kind])[None], points)[0]
            risks[tile].append(TileRisk(tile, Seat(seat), rows.probability, rows))
    return DealIn(
        position.seat,
        model.name,
        (tenpai[0], tenpai[1], tenpai[2]),
        {tile: (r[0], r[1], r[2]) for tile, r in risks.items()},
    )


def _rows_by_kind(ron: Floats, points: NDArray[Any]) -> list[PointsRows]:
    """The outcomes of each kind of ``ron`` (n, 14, 12)."""
    kind, han, fu = np.nonzero(ron)
    cells = np.empty((len(kind), 4))
    cells[:, 0], cells[:, 1] = han, CELL_FU[fu]
    cells[:, 2], cells[:, 3] = points[han, fu], ron[kind, han, fu]
    ends = np.searchsorted(kind, np.arange(len(ron) + 1)).tolist()
    return [PointsRows(cells[a:b]) for a, b in pairwise(ends)]
