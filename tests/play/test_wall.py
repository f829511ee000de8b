"""The wall and its streams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haiyomi.play.wall import Wall
from haiyomi.rules import WALL_DRAWS
from haiyomi.seeds import generator
from haiyomi.tiles import Seat


def test_streams_of_one_name_agree_and_of_others_do_not() -> None:
    first = generator(5, "game", 1).bit_generator.random_raw(4).tolist()
    assert first == generator(5, "game", 1).bit_generator.random_raw(4).tolist()
    for other in (generator(6, "game", 1), generator(5, "game", 2), generator(5, "games", 1)):
        assert first != other.bit_generator.random_raw(4).tolist()


def test_the_shuffle_is_the_same_for_ever() -> None:
    wall = Wall.shuffled(generator(0, "wall"))
    assert wall.tiles[:12] == (47, 33, 55, 103, 0, 67, 49, 121, 3, 118, 39, 28)


@given(st.integers(0, 2**32), st.integers(0, 3))
def test_every_tile_is_somewhere_once(seed: int, dealer: int) -> None:
    wall = Wall.shuffled(generator(seed, "wall"))
    seen = [t for hand in wall.deal(Seat(dealer)) for t in hand]
    for i in range(5):
        seen += [wall.indicator(i), wall.ura(i)]
    kans = seed % 5
    seen += [wall.replacement() for _ in range(kans)]
    while wall.left:
        seen.append(wall.draw())
    assert len(seen) == 52 + 10 + WALL_DRAWS
    assert len(set(seen)) == len(seen)


def test_tiles_are_spread_evenly() -> None:
    first = [0] * 34
    for n in range(3400):
        first[Wall.shuffled(generator(1, n)).tiles[0] // 4] += 1
    # 100 expected a kind, standard deviation 10
    assert min(first) > 55
    assert max(first) < 145


def test_a_wall_holds_each_tile_once() -> None:
    with pytest.raises(ValueError, match="order of the tile ids"):
        Wall([0] * 136)
