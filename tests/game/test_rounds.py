from __future__ import annotations

import pytest

from haiyomi.errors import PositionError
from haiyomi.game.rounds import parse_round, parse_wind, round_name


@pytest.mark.parametrize("kyoku", range(16))
def test_a_name_is_read_back(kyoku: int) -> None:
    assert parse_round(round_name(kyoku)) == (kyoku, None)
    assert parse_round(round_name(kyoku, 2)) == (kyoku, 2)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("E1", (0, None)),
        ("e1.1", (0, 1)),
        ("S3-12", (6, 12)),
        ("East 1", (0, None)),
        ("south 4", (7, None)),
        ("東1", (0, None)),
        ("東１局", (0, None)),
        ("南3局2本場", (6, 2)),
        ("南3.2", (6, 2)),
        ("西4局 1本場", (11, 1)),
    ],
)
def test_names_people_write(text: str, means: tuple[int, int | None]) -> None:
    assert parse_round(text) == means


@pytest.mark.parametrize("text", ["", "E", "E5", "X1", "1E", "E1.1.1", "東", "E0", "E1.9999"])
def test_other_texts_are_no_hand(text: str) -> None:
    with pytest.raises(PositionError, match="no hand is named"):
        parse_round(text)


def test_winds() -> None:
    assert [parse_wind(t) for t in ("E", "south", "西", "n")] == [0, 1, 2, 3]
    for bad in ("", "Q", "ES"):
        with pytest.raises(PositionError, match="no wind"):
            parse_wind(bad)
