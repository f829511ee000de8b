"""Risks of a position: the shanten that each discard leaves, swapped tiles, added kans."""

from __future__ import annotations

from typing import Any

import pytest
from review.fake_model import fake_analyzer

from haiyomi.analysis.deal_in import added_tiles, shanten_after
from haiyomi.errors import TileError
from haiyomi.game.kuikae import swapped_kinds
from haiyomi.game.position import Position
from haiyomi.tiles import Tile

T = Tile.parse


def _left(**value: Any) -> dict[str, int | None]:
    position = Position.from_json({"seat": "E", "indicators": "9s"} | value)
    tiles = tuple(sorted(set(position.hand)))
    return {str(t): n for t, n in zip(tiles, shanten_after([position], [tiles])[0], strict=True)}


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


@pytest.mark.parametrize(
    ("melds", "hand", "forbidden"),
    [
        (["chi 3m45m"], "36m", ["3m", "6m"]),
        (["chi 5m34m"], "25m", ["5m", "2m"]),
        (["chi 4m35m"], "36m", ["4m"]),
        (["chi 7m89m"], "1z6m", ["7m"]),
        (["chi 3m12m"], "1z6m", ["3m"]),
        (["pon 5p0p5p from E"], "1z6m", ["5p"]),
    ],
)
def test_swapping_a_called_tile(melds: list[str], hand: str, forbidden: list[str]) -> None:
    target = "E"
    value = {
        "seat": "S",
        "indicators": "9s",
        "hand": hand + "111222s444z",
        "players": {
            "S": {"melds": melds},
            target: {"river": melds[0].split()[1][:2] + "^"},
        },
    }
    position = Position.from_json(value)
    assert position.to_act
    assert {str(Tile(k)) for k in swapped_kinds(position)} == set(forbidden)
    (analysis,) = fake_analyzer("deal_in").analyze([position])
    for choice in analysis.risks.choices:
        assert choice.allowed == (str(Tile(choice.tile.kind)) not in forbidden)
    assert analysis.risks.safest.allowed


def test_the_safest_that_keeps_the_hand_going() -> None:
    position = Position.from_json(
        {"seat": "E", "indicators": "9s", "hand": "123456789m11p34s", "drawn": "5p"}
    )
    (analysis,) = fake_analyzer("deal_in").analyze([position])
    assert analysis.risks.shanten == 0
    assert analysis.risks.forward.tile == T("5p")
    assert analysis.risks.safest.tile != T("5p")


def test_a_tile_that_may_join_a_pon_has_the_risk_of_adding_it() -> None:
    """It can be won on by robbing the kan, which is another risk than that of the discard."""
    position = Position.from_json(
        {
            "seat": "E",
            "indicators": "9s",
            "hand": "123456789m1p",
            "drawn": "5p",
            "players": {
                "E": {"melds": ["pon 5p0p5p from S"], "river": "9m 1m"},
                "S": {"river": "5p^ 1s"},
                "W": {"river": "1z"},
                "N": {"river": "2z"},
            },
        }
    )
    assert added_tiles(position) == (T("5p"),)
    (analysis,) = fake_analyzer("deal_in").analyze([position])
    assert [choice.tile for choice in analysis.risks.kans] == [T("5p")]
    # The model for tests halves the risk of a robbed kan.
    assert analysis.risks.kan(T("5p")).risk < analysis.risks[T("5p")].risk
    with pytest.raises(KeyError, match="1p is none of 5p"):
        analysis.risks.kan(T("1p"))


def test_a_tile_is_its_text_too() -> None:
    position = Position.from_json({"seat": "E", "indicators": "9s", "hand": "123456789m11p34s0p"})
    analyzer = fake_analyzer()
    (analysis,) = analyzer.analyze([position])
    assert analysis.risks["0p"] is analysis.risks[T("0p")]
    assert [str(c.tile) for c in analyzer.risks(position, "5p9s").choices] == ["5p", "9s"]
    with pytest.raises(TileError, match="no tile '10p'"):
        analysis.risks["10p"]
    with pytest.raises(KeyError, match="9s is none of"):
        analysis.risks["9s"]
