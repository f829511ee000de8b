"""Tiles: every notation there and back, and what each refuses."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haiyomi.errors import TileError
from haiyomi.tiles import (
    N_CODES,
    N_KINDS,
    RED_IDS,
    TILES,
    YAOCHU,
    Kind,
    Tile,
    Tiles,
    check_copies,
    code_name,
    dora_of,
    format_tiles,
    kind_counts,
    kind_name,
    kind_of_code,
    parse_tiles,
)

_NUMBERS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
_HONOURS = (*(f"{w} WIND" for w in ("EAST", "SOUTH", "WEST", "NORTH")), "WHITE DRAGON")
_UNICODE_NAMES = tuple(
    f"MAHJONG TILE {name}"
    for name in (
        *(f"{n} OF {suit}" for suit in ("CHARACTERS", "CIRCLES", "BAMBOOS") for n in _NUMBERS),
        *(*_HONOURS, "GREEN DRAGON", "RED DRAGON"),
    )
)


def test_the_37_tiles_are_named_apart_by_code() -> None:
    assert len(TILES) == N_CODES == 37
    assert [t.code for t in TILES] == list(range(37))
    assert [int(kind_of_code(c)) for c in (34, 35, 36)] == [4, 13, 22]
    assert all(kind_of_code(t.code) == t.kind for t in TILES)
    assert len(set(TILES)) == 37


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_each_notation_round_trips(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile
    assert Tile.from_mjai(tile.mjai) == tile
    assert Tile.from_tenhou6(tile.tenhou6) == tile
    assert eval(repr(tile), {"Tile": Tile}) == tile
    assert unicodedata.name(tile.unicode) == _UNICODE_NAMES[tile.kind]


def test_ids_give_four_copies_a_kind_and_one_red_five_a_suit() -> None:
    assert RED_IDS == (16, 52, 88)
    tiles = [Tile.from_id(i) for i in range(136)]
    assert kind_counts(tiles) == [4] * 34
    assert [i for i, t in enumerate(tiles) if t.red] == list(RED_IDS)
    assert not any(Tile.from_id(i, reds=False).red for i in range(136))
    check_copies(tiles)


def test_red_and_plain_fives_are_different_tiles_of_one_kind() -> None:
    red, plain = Tile.parse("0p"), Tile.parse("5p")
    assert red != plain
    assert red.kind == plain.kind == 13
    assert (red.mjai, red.tenhou6, red.code) == ("5pr", 52, 35)
    assert plain < red < Tile.parse("6p")


def test_named_corners() -> None:
    assert [Tile.parse(f"{n}z").mjai for n in range(1, 8)] == list("ESWNPFC")
    assert [Tile.parse(f"{n}z").tenhou6 for n in range(1, 8)] == list(range(41, 48))
    assert kind_name(33) == "7z"
    assert code_name(36) == "0s"
    assert len(YAOCHU) == 13
    assert {kind_name(k) for k in YAOCHU} == {
        *(f"{n}{s}" for n in (1, 9) for s in "mps"),
        *(f"{n}z" for n in range(1, 8)),
    }


@pytest.mark.parametrize(
    "pair", ["1m 2m", "9m 1m", "8p 9p", "9p 1p", "9s 1s", "1z 2z", "4z 1z", "5z 6z", "7z 5z"]
)
def test_dora_follows_its_indicator(pair: str) -> None:
    indicator, dora = map(Tile.parse, pair.split())
    assert dora_of(indicator.kind) == dora.kind


def test_every_kind_is_the_dora_of_one_indicator() -> None:
    assert sorted(dora_of(k) for k in range(N_KINDS)) == list(range(N_KINDS))


@pytest.mark.parametrize(
    "text",
    ["", "5", "m5", "55", "0z", "8z", "9z", "5x", "５m", "5mr", "-1m", " 5m", "10m", None, 5],
)
def test_no_tile(text: object) -> None:
    with pytest.raises(TileError):
        Tile.parse(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["?", "", "e", "5r", "1mr", "0m", "N ", None, 11, ["E"]])
def test_no_mjai_tile(text: object) -> None:
    with pytest.raises(TileError):
        Tile.from_mjai(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [0, 10, 20, 30, 40, 48, 49, 50, 54, 60, -11, "11", None, [1]])
def test_no_tenhou6_tile(number: object) -> None:
    with pytest.raises(TileError):
        Tile.from_tenhou6(number)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 136, 1000])
def test_no_tile_id(number: int) -> None:
    with pytest.raises(TileError, match="0 to 135"):
        Tile.from_id(number)


@pytest.mark.parametrize(("kind", "red"), [(-1, False), (34, False), (0, True), (31, True)])
def test_no_such_kind_or_red(kind: int, red: bool) -> None:
    with pytest.raises(TileError):
        Tile(Kind(kind), red)


def test_notation_of_a_hand() -> None:
    hand = parse_tiles("123m406p789s1122z")
    assert len(hand) == 13
    assert [str(t) for t in hand[3:6]] == ["4p", "0p", "6p"]
    assert format_tiles(hand) == "123m406p789s1122z"
    assert format_tiles(parse_tiles("1z0m 5m 4m")) == "450m1z"
    assert parse_tiles("") == ()
    assert format_tiles(()) == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("123", "123"),
        ("m123", "no digits"),
        ("12 3", "no suit letter"),
        ("1a", "character 1"),
        ("11111m", "5 copies of 1m"),
        ("00p", "only one red"),
        ("55550s", "5 copies of 5s"),
        ("8z", "no tile '8z': .* honours are 1z to 7z"),
        ("1mm", "no digits"),
        ("٣m", "is not a digit"),
    ],
)
def test_a_bad_notation_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(TileError, match=says):
        parse_tiles(text)


def test_a_text_is_no_tiles() -> None:
    """It became a tuple of its letters, which could not even be printed."""
    with pytest.raises(TileError, match=r"^Tiles takes tiles: of a notation, parse_tiles\('12m'\)"):
        Tiles("12m")  # type: ignore[arg-type]


@given(st.sets(st.integers(0, 135), max_size=20))
def test_any_tiles_of_one_set_round_trip(ids: set[int]) -> None:
    tiles = [Tile.from_id(i) for i in sorted(ids)]
    text = format_tiles(tiles)
    assert sorted(parse_tiles(text)) == sorted(tiles)
    assert format_tiles(parse_tiles(text)) == text


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_by_name(text: str) -> None:
    try:
        tiles = parse_tiles(text)
    except TileError:
        return
    assert sorted(parse_tiles(format_tiles(tiles))) == sorted(tiles)
