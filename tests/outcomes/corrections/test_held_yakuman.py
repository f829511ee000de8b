"""A hand that holds the sets of a yakuman wins nothing less, tenpai or not."""

from __future__ import annotations

import pytest
from forecasts import own_classes

from haiyomi.game.position import Position
from haiyomi.tiles import parse_tiles


@pytest.mark.parametrize(
    ("hand", "called", "option", "sure"),
    [
        ("46m79p555z4s", "76", "discard 4m", True),
        ("46m79p555z4s", "76", "discard 5z", False),
        ("46m79p5555z", "76", "discard 5z", True),
        ("46m79p5555z", "76", "ankan 5z", True),
        ("46m79p55z41s", "76", "discard 4m", False),
        ("46m7p44333z", "12", "discard 4m", True),
        ("46m7p44333z", "12", "discard 3z", False),
        ("46m79p1s333z", "12", "discard 4m", False),
    ],
)
def test_sets_of_a_yakuman_that_are_held_are_its_worth(
    hand: str, called: str, option: str, sure: bool
) -> None:
    """A named case: with two dragons called and four of the third, a closed kan of it was said to
    win 10,400 points."""
    tiles = [str(tile) for tile in parse_tiles(hand)]
    stated = {
        "seat": "S",
        "indicators": "4s",
        "hand": "".join(tiles[:-1]),
        "drawn": tiles[-1],
        "players": {
            "E": {"river": " ".join(f"{honour}z^S" for honour in called) + " 1m"},
            "S": {
                "river": "1p 2m",
                "melds": [f"pon {honour}z{honour}{honour}z from E" for honour in called],
            },
            "W": {"river": "8s 9s"},
            "N": {"river": "2p 9p"},
        },
    }
    found = own_classes(Position.from_json(stated), option)
    assert (found[:, -1] == pytest.approx(1)) == sure
