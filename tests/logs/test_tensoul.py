"""Tenhou's JSON as converters of Mahjong Soul's records write it (tensoul and its ports)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from logs.test_majsoul import NUMBERS, made

from haiyomi.errors import UnsupportedError
from haiyomi.events import ExhaustiveDraw, Game
from haiyomi.game.table import check_game
from haiyomi.kernels.yaku import YAKU
from haiyomi.logs.check_stated import check_stated
from haiyomi.logs.load import parse, parse_all, write
from haiyomi.logs.missing import without
from haiyomi.logs.stated import Stated
from haiyomi.logs.tenhou6_result import read_win
from haiyomi.tiles import Seat, Tile

_JAPANESE = {
    r"自風 .": "役牌:自風牌",
    r"場風 .": "役牌:場風牌",
    "両立直": "ダブル立直",
    "国士無双１３面": "国士無双十三面待ち",
    "ダブル役満": "役満",
}
_ENGLISH = {
    0: "Fully Concealed Hand", 1: "Riichi", 2: "Ippatsu", 4: "After a Kan", 5: "Under the Sea",
    6: "Under the River", 7: "Pinfu", 8: "All Simples", 9: "Pure Double Sequence",
    18: "White Dragon", 19: "Green Dragon", 20: "Red Dragon", 21: "Double Riichi",
    22: "Seven Pairs", 23: "Half Outside Hand", 24: "Pure Straight", 25: "Mixed Triple Sequence",
    26: "Triple Triplets", 28: "All Triplets", 29: "Three Concealed Triplets",
    30: "Little Three Dragons", 31: "All Terminals and Honors", 32: "Twice Pure Double Sequence",
    33: "Fully Outside Hand", 34: "Half Flush", 35: "Full Flush", 52: "Dora", 53: "Ura Dora",
    54: "Red Five",
}  # fmt: skip
_WORDS = {
    "流局": "Exhaustive Draw", "九種九牌": "Nine Terminal Abortion",
    "四風連打": "Four Wind Abortion", "四家立直": "Four Riichi Abortion",
}  # fmt: skip
_LIMITS = {"満貫": "Mangan ", "跳満": "Haneman ", "倍満": "Baiman "}


def converted(game: Game, english: bool = False) -> bytes:
    """The game with the fields and the names of such a converter."""
    record: dict[str, Any] = json.loads(write(game, "tenhou6"))
    record |= {"ver": "2.3", "ref": "231123-0000", "ratingc": "PF4", "lobby": 0}
    record |= {"dan": ["雀聖3"] * 4, "rate": [1000] * 4, "sx": ["C"] * 4}
    record["rule"]["disp"] = "Jade Room East Red" if english else "玉の間東喰赤"
    final = game.header.final
    assert final is not None
    record["sc"] = [n for points in final for n in (points, (points - 30000) / 1000)]
    for hand in record["log"]:
        result = hand[16]
        if result[0] in ("全員聴牌", "全員不聴"):
            result[:] = ["流局", [0, 0, 0, 0]]
        for bracket in result[2::2]:
            bracket[3:] = [_named(text, english) for text in bracket[3:]]
        result[0] = _WORDS.get(result[0], result[0]) if english else result[0]
    return json.dumps(record, ensure_ascii=False).encode()


def _named(text: str, english: bool) -> str:
    for old, new in _JAPANESE.items():
        text = re.sub(old, new, text)
    if not english:
        return text
    text = text.replace("役牌:自風牌", "Seat Wind").replace("役牌:場風牌", "Prevalent Wind")
    text = text.replace("ダブル立直", "Double Riichi")
    for number, name in _ENGLISH.items():
        text = re.sub(rf"^{YAKU[number].japanese}(?=\()", name, text)
    for limit, name in _LIMITS.items():
        text = text.replace(limit, name)
    return re.sub(r"^(\d+)符(\d+)飜", r"\1Fu\2Han", text)


def told(game: Game) -> Game:
    """The game without what these records do not tell: who was tenpai where nothing was paid."""
    game = without(game, "tenhou6")
    hands = []
    for hand in game.hands:
        last = hand.events[-1]
        if isinstance(last, ExhaustiveDraw) and not any(last.deltas):
            hand = replace(hand, events=(*hand.events[:-1], replace(last, tenpai=None)))
        hands.append(hand)
    return replace(game, hands=tuple(hands))


@pytest.mark.parametrize("english", [False, True])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_converted_game_is_read(number: int, english: bool) -> None:
    facts: list[Stated] = []
    (found,) = parse_all(converted(made(number), english), "made", facts)
    assert found == told(made(number))
    check_game(found)
    check_stated(found, facts[0])


def test_every_yaku_of_the_games_has_an_english_name() -> None:
    """The test above would not notice a name that is left in Japanese."""
    text = "".join(converted(made(number), english=True).decode() for number in NUMBERS)
    assert not re.search(r'[^A-Za-z "]\(\d飜\)', text)


def test_limit_hands_that_count_twice_are_told_by_the_points() -> None:
    """A named case: converters write one limit hand for the thirteen-wait thirteen orphans."""
    start = made(4).hands[0].start
    bracket = [1, 1, 1, "役満16000-32000点", "国士無双十三面待ち(役満)"]
    win = read_win(bracket, [-32000, 64000, -16000, -16000], start, Tile.parse("1z"))
    assert win.yaku == ((48, 26),)
    bracket[3] = "役満8000-16000点"
    win = read_win(bracket, [-16000, 32000, -8000, -8000], start, Tile.parse("1z"))
    assert win.yaku == ((48, 13),)
    assert win.seat == Seat(1)


@pytest.mark.parametrize("room", ["修羅の戦南喰赤", "Path of Trial South Red"])
def test_rooms_of_other_rules_are_refused(room: str) -> None:
    record = json.loads(converted(made(4)))
    record["rule"]["disp"] = room
    with pytest.raises(UnsupportedError, match="other rules"):
        parse(json.dumps(record).encode(), "made")


def test_a_room_of_friends_plays_by_mahjong_soul() -> None:
    record = json.loads(converted(made(4)))
    record["rule"]["disp"] = "友人戦東喰赤"
    assert parse(json.dumps(record).encode(), "made").header.rules.name == "mahjong-soul"
