"""Which seat and which hand of a record a name means."""

from __future__ import annotations

import pytest
from review.made_games import NAMES, made_game

from haiyomi.errors import HaiyomiError
from haiyomi.review.find import find_hands, find_seat, hand_names

GAME = made_game(1, 6)


@pytest.mark.parametrize(
    ("seat", "player", "viewer", "found"),
    [
        (2, None, None, 2),
        (0, None, 3, 0),
        (None, "Aoi", 3, 0),
        (None, "aoi", None, 0),
        (None, "桜井", None, 1),
        (None, None, 3, 3),
    ],
)
def test_whose_game(seat: int | None, player: str | None, viewer: int | None, found: int) -> None:
    assert find_seat(NAMES, seat, player, viewer) == found


@pytest.mark.parametrize(
    ("seat", "player", "message"),
    [
        (4, None, "no seat 4"),
        (None, "Nobody", "no player is named 'Nobody'"),
        (None, "a", "more than one player is named 'a'"),
        (None, "", "no player is named ''"),
        (None, None, "--seat or --player"),
    ],
)
def test_nobody_in_particular(seat: int | None, player: str | None, message: str) -> None:
    with pytest.raises(HaiyomiError, match=message) as caught:
        find_seat(NAMES, seat, player, None)
    assert "0 Aoi" in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_seat_and_a_player_may_differ() -> None:
    """A named case: the seat was taken, and the player passed over in silence."""
    with pytest.raises(HaiyomiError, match="give one of them"):
        find_seat(NAMES, 0, "Aoi", None)


def test_hands_by_name() -> None:
    assert hand_names(GAME.hands) == ["E1", "E2.1", "E3.2", "E4", "S1.1", "S2.2"]
    assert find_hands(GAME.hands, "E2") == find_hands(GAME.hands, "東2局1本場") == (1,)
    with pytest.raises(HaiyomiError, match=r"hand E2.2 was not played: the record has E1, E2.1"):
        find_hands(GAME.hands, "E2.2")
