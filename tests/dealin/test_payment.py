"""The grid of cells, against the published table of points."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.dealin.payment import CELL_FU, points_grid, red_grid


@pytest.mark.parametrize(
    ("han", "fu", "child", "dealer"),
    [
        (1, 30, 1000, 1500), (1, 40, 1300, 2000), (1, 110, 3600, 5300), (2, 25, 1600, 2400),
        (2, 30, 2000, 2900), (3, 30, 3900, 5800), (3, 60, 7700, 11600), (3, 70, 8000, 12000),
        (4, 25, 6400, 9600), (4, 30, 7700, 11600), (4, 40, 8000, 12000), (5, 30, 8000, 12000),
        (6, 30, 12000, 18000), (7, 30, 12000, 18000), (8, 30, 16000, 24000),
        (11, 30, 24000, 36000), (13, 0, 32000, 48000),
    ],
)  # fmt: skip
def test_ron_points(han: int, fu: int, child: int, dealer: int) -> None:
    cell = CELL_FU.tolist().index(fu)
    assert points_grid(False, 0)[han, cell] == child
    assert points_grid(True, 0)[han, cell] == dealer


def test_rounding_up_to_mangan() -> None:
    assert points_grid(False, 0, kiriage=True)[4, 3] == 8000
    assert points_grid(True, 0, kiriage=True)[3, 6] == 12000
    assert points_grid(False, 0, kiriage=True)[3, 5] == 6400


def test_grid_counts_honba() -> None:
    grid = points_grid(False, 2)
    assert grid[1, 3] == 1000 + 600
    assert grid[2, 2] == 1600 + 600


def test_a_red_five_is_a_han_more() -> None:
    grid = np.zeros((14, 12))
    grid[2, 3], grid[12, 4], grid[13, 0] = 0.5, 0.3, 0.2
    red = red_grid(grid)
    assert red[3, 3] == 0.5
    assert red[13, 0] == pytest.approx(0.5)
    assert red.sum() == pytest.approx(1.0)
