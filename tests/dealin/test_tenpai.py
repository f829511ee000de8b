"""Features of Table 1 and the colour mixture."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haiyomi.dealin.features import FEATURE_NAMES, possible_colours, tenpai_features
from haiyomi.dealin.tenpai import TenpaiCells, sigmoid
from haiyomi.game.player_view import RiverTile
from haiyomi.tiles import TILES, parse_tiles


def river(text: str, tsumogiri: str = "", facing: int = 99) -> list[RiverTile]:
    marks = tsumogiri.ljust(99, ".")
    return [
        RiverTile(tile, marks[i] == "*", 4 * i, facing_riichi=i >= facing)
        for i, tile in enumerate(parse_tiles(text))
    ]


def named(discards: list[RiverTile]) -> dict[str, int]:
    row = tenpai_features(discards)
    return dict(zip(FEATURE_NAMES, row, strict=True))


def test_runs_off_a_colour() -> None:
    # 1z, then 1p 2s 3p off characters, 4m breaks the run, then 5s
    f = named(river("1z1p2s3p4m5s"))
    assert f["longest_run_off_colour_m"] == 3
    assert f["honour_before_run_m"] == 1
    assert f["colour_before_run_m"] == 0
    assert f["last_tedashi_on_colour_m"] == 0
    assert f["last_tedashi_on_colour_s"] == 1
    # off bamboo: 3p 4m (after 2s)
    assert f["longest_run_off_colour_s"] == 2
    assert f["colour_before_run_s"] == 1


def test_last_tedashi_skips_tsumogiri() -> None:
    f = named(river("1p5m7z", tsumogiri="..*"))
    assert f["last_tedashi_on_colour_m"] == 1
    assert f["last_tedashi_on_colour_p"] == 0
    assert f["tedashi"] == 2


def test_kinds_are_counted_once() -> None:
    f = named(river("11m19p55s77z", facing=6))
    assert f["honour_kinds"] == 1
    assert (f["kinds_m"], f["kinds_p"], f["kinds_s"]) == (1, 2, 1)
    assert f["yaochu_kinds"] == 4  # 1m 1p 9p 7z
    assert f["simple_kinds"] == 1
    assert f["tedashi_facing_riichi"] == 2


def test_empty_river() -> None:
    assert set(tenpai_features([])) == {0}


def test_possible_colours() -> None:
    assert possible_colours(0) == (True, True, True, True)
    assert possible_colours(0b010) == (False, True, False, True)
    assert possible_colours(0b011) == (False, False, False, True)


floats = st.floats(-6, 6, allow_nan=False)


@given(
    st.lists(floats, min_size=13, max_size=13),
    st.lists(st.sampled_from(TILES), max_size=24),
    st.integers(0, 7),
    st.integers(0, 3),
)
def test_colours_are_a_distribution(
    weights: list[float], tiles: list[object], suits: int, melds: int
) -> None:
    """With tenpai certain in each colour the joint sums to one, and is never negative."""
    always = (50.0, 0.0, 0.0)
    block = tuple(tuple(tuple(weights[:5]) for _ in range(21)) for _ in range(4))
    sure = tuple(tuple(always for _ in range(21)) for _ in range(4))
    sure5 = tuple(tuple((50.0, 0.0, 0.0, 0.0, 0.0) for _ in range(21)) for _ in range(4))
    cells = TenpaiCells(block, sure, sure5)
    discards = [RiverTile(t, False, i) for i, t in enumerate(tiles)]  # type: ignore[arg-type]
    joint = cells.joint(tenpai_features(discards), melds, len(discards), suits)
    assert sum(joint) == pytest.approx(1.0, abs=1e-9)
    assert min(joint) >= 0.0
    for c, may in enumerate(possible_colours(suits)):
        assert may or joint[c] == 0.0


def test_sigmoid_is_safe() -> None:
    assert sigmoid(-1000.0) == 0.0
    assert sigmoid(1000.0) == 1.0
    assert sigmoid(0.0) == 0.5
