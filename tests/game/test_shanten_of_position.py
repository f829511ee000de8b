"""How many tiles a position's hand must exchange to be tenpai."""

from __future__ import annotations

import pytest

from haiyomi.errors import PositionError
from haiyomi.events import Discard, Draw, HiddenDraw, OwnDeal, Pon, Start
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.tiles import Seat, Tile, parse_tiles

S0, S1 = Seat(0), Seat(1)
t = Tile.parse


@pytest.mark.parametrize(
    ("hand", "shanten"),
    [
        ("123m406p789s1122z", 0),
        ("19m19p19s1234567z", 0),
        ("1122334m1122p33s", 0),
        ("114477m114477p1z", 0),
        ("147m258p369s1234z", 6),
        ("123m406p789s1122z 1z", -1),
    ],
)
def test_shanten_of_a_closed_hand(hand: str, shanten: int) -> None:
    held, _, drawn = hand.partition(" ")
    told = {"seat": "E", "indicators": "6s", "hand": held}
    if drawn:
        told["drawn"] = drawn
    assert Position.from_json(told).shanten == shanten


def test_shanten_counts_a_meld_as_a_set_and_needs_a_hand() -> None:
    fold = PositionFold(S0)
    fold.apply(Start(0, 0, 0, (25000,) * 4, t("6s")))
    with pytest.raises(PositionError, match=r"^no hand has been dealt$"):
        _ = fold.position().shanten
    fold.apply(OwnDeal(S0, tuple(parse_tiles("1122m456p789s557z"))))
    fold.apply(Draw(S0, t("9p")))
    assert fold.position().shanten == 1
    for event in (
        Discard(S0, t("9p"), True),
        HiddenDraw(S1),
        Discard(S1, t("2m"), False),
        Pon(S0, S1, t("2m"), (t("2m"), t("2m"))),
    ):
        fold.apply(event)
    assert fold.position().shanten == 0
