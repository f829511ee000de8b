"""The grid of (han, fu) cells that ron distributions live on, and what each cell costs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.dealin.riichi import N_FU, N_HAN
from haiyomi.kernels.scoring import payments
from haiyomi.rules import TENHOU

CELL_FU = np.array([0, 10, 25, *range(30, 120, 10)])
"""The fu of a column of the grid: 0 (a limit hand), 25, 30, 40, ..., 110; 10 never occurs."""


@lru_cache(maxsize=16)
def points_grid(dealer: bool, honba: int, kiriage: bool = False) -> Ints:
    """(14, 12) points paid in each cell, honba included; 0 in the row of no han."""
    grid = np.zeros((N_HAN, N_FU), dtype=np.int64)
    rules = TENHOU.but(kiriage=kiriage)
    for han in range(1, N_HAN):
        for cell in range(N_FU):
            # Thirteen han and more, counted or a limit hand, pay one limit hand.
            limit = int(han == N_HAN - 1)
            paid, _, _ = payments(
                han, int(CELL_FU[cell]), yakuman=limit, dealer=dealer, rules=rules
            )
            grid[han, cell] = paid + 300 * honba
    grid.setflags(write=False)
    return grid


def red_grid(grid: Floats) -> Floats:
    """(..., 14, 12) distribution of a discarded red five from that of a plain one: a han more."""
    out = np.zeros_like(grid)
    out[..., 1:, :] = grid[..., :-1, :]
    # What reaches thirteen han is a limit hand, which has no fu.
    out[..., -1, 0] = grid[..., -1, :].sum(axis=-1) + grid[..., -2, :].sum(axis=-1)
    out[..., -1, 1:] = 0.0
    return out
