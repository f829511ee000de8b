"""From grids of (han, fu) to answers: what every deal-in model's ``assess`` has in common."""

from __future__ import annotations

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
        for tile in wanted:
            grid = answer.ron[tile.kind]
            reason = reasons[tile.kind]
            if reason is not None:
                risks[tile].append(TileRisk(tile, Seat(seat), 0.0, PointsRows(), reason))
                continue
            if tile.red:
                grid = red_grid(grid)
            han, fu = np.nonzero(grid)
            cells = (han, CELL_FU[fu], points[han, fu], grid[han, fu])
            rows = PointsRows(np.column_stack(cells).astype(np.float64))
            risks[tile].append(TileRisk(tile, Seat(seat), rows.probability, rows))
    return DealIn(
        position.seat,
        model.name,
        (tenpai[0], tenpai[1], tenpai[2]),
        {tile: (r[0], r[1], r[2]) for tile, r in risks.items()},
    )
