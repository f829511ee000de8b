"""The shanten that each discard leaves, and the safest tile that keeps the hand going."""

from __future__ import annotations

from typing import Any

from fake_model import FakeModel

from haiyomi.game.position import Position
from haiyomi.review.reviewer import assess
from haiyomi.review.shape import shanten_after
from haiyomi.tiles import Tile


def _left(**value: Any) -> dict[str, int | None]:
    position = Position.from_json({"seat": "E", "indicators": "9s"} | value)
    tiles = tuple(sorted(set(position.hand)))
    return {str(t): n for t, n in zip(tiles, shanten_after(position, tiles), strict=True)}


def test_a_tenpai_hand_with_a_spare_tile() -> None:
    left = _left(hand="123456789m11p34s", drawn="9p")
    assert left["9p"] == 0
    assert left["1m"] == 1
    assert left["1p"] == 1
    assert min(n for n in left.values() if n is not None) == 0


def test_seven_pairs_count() -> None:
    assert _left(hand="1133557799m11p3s", drawn="5z")["3s"] == 0


def test_melds_count() -> None:
    melded = {"E": {"melds": ["ankan 1111z", "ankan 2222z", "ankan 3333z", "ankan 4444z"]}}
    left = _left(hand="5z", drawn="6z", players=melded)
    assert left == {"5z": 0, "6z": 0}


def test_out_of_turn_there_is_none() -> None:
    assert set(_left(hand="123456789m11p34s").values()) == {None}


def test_the_safest_that_keeps_the_hand_going() -> None:
    position = Position.from_json(
        {"seat": "E", "indicators": "9s", "hand": "123456789m11p34s", "drawn": "5p"}
    )
    assessment = assess(position, FakeModel())
    assert assessment.shanten == 0
    assert assessment.forward.tile == Tile.parse("5p")
    assert assessment.safest.tile != Tile.parse("5p")
