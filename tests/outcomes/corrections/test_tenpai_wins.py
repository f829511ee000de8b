"""Wins of tenpai hands by winning tiles and yaku; the deposit of a riichi that was not declared."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.game.position import Position
from haiyomi.outcomes.corrections.tenpai_wins import (
    DORA_RONS,
    FURITEN,
    FURITEN_RIICHI,
    RIICHI_OWN_DRAWS,
    SILENT_DRAWS,
    TenpaiOptions,
    with_tenpai_wins,
)
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.stated_decision import decision_at

RIVER = {"river": "9s 1z 9p 2z 4p"}
OTHERS = {name: {"river": "4z 9p 2z 1z 3z"} for name in "WN"}
EAST = "4z 9p 2z 1s 3z 6z"


def one(
    hand: str, draws_left: int = 32, melds: tuple[str, ...] = (), indicator: str = "4z"
) -> OptionBlock:
    """The options of the South seat that has drawn 9m."""
    own = RIVER | ({"melds": list(melds)} if melds else {})
    east = EAST.replace("1s", "1s^S") if melds else EAST
    position = Position.from_json({
        "seat": "S", "indicators": indicator, "hand": hand, "drawn": "9m", "draws_left": draws_left,
        "players": OTHERS | {"E": {"river": east}, "S": own},
    })  # fmt: skip
    return OptionBlock.of([decision_at(position)])


def wins(
    block: OptionBlock, option: str, tsumo: float = 0.1, ron: float = 0.3
) -> tuple[float, float]:
    """P of a win by own draw and by ron after an option, where a network expects these."""
    ending = np.full((33, 1, len(block.act)), (1 - tsumo - ron) / 29)
    ending[0], ending[1:4] = tsumo, ron / 3
    found = with_tenpai_wins(TenpaiOptions.of(block), ending)[
        :, 0, block.flat.index(Option.parse(option))
    ]
    assert found.sum() == pytest.approx(1)
    assert found[4:] == pytest.approx(np.full(29, found[4]))
    return float(found[0]), float(found[1:4].sum())


def test_a_win_follows_the_regression() -> None:
    """Closed, tanyao on all three winning tiles, of which 11 are live: 2s, 5s and 8s."""
    block = one("234m678p34567s55p")
    tsumo, ron = wins(block, "discard 9m")
    odds = 0.705 * np.log(0.4 / 0.6) - 0.84 + 0.011 * 11 + 0.23 * np.log(11) + 0.0108 * 32 + 0.14
    odds += 0.05 * 8 / 11 + 0.2  # 2s and 8s; three kinds
    assert tsumo + ron == pytest.approx(1 / (1 + np.exp(-odds)))
    assert tsumo / (tsumo + ron) == pytest.approx(SILENT_DRAWS / 4)


@pytest.mark.parametrize(
    ("west", "north", "term"),
    [
        ("4z 4s 9p", "5s 2z 1z", 0.0),
        ("4z 4s 9p!", "5s 2z 1z", -0.24 + 0.78 / 2),
        ("4z 2z 9p!", "4s 5s 1z", -0.24),
        ("4s 5s 9p!", "2z 1z 4z", -0.24 + 0.78),
    ],
)
def test_an_open_hand_wins_more_on_tiles_that_are_safe_from_a_riichi(
    west: str, north: str, term: float
) -> None:
    """Of 4s and 5s one tile each is live, whatever the rivers."""
    position = Position.from_json({
        "seat": "S", "indicators": "4z", "hand": "234m567p44s55s", "drawn": "9m", "draws_left": 32,
        "players": {
            "E": {"river": "9s 5z^S 3z 6z"}, "W": {"river": west}, "N": {"river": north},
            "S": {"river": "9s 1z 9p", "melds": ["pon 5z5z5z from E"]},
        },
    })  # fmt: skip
    block = OptionBlock.of([decision_at(position)])
    found = sum(wins(block, "discard 9m"))
    odds = -0.60 + 0.75 * np.log(0.4 / 0.6) + 0.071 * 2 + 0.005 * 32 + term
    assert found == pytest.approx(1 / (1 + np.exp(-odds)))


def test_a_riichi_follows_the_regression() -> None:
    """Four 3s are live."""
    tsumo, ron = wins(one("123m678p11155s24s"), "riichi 9m")
    odds = 0.44 * np.log(0.4 / 0.6) - 1.73 + 0.58 * np.log(4) + 0.015 * 32 + 0.18
    assert tsumo + ron == pytest.approx(1 / (1 + np.exp(-odds)))


def test_a_riichi_draws_its_tile_no_more_often_than_the_wall_has_it() -> None:
    """One green dragon is live, and eight own draws are left."""
    block = one("123m678p111555s6z", indicator="6z")
    unseen = sum(block.decisions[0].position.unseen)
    tsumo, ron = wins(block, "riichi 9m", 0.3, 0.01)
    assert tsumo == pytest.approx(1 - (1 - 1 / unseen) ** 8)
    assert ron > 0.1


def test_more_winning_tiles_and_draws_win_more_often() -> None:
    narrow, wide = one("234m678p33355s24s"), one("234m678p33355s67s")
    assert sum(wins(narrow, "discard 9m")) < sum(wins(wide, "discard 9m"))
    late = one("234m678p33355s67s", 12)
    assert sum(wins(late, "discard 9m")) < sum(wins(wide, "discard 9m"))


def test_damaten_without_a_yaku_wins_by_ron_less_often_and_riichi_does_not() -> None:
    block = one("123m678p11155s24s")
    tsumo, ron = wins(block, "discard 9m")
    assert ron / tsumo == pytest.approx(3 * 32 / 75)
    tsumo, ron = wins(block, "riichi 9m")
    assert ron / tsumo == pytest.approx(3 / (4 / 5) ** RIICHI_OWN_DRAWS)


def test_honours_and_ends_win_more_often_than_middles() -> None:
    """Riichi on a single tile of which three are live."""
    found = [
        sum(wins(one(f"{hand}111555s"), "riichi 9m"))
        for hand in ("1235m678p", "1238m678p", "123m1678p", "123m678p7z")
    ]
    assert found == sorted(found)
    assert found[3] > found[0] + 0.1


def test_a_wait_on_dora_wins_less_often_above_all_by_ron() -> None:
    """Riichi on 3s, which is dora or not."""
    plain, dora = (
        wins(one("123m678p11155s24s", indicator=indicator), "riichi 9m")
        for indicator in ("4z", "2s")
    )
    assert dora[1] < 0.7 * plain[1]
    assert dora[0] / dora[1] > 1.4 * plain[0] / plain[1]
    half = wins(one("123m678p11155s67s", indicator="4s"), "riichi 9m")
    none = wins(one("123m678p11155s67s"), "riichi 9m")
    part = (2 / 6) ** 2  # two 5s and four 8s are live
    wide = (6 / 5) ** RIICHI_OWN_DRAWS
    assert half[1] / half[0] == pytest.approx(3 * (1 - DORA_RONS * part) / wide)
    assert none[1] / none[0] == pytest.approx(3 / wide)


@pytest.mark.parametrize(
    ("hand", "melds", "option"),
    [
        ("234m678p33355s67s", (), "discard 2m"),  # not tenpai
        ("123m678p55s23s", ("chi 1s23s from E",), "discard 9m"),  # no yaku: rare_wins
    ],
)
def test_other_hands_stay_as_they_are(hand: str, melds: tuple[str, ...], option: str) -> None:
    assert wins(one(hand, melds=melds), option) == pytest.approx((0.1, 0.3))


def test_hands_in_furiten_win_more_often_than_is_left() -> None:
    """4p lies in the river. Own draws and rons keep their shares."""
    drawn, ronned = wins(one("123m678m99955s23p"), "discard 9m")
    odds = 0.4 / 0.6 * np.exp(FURITEN[0])
    assert drawn + ronned == pytest.approx(odds / (1 + odds))
    assert ronned / drawn == pytest.approx(3)


@pytest.mark.parametrize(("hand", "live"), [("123m678m99955s23p", 7), ("123m678m55s23456p", 10)])
def test_a_riichi_in_furiten_wins_by_its_live_tiles(hand: str, live: int) -> None:
    """4p lies in the river."""
    drawn, ronned = wins(one(hand), "riichi 9m", 0.2, 0.0)
    intercept, slope, _, tiles = FURITEN_RIICHI
    odds = np.exp(intercept + slope * np.log(0.2 / 0.8) + tiles * np.log(live))
    assert drawn == pytest.approx(odds / (1 + odds))
    assert ronned == 0


@pytest.mark.parametrize(
    ("east", "live", "term"),
    [("4z 8s 8s 8s 3z 6z", 8, 0.2), ("4z 8s 8s 8s 8s 6z", 7, 0.0)],
)
def test_three_live_kinds_win_more_often_than_two(east: str, live: int, term: float) -> None:
    """Closed, tanyao on 2s, 5s and 8s, of which four 2s and three 5s are live."""
    players = OTHERS | {"E": {"river": east}, "S": RIVER}
    position = Position.from_json({
        "seat": "S", "indicators": "4z", "hand": "234m678p34567s55p", "drawn": "9m",
        "draws_left": 32, "players": players,
    })  # fmt: skip
    found = sum(wins(OptionBlock.of([decision_at(position)]), "discard 9m"))
    odds = 0.705 * np.log(0.4 / 0.6) - 0.84 + 0.011 * live + 0.23 * np.log(live) + 0.0108 * 32
    odds += 0.14 + 0.05 * (live - 3) / live + term
    assert found == pytest.approx(1 / (1 + np.exp(-odds)))


def test_a_riichi_in_furiten_draws_no_more_than_the_wall_has() -> None:
    """Seven tiles are live, and two own draws are left."""
    block = one("123m678m99955s23p", 8)
    unseen = sum(block.decisions[0].position.unseen)
    assert wins(block, "riichi 9m", 0.6, 0.0)[0] == pytest.approx(1 - (1 - 7 / unseen) ** 2)
