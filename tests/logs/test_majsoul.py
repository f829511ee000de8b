"""Mahjong Soul's own records: made of simulated games, read back, and refused in one sentence."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
from logs.made_games import FORMATS
from logs.majsoul_writer import binary_record, encode, entries, head, json_record

from haiyomi.errors import (
    FormatError,
    IllegalError,
    RecordError,
    SizeError,
    TruncatedError,
    UnsupportedError,
)
from haiyomi.events import (
    AbortiveDraw,
    Discard,
    Draw,
    Event,
    ExhaustiveDraw,
    Game,
    Hand,
    Start,
    Win,
)
from haiyomi.game.table import check_game
from haiyomi.kernels.yaku import YAKU
from haiyomi.logs.check_stated import check_stated
from haiyomi.logs.load import detect, parse, parse_all, write
from haiyomi.logs.majsoul_schema import RECORDS
from haiyomi.logs.majsoul_wins import read_wins
from haiyomi.logs.missing import without
from haiyomi.logs.protobuf import Decoder
from haiyomi.logs.stated import Stated
from haiyomi.rules import MAHJONG_SOUL
from haiyomi.styles.seating import simulate
from haiyomi.tiles import Seat, Tile

NUMBERS = {
    4: "nine terminals, two rons on one tile",
    17: "an added kan, a concealed kan, two rons on one tile",
    23: "an open kan",
    33: "four winds",
    109: "four riichi",
}
"""Games of one seed, and what happens in them."""


@lru_cache
def made(number: int) -> Game:
    """A game of rule-based players by Mahjong Soul's rules."""
    styles = ("balanced", "caller", "bold", "closed")
    return simulate(11, number, styles, rules=MAHJONG_SOUL.but(rounds=1))


def known(game: Game) -> Game:
    """The game without what the format has no place for: whether the dealer's first discard was
    the last of equal tiles, and the fu of a limit hand by its yaku."""
    return replace(game, hands=tuple(_known(hand) for hand in game.hands))


def _known(hand: Hand) -> Hand:
    events: list[Event] = list(hand.events)
    drawn = next(e for e in events if isinstance(e, Draw))
    first = next(((i, e) for i, e in enumerate(events) if isinstance(e, Discard)), None)
    if first is not None and (first[1].seat, first[1].tile) == (drawn.seat, drawn.tile):
        events[first[0]] = replace(first[1], tsumogiri=True)
    for i, event in enumerate(events):
        if isinstance(event, Win) and any(YAKU[y].yakuman for y, _ in event.yaku or ()):
            events[i] = replace(event, fu=None)
    return replace(hand, events=tuple(events))


def as_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def camel(value: Any) -> Any:
    """The JSON that protobuf's own printers write: humps, and no field that is 0."""
    if isinstance(value, list):
        return [camel(each) for each in value]
    if not isinstance(value, dict):
        return value
    words = {key: key.split("_") for key in value}
    names = {key: first + "".join(w.title() for w in rest) for key, (first, *rest) in words.items()}
    return {names[key]: camel(each) for key, each in value.items() if each or each == []}


def shapes(game: Game) -> dict[str, bytes]:
    """One game in every shape that is read."""
    whole = json_record(game)
    plain = [{"name": name, "data": data} for name, data in entries(game)]
    coded = [
        {"name": f".lq.{name}", "data": base64.b64encode(encode(data, RECORDS[name])).decode()}
        for name, data in entries(game)
    ]
    binary = binary_record(game, answer=False)
    return {
        "actions": as_bytes(whole),
        "a list": as_bytes({"head": head(game), "data": plain}),
        "humps": as_bytes(camel(whole)),
        "base64 entries": as_bytes({"head": head(game), "records": coded}),
        "base64 details": as_bytes({"head": head(game), "data": base64.b64encode(binary).decode()}),
        "protobuf": binary_record(game),
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_a_game_comes_back(number: int) -> None:
    facts: list[Stated] = []
    (found,) = parse_all(as_bytes(json_record(made(number))), "made", facts)
    assert found == known(made(number))
    check_game(found)
    check_stated(found, facts[0])


@pytest.mark.parametrize("number", [4, 17])
def test_every_shape_holds_the_same_game(number: int) -> None:
    for data in shapes(made(number)).values():
        facts: list[Stated] = []
        (found,) = parse_all(data, "made", facts)
        assert found == known(made(number))
        check_stated(found, facts[0])


def test_entries_alone_are_a_game_without_names() -> None:
    game = made(4)
    plain = [{"name": name, "data": data} for name, data in entries(game)]
    for data in (as_bytes(plain), binary_record(game, answer=False)):
        found = parse(data, "made")
        assert found.hands == known(game).hands
        assert found.header.names == ("", "", "", "")


def test_a_record_goes_to_every_other_format() -> None:
    found = parse(as_bytes(json_record(made(17))), "made")
    for format in FORMATS:
        again = parse(write(found, format).encode(), "made")
        assert again == without(found, format)


def test_the_format_is_known_by_its_content() -> None:
    whole = json.dumps(json_record(made(4)))
    assert detect(whole) == "majsoul"
    assert detect(write(made(4), "tenhou6")) == "tenhou6"


def changed(name: str, **fields: object) -> dict[str, Any]:
    """A record whose first entry of a name has other fields."""
    record = json_record(made(4))
    for action in record["data"]["data"]["actions"]:
        if action.get("result", {}).get("name") == f".lq.{name}":
            action["result"]["data"] |= fields
            return record
    raise AssertionError(name)


def with_config(**config: Any) -> dict[str, Any]:
    record = json_record(made(4))
    record["head"]["config"] |= config
    return record


ROOM = {
    "init_point": 25000, "fandian": 30000, "dora_count": 3, "shiduan": 1, "can_jifei": True,
    "liqibang_value": 1000, "changbang_value": 100, "noting_fafu_1": 1000, "noting_fafu_2": 1500,
    "noting_fafu_3": 3000, "have_biao_dora": True, "have_gang_biao_dora": True,
    "have_li_dora": True, "have_gang_li_dora": True, "have_yifa": True,
}  # fmt: skip


def room(**rule: object) -> dict[str, Any]:
    return with_config(mode={"mode": 1, "detail_rule": ROOM | rule}, meta={"room_id": 12345})


def test_a_room_names_its_rules() -> None:
    rules = parse(as_bytes(room(have_qieshangmanguan=True, shiduan=0)), "made").header.rules
    assert rules == MAHJONG_SOUL.but(rounds=1, kiriage=True, kuitan=False)


_CASES: dict[str, tuple[object, type[RecordError], str]] = {
    "three players": (with_config(mode={"mode": 12}), UnsupportedError, "three-player"),
    "three hands": (changed("RecordNewRound", tiles3=[]), UnsupportedError, "three-player"),
    "north": (
        [{"name": n, "data": d} for n, d in [*entries(made(4))[:3], ("RecordBaBei", {})]],
        UnsupportedError,
        "three-player",
    ),
    "local yaku": (room(guyi_mode=1), UnsupportedError, "guyi_mode"),
    "four red fives": (room(dora_count=4), UnsupportedError, "4 red fives"),
    "costlier riichi": (room(liqibang_value=2000), UnsupportedError, "liqibang_value"),
    "Sichuan": (
        [{"name": ".lq.RecordNewRound", "data": {}}, {"name": ".lq.RecordHuleXueZhanEnd"}],
        UnsupportedError,
        "other rules .RecordHuleXueZhanEnd",
    ),
    "a live stream": (
        [{"name": "ActionNewRound", "data": {"chang": 0}}],
        UnsupportedError,
        "as one seat sees it.*tensoul",
    ),
    "an address": (
        {"head": head(made(4)), "data": "", "data_url": "https://example.org/x"},
        FormatError,
        r"data_url.*tensoul",
    ),
    "a tile that nobody holds": (
        changed("RecordDiscardTile", tile="9p"),
        IllegalError,
        "seat 0 uses 9p",
    ),
    "no tile": (changed("RecordDealTile", tile="8z"), FormatError, "no tile '8z'"),
    "no seat": (changed("RecordDealTile", seat=4), FormatError, "seat 4"),
    "an unknown yaku": (
        changed("RecordHule", hules=[{"seat": 1, "zimo": True, "fans": [{"id": 9500, "val": 1}]}]),
        FormatError,
        "yaku 9500",
    ),
    "cut off": (
        [{"name": n, "data": d} for n, d in entries(made(4))[:9]],
        TruncatedError,
        "ends inside a hand",
    ),
}


@pytest.mark.parametrize("case", _CASES)
def test_what_cannot_be_read_is_refused_in_one_sentence(case: str) -> None:
    value, kind, text = _CASES[case]
    with pytest.raises(kind, match=text) as found:
        parse(as_bytes(value), "made.json")
    assert str(found.value).startswith("made.json")
    assert str(found.value).count("made.json") == 1


def test_a_damaged_message_is_an_error_and_never_more() -> None:
    whole = binary_record(made(4))
    for end in (30, 500, 5000, len(whole) - 3):
        with pytest.raises(RecordError):
            parse(whole[:end], "made")


def test_the_games_have_what_the_reader_reads() -> None:
    """The choice of games holds: what NUMBERS says happens in them."""
    events = [e for n in NUMBERS for hand in made(n) for e in hand.events]
    happened = {type(e).__name__ for e in events}
    assert {"Chi", "Pon", "Daiminkan", "Ankan", "Kakan", "ExhaustiveDraw"} <= happened
    reasons = {e.reason for e in events if isinstance(e, AbortiveDraw)}
    assert reasons == {"nine-terminals", "four-winds", "four-riichi"}
    assert any(sum(isinstance(e, Win) for e in hand.events) == 2 for hand in made(4))


def test_a_liable_player_pays_what_the_others_leave() -> None:
    """Two rons on one tile, one of them with a liable seat: only that one's payments are not the
    points of the hand, and the honba and deposits go to the first after the discarder."""
    start = Start(4, 2, 1, (25000, 25000, 25000, 24000), Tile.parse("1m"))
    thrown = Discard(Seat(3), Tile.parse("5z"), False)
    cheap = {
        "seat": 0, "hu_tile": "5z", "point_rong": 1500, "fans": [{"id": 7, "val": 1}], "fu": 30,
    }  # fmt: skip
    limit = {
        "seat": 2, "hu_tile": "5z", "point_rong": 32000, "yiman": True,
        "fans": [{"id": 37, "val": 1}], "baopai": 2,
    }  # fmt: skip
    entry = {"hules": [limit, cheap], "delta_scores": [3100, -16000, 32000, -18100]}
    first, second = read_wins(entry, start, 1, [start, thrown])
    assert (first.seat, first.deltas) == (0, (3100, 0, 0, -2100))
    assert (second.seat, second.deltas) == (2, (0, -16000, 32000, -16000))
    assert (second.pao, second.yaku, second.fu) == (Seat(1), ((39, 13),), None)


def test_who_was_tenpai_is_told_by_the_payments_where_the_players_are_left_out() -> None:
    """A named case: some programs save no ``players`` of an exhaustive draw."""
    record = json_record(made(23))
    left_out = [
        action["result"]["data"].pop("players")
        for action in record["data"]["data"]["actions"]
        if action.get("result", {}).get("name") == ".lq.RecordNoTile"
    ]
    assert left_out
    found = parse(as_bytes(record), "made")
    for hand, whole in zip(found, known(made(23)), strict=True):
        last = whole.events[-1]
        if isinstance(last, ExhaustiveDraw) and not any(last.deltas):
            last = replace(last, tenpai=None)
        assert hand.events[-1] == last


def test_a_ron_on_the_discard_that_shows_an_indicator_is_off_its_seat() -> None:
    """The indicator of an added or open kan comes with the discard, and was taken for the last
    event: nobody had given the tile."""
    names = [(number, at) for number in (17, 23) for at, each in enumerate(listed(number))
             if each[0] == "RecordDiscardTile" and each[1]["doras"]]  # fmt: skip
    assert names
    for number, at in names:
        before = listed(number)
        giver, tile = before[at][1]["seat"], before[at][1]["tile"]
        hule = {"seat": (giver + 2) % 4, "hu_tile": tile, "point_rong": 1000, "fu": 30,
                "fans": [{"id": 12, "val": 1}]}  # fmt: skip
        deltas = [0, 0, 0, 0]
        deltas[giver], deltas[(giver + 2) % 4] = -1000, 1000
        win = "RecordHule", {"hules": [hule], "delta_scores": deltas}
        data = [{"name": name, "data": entry} for name, entry in [*before[: at + 1], win]]
        (found,) = parse_all(as_bytes({"head": head(made(number)), "data": data}), "made")
        last = found.hands[-1].events[-1]
        assert isinstance(last, Win)
        assert (last.target, str(last.tile)) == (giver, tile)


def listed(number: int) -> list[tuple[str, dict[str, Any]]]:
    return list(entries(made(number)))


def test_winds_and_double_limit_hands_have_their_numbers() -> None:
    start = Start(5, 0, 0, (25000,) * 4, Tile.parse("1m"))
    drawn = Draw(Seat(3), Tile.parse("1z"))
    fans = [{"id": 48, "val": 2}, {"id": 10, "val": 1}, {"id": 11, "val": 1}, {"id": 31, "val": 0}]
    hule = {
        "seat": 3, "zimo": True, "hu_tile": "1z", "yiman": True, "fans": fans,
        "point_zimo_qin": 64000, "point_zimo_xian": 32000,
    }  # fmt: skip
    entry = {"hules": [hule], "delta_scores": [-32000, -64000, -32000, 128000]}
    (win,) = read_wins(entry, start, 0, [start, drawn])
    assert win.yaku == ((41, 26), (12, 13), (15, 13))
    assert (win.points, win.tsumo) == (128000, True)


def test_a_message_of_many_fields_is_refused_before_it_costs() -> None:
    many = b"\x2a" + b"\xc1\x84\x3d" + bytes(1_000_001)  # a packed array of a million scores
    with pytest.raises(SizeError, match="more than 1000000 fields"):
        Decoder().decode(many, RECORDS["RecordNewRound"])


def test_an_array_of_many_messages_is_refused_before_it_costs() -> None:
    with pytest.raises(SizeError, match="more than 400 messages"):
        Decoder().decode(b"\x0a\x00" * 401, RECORDS["RecordHule"])


@pytest.mark.parametrize("number", NUMBERS)
def test_the_entries_are_read_elsewhere(number: int) -> None:
    """What the tests write is what riichienv's reader of such records expects: it replays the
    hands and scores the wins alike. The schema is not ours alone to interpret."""
    riichienv = pytest.importorskip("riichienv", reason="the extra [bench] is not installed")
    unused = {
        "hand": [], "doras": [], "title": "", "title_id": 0, "qinjia": False, "liqi": False,
        "point_rong": 0, "point_zimo_qin": 0, "point_zimo_xian": 0, "point_sum": 0,
    }  # fmt: skip
    hands: list[list[dict[str, Any]]] = []
    for name, data in entries(made(number)):
        if name == "RecordNewRound":
            hands.append([])
        for i, hule in enumerate(data.get("hules", ())):
            data["hules"][i] = unused | hule
        hands[-1].append({"name": name.removeprefix("Record"), "data": data})
    replay = riichienv.MjSoulReplay.from_dict(hands)
    wins = sum(isinstance(e, Win) for hand in made(number) for e in hand.events)
    assert replay.num_rounds() == len(made(number).hands)
    assert replay.verify() == (wins, 0)
