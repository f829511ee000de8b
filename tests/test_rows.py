"""Rows are chosen from and joined column by column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from haiyomi.rows import GameRows, Rows


@dataclass(frozen=True, slots=True, eq=False)
class Inner(Rows):
    x: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Outer(GameRows):
    _WHOLE: ClassVar = ("games", "by_game")
    inner: Inner
    by_game: NDArray[np.float64]


def made(game: list[int], *games: str) -> Outer:
    codes = np.array(game, np.int32)
    return Outer(games, codes, Inner(10 * np.arange(len(game))), np.arange(len(games)) / 2)


def test_take_chooses_rows_within_rows_and_keeps_what_is_of_all() -> None:
    rows = made([0, 0, 1], "a", "b")
    assert len(rows) == 3
    for index in (np.array([False, True, True]), np.array([1, 2]), slice(1, 3)):
        some = rows.take(index)
        assert (some.game.tolist(), some.inner.x.tolist()) == ([0, 1], [10, 20])
        assert some.games == ("a", "b")
        assert some.by_game.tolist() == [0, 0.5]


def test_join_renumbers_games_and_keeps_types() -> None:
    rows = Outer.join([made([]), made([0, 1], "a", "b"), made([0], "c")])
    assert rows.games == ("a", "b", "c")
    assert rows.game.dtype == np.int32
    assert rows.game.tolist() == [0, 1, 2]
    assert rows.inner.x.tolist() == [0, 10, 0]
    assert rows.by_game.tolist() == [0, 0.5, 0]
