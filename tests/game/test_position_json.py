"""Positions as JSON: read back whole, made by hand, refused by name."""

from __future__ import annotations

import json
import pathlib
import re
import sys
import zipfile
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from haiyomi.errors import PositionError
from haiyomi.events import Win, visible_to
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold, positions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import TENHOU
from haiyomi.tiles import Seat, Tile, parse_tiles

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "properties"))

from made_hands import made_hand

DOC = pathlib.Path(__file__).parents[2] / "docs" / "reference" / "position-json.md"


def examples() -> list[str]:
    return re.findall(r"```json\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)


# -- there and back ------------------------------------------------------------------------


def test_made_positions_come_back_equal() -> None:
    rng = np.random.default_rng(20)
    n, melds, kans, riichi = 0, 0, 0, 0
    for game in range(40):
        events = made_hand(rng)
        for seat in range(4):
            for index, _, position in positions(events, Seat(seat)):
                if (index + game) % 6:
                    continue
                n += 1
                melds += sum(len(p.melds) for p in position.players) > 0
                kans += any(m.kind in ("ankan", "kakan") for p in position.players for m in p.melds)
                riichi += any(p.riichi for p in position.players)
                assert Position.from_json(json.dumps(position.to_json())) == position
    assert n > 300
    assert min(melds, kans, riichi) > 30


@pytest.mark.corpus
def test_real_positions_come_back_equal(corpus: pathlib.Path) -> None:
    from haiyomi.logs.load import parse

    n = 0
    with zipfile.ZipFile(corpus / "valid.zip") as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")][:8]
        for name in names:
            game = parse(archive.read(name), name)
            for number, hand in enumerate(game.hands):
                for _, _, position in positions(hand.events, Seat(number % 4), game.header.rules):
                    assert Position.from_json(json.dumps(position.to_json())) == position
                    n += 1
    assert n > 300


def test_a_json_of_defaults_says_little() -> None:
    position = Position.from_json(examples()[0])
    written = position.to_json()
    assert set(written["players"]["E"]) == {"score"}
    for name in ("draws_left", "to_act", "order"):
        assert name not in written


# -- what a person writes ------------------------------------------------------------------


@pytest.mark.parametrize("text", examples())
def test_the_page_s_examples_are_read(text: str) -> None:
    position = Position.from_json(text)
    assert position.to_act
    assert Position.from_json(json.dumps(position.to_json())) == position


def test_the_start_of_a_hand() -> None:
    position = Position.from_json(examples()[0])
    assert position.hand == tuple(sorted(parse_tiles("123m406p789s1122z5p")))
    assert position.drawn == Tile.parse("5p")
    assert (position.seat, position.dealer, position.draws_left) == (0, 0, 69)
    assert position.discards_made == 0
    assert position.rules == TENHOU
    assert position.reds_seen == 0b010


def test_the_second_example_whole() -> None:
    position = Position.from_json(examples()[1])
    assert position.kyoku == 5
    assert position.seat == 3
    assert position.dealer == 2
    assert position.sticks == 1
    assert position.draws_left == 70 - 17 + 1
    left, across = position.players[3], position.players[2]
    assert left.riichi_index == 2
    assert not left.ippatsu
    assert [t.order for t in left.river] == [1, 3, 7, 11, 15]
    assert left.river[0].called_by == 2
    assert not left.river[2].facing_riichi
    assert across.river[3].facing_riichi
    assert across.melds[0].order == 2
    assert across.concealed == 10
    assert across.melds[0].target == 3
    wanted = 0
    for tile in parse_tiles("9p9p8p2z3z3s"):
        wanted |= 1 << tile.kind
    assert left.riichi_mask == wanted
    assert left.passed_mask == 0
    assert (
        position.players[1].passed_mask == 1 << Tile.parse("3s").kind | 1 << Tile.parse("6m").kind
    )


def _base() -> dict[str, Any]:
    value = json.loads(examples()[1])
    assert isinstance(value, dict)
    return value


def test_the_caller_is_found_without_a_mark() -> None:
    bare = _base()
    bare["players"]["S"]["river"] = "5z 1p 9s! 4z* 6m*"
    assert Position.from_json(bare) == Position.from_json(_base())


def test_an_order_may_be_stated() -> None:
    stated = _base() | {"order": "E S E S W N E S W N E S W N E S"}
    assert Position.from_json(stated) == Position.from_json(_base())


def test_riichi_declared_now() -> None:
    value = {
        "seat": "E",
        "indicators": "3p",
        "hand": "123m406p789s1122z",
        "drawn": "5p",
        "players": {"E": {"riichi": True}},
    }
    me = Position.from_json(value).players[0]
    assert me.riichi
    assert me.riichi_index == 0
    assert me.ippatsu


def test_rules_as_an_object() -> None:
    value = {"seat": "E", "indicators": "3p", "hand": "1122334455667m", "rules": {"kuitan": False}}
    position = Position.from_json(value)
    assert not position.rules.kuitan
    assert not position.to_act
    assert Position.from_json(position.to_json()) == position


def _with(**changes: Any) -> dict[str, Any]:
    return {k: v for k, v in (_base() | changes).items() if v is not ...}


def _player(wind: str, **changes: Any) -> dict[str, Any]:
    value = _base()
    value["players"][wind] |= changes
    return value


@pytest.mark.parametrize(
    ("value", "stated"),
    [
        ([], "the position is not a JSON object"),
        ('<mjloggm ver="2.3"/>', "a record of a whole game"),
        ({"title": ["", ""], "log": []}, "a record of a whole game"),
        (_with(seat=...), "seat is missing"),
        (_with(hand=...), "hand is missing"),
        (_with(indicators=...), "indicators has 0 tiles"),
        (_with(colour="red"), "unknown field 'colour'"),
        (_with(seat="Q"), "seat: no wind"),
        (_with(seat=3), "seat is 3"),
        (_with(round="E9"), "no hand is named 'E9'"),
        (_with(honba=-1), "honba is -1"),
        (_with(honba=True), "honba is True"),
        (_with(round="S2.3", honba=1), "round says honba 3, but honba is 1"),
        (_with(sticks=1.5), "sticks is 1.5"),
        (_with(hand="12"), "hand: '12'"),
        (_with(hand="11111m456p789s66z"), "hand: .*copies of 1m"),
        (_with(hand="234m"), "hand has 4 concealed tiles"),
        (_with(seat="E", hand="234m", drawn=...), "3 concealed tiles, which with 1 meld counts 6:"),
        ('{"seat": "E"\n', "the position is not JSON: .* at column 13$"),
        (_with(hand="234m5567p340s555z"), "a fifth 5z"),
        (_with(hand="234m5567p340s667z", drawn="0s"), "two red five 0s"),
        (_with(hand="1" * 100_000), "hand is a text of 100000 characters"),
        (_with(honba=list(range(1000))), "honba is "),
        (_with(**{"x" * 1000: 1}), "unknown field"),
        (_with(drawn="9z"), "drawn: no tile"),
        (_with(hand="234m556p340s667z"), "hand has 12 concealed tiles beside the drawn one"),
        (_with(rules="chess"), "rules 'chess' is unknown"),
        (_with(rules={"kuitan": 1}), "rules.kuitan is 1"),
        (_with(rules=5), "rules is 5: expected a name or a JSON object"),
        (_with(rules={"name": "x", "speed": 1}), "rules has an unknown field 'speed'"),
        (_with(players=[]), "players is not a JSON object"),
        (_with(players={"Q": {}}), "players: no wind"),
        (_with(players={"E": {}, "東": {}}), "players names E twice"),
        (_with(order="E S"), "order names 2 of 16"),
        (_with(order="E S E S W N E S W N E S W N E S W"), "order names 17 discards of 16"),
        (_with(to_act="yes"), "to_act is 'yes'"),
        (_player("E", river="9m 1x"), "players.E.river has '1x'"),
        (_player("E", river="9m! 1z! 2m* 8p 3s"), "players.E.river declares riichi 2 times"),
        (_player("S", river="5z^ 1p 9s!"), "players.S.river has 3 tiles, yet"),
        (_player("N", river="1m^ 9p* 3z*"), "says that 1m was called"),
        (_player("E", melds=["pon 1z11z from S"]), "whose river has no such tile"),
        (_player("E", melds="pon"), "players.E.melds is not a list"),
        (_player("E", melds=["steal 5z55z"]), "players.E.melds has 'steal 5z55z'"),
        (_player("E", melds=["pon 5z55z"]), "say from whom"),
        (_player("E", melds=["pon 5z55z from E"]), "cannot come from E"),
        (_player("E", melds=["chi 5z55z"]), "555z is no chi"),
        (_player("E", melds=["chi 3m45m from S"]), "chi cannot come from S"),
        (_player("E", melds=["ankan 1111z from S"]), "comes from nobody"),
        (_player("E", melds=["ankan 1111z"] * 5), "has 5 melds"),
        (_player("E", score="many"), "players.E.score is 'many'"),
        (_player("E", name="x"), "players.E has an unknown field 'name'"),
        (_player("S", melds=["pon 3s33s from E"]), "in riichi with an open meld"),
        (_with(round="N4"), "a game of 2 rounds has no N4"),
        (_with(indicators="1z2z9s"), "indicators has 3 tiles after 0 kans"),
        (_with(hand="234m5557p340s667z", drawn="5p"), "four plain 5p"),
        (_with(rules={"rounds": 100_000_000}), "rules.rounds is 100000000"),
        (_with(rules={"wind_pair_fu": 5}), "rules.wind_pair_fu is 5"),
        (_player("E", concealed=12), "players.E.concealed is 12"),
        (_with(drawn=..., to_act=True), "to_act is true, but"),
        (_with(draws_left=70), "draws_left is 70, but hands, melds and rivers leave"),
    ],
)
def test_bad_fields_are_named(value: object, stated: str) -> None:
    with pytest.raises(PositionError, match=stated) as caught:
        Position.from_json(value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"seat": NaN}', "nul", '{"seat": "E", "seat": "S"}']
)
def test_bad_text(text: str) -> None:
    with pytest.raises(PositionError):
        Position.from_json(text)


def test_random_damage_raises_nothing_else() -> None:
    rng = np.random.default_rng(3)
    text = json.dumps(Position.from_json(examples()[1]).to_json())
    for _ in range(400):
        damaged = list(text)
        for _ in range(int(rng.integers(1, 4))):
            damaged[int(rng.integers(len(damaged)))] = chr(int(rng.integers(32, 127)))
        try:
            position = Position.from_json("".join(damaged))
        except PositionError:
            continue
        assert isinstance(position, Position)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"order": "E E S W N E S W N E S W N E S"}, "order names E for the 2nd discard"),
    ],
)
def test_what_contradicts_the_rest_is_refused(change: dict[str, Any], message: str) -> None:
    """A named case: three discards of one seat in a row."""
    with pytest.raises(PositionError, match=message):
        Position.from_json(_base() | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ippatsu": True}, "ippatsu is true, but the player is not in riichi"),
        ({"concealed": 14}, "concealed is 14, which is not what its melds leave: 13"),
    ],
)
def test_what_no_opponent_can_have_is_refused(change: dict[str, Any], message: str) -> None:
    value = {"seat": "E", "indicators": "3p", "hand": "123m406p789s1122z", "drawn": "5p"}
    with pytest.raises(PositionError, match=message):
        Position.from_json(value | {"players": {"S": change}})


def test_every_moment_of_a_hand_comes_back_its_end_included() -> None:
    """A named case: after an own draw that won, the fourteenth tile was taken for a turn."""
    won = 0
    for game in range(3):
        for hand in simulate_rule_players(3, game).hands:
            for seat in map(Seat, range(4)):
                fold = PositionFold(seat)
                for number, event in enumerate(hand.events):
                    fold.apply(visible_to(event, seat))
                    if number == 0:  # nothing is dealt yet
                        continue
                    position = fold.position()
                    won += isinstance(event, Win) and event.tsumo and event.seat == seat
                    assert Position.from_json(position.to_json()) == position
    assert won > 3


def test_a_score_is_in_hundreds() -> None:
    value = deepcopy(_with())
    value["players"]["E"]["score"] = 99
    with pytest.raises(PositionError, match=r"players.E.score is 99: expected a multiple of 100"):
        Position.from_json(value)
