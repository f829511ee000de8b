"""What a ron costs: points by (han, fu), and the grid of cells that distributions live on."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.riichi import N_FU, N_HAN


def ron_points(han: int, fu: int, dealer: bool, kiriage: bool = False) -> int:
    """Points that the discarder pays, without honba; 13 han and more are one limit hand."""
    if han >= 13:
        base = 8000
    elif han >= 11:
        base = 6000
    elif han >= 8:
        base = 4000
    elif han >= 6:
        base = 3000
    else:
        base = fu << (han + 2)
        if han == 5 or base > 2000 or (kiriage and base == 1920):
            base = 2000
    return -(-base * (6 if dealer else 4) // 100) * 100


CELL_FU = np.array([0, 10, 25, *range(30, 120, 10)])
"""The fu of a column of the grid: 0 (a limit hand), 25, 30, 40, ..., 110; 10 never occurs."""


@lru_cache(maxsize=16)
def points_grid(dealer: bool, honba: int, kiriage: bool = False) -> NDArray[np.int64]:
    """(14, 12) points paid in each cell, honba included; 0 in the row of no han."""
    grid = np.zeros((N_HAN, N_FU), dtype=np.int64)
    for han in range(1, N_HAN):
        for cell in range(N_FU):
            grid[han, cell] = ron_points(han, int(CELL_FU[cell]), dealer, kiriage) + 300 * honba
    grid.setflags(write=False)
    return grid


def red_grid(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., 14, 12) distribution of a discarded red five from that of a plain one: a han more."""
    out = np.zeros_like(grid)
    out[..., 1:, :] = grid[..., :-1, :]
    # What reaches thirteen han is a limit hand, which has no fu.
    out[..., -1, 0] = grid[..., -1, :].sum(axis=-1) + grid[..., -2, :].sum(axis=-1)
    out[..., -1, 1:] = 0.0
    return out
