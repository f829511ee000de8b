"""Tenhou's JSON (the shape of tenhou.net/6) to Game: whole games and fragments of them.

``{"title": .., "name": .., "rule": .., "log": [hand, ...]}``, each hand an array of 17: the
round, the scores, dora and ura indicators, for each seat its deal, takes and drops, and the
result. The format has no timing of kan dora: it is rebuilt by the rule of ``haiyomi.events``.
"""

from __future__ import annotations

import json
from typing import Any

from haiyomi.errors import (
    FormatError,
    IllegalError,
    RecordError,
    SizeError,
    TileError,
    TruncatedError,
    UnsupportedError,
)
from haiyomi.events import (
    Ankan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    Game,
    Hand,
    Header,
    Kakan,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.logs import fields
from haiyomi.logs.dora_order import in_canonical_order
from haiyomi.logs.limits import MOST_HANDS
from haiyomi.logs.stated import Stated, StatedHand
from haiyomi.logs.tenhou6_facts import hand_facts
from haiyomi.logs.tenhou6_merge import MOST_ENTRIES, HandRows, read_give, read_take
from haiyomi.logs.tenhou6_result import WON, read_draw, read_win
from haiyomi.rules import MAHJONG_SOUL, TENHOU, Ruleset
from haiyomi.tiles import Seat, Tile

_KEPT = ("title", "dan", "rate", "sx", "ref", "ver", "ratingc", "lobby")
"""Fields that go to ``Header.extra``, as JSON text."""
_SOUL = (
    "雀魂", "の間", "之间", "之間", "Room", "友人戦", "Friendly", "大会戦", "Tournament",
    "Tounament", "Casual Match",
)  # fmt: skip
"""What ``rule.disp`` holds in records converted from Mahjong Soul."""
_EVENTS = (
    "ドラさんモード", "配牌公開", "龍の割目", "試練の道", "修羅の戦", "赤血の戦", "明鏡の戦",
    "闇夜の戦", "幻界の戦", "DoraDorara", "Open Hand Match", "Chaotic Wall Break", "Path of Trial",
    "Battle of", "Bloodshed", "Dreamland",
)  # fmt: skip
"""Mahjong Soul's rooms of other rules."""


def read_tenhou6(value: object, name: str, stated: Stated | None) -> Game:
    """The game of a decoded JSON object; what it states twice goes to ``stated``, if given.

    Raises RecordError, with ``name`` as its file.
    """
    at: list[int | None] = [None]
    try:
        return _game(value, at, stated)
    except RecordError as error:
        error.file = name
        error.hand = at[0]
        raise
    except KeyError as error:
        raise FormatError(f"lacks the field {error}", name, at[0]) from None
    except IndexError:
        raise FormatError("an array is too short", name, at[0]) from None
    except (ValueError, TileError) as error:
        raise FormatError(str(error), name, at[0]) from None


def _game(value: object, at: list[int | None], stated: Stated | None) -> Game:
    record = fields.mapping(value, "record")
    rules = _rules(record.get("rule", {}))
    log = fields.array(record["log"], "log")
    if not log:
        raise TruncatedError("holds no hand")
    if len(log) > MOST_HANDS:
        raise SizeError(f"a game of more than {MOST_HANDS} hands", value=len(log))
    hands: list[Hand] = []
    for i, entry in enumerate(log):
        at[0] = i
        hands.append(_hand(entry))
        if stated is not None:
            stated.hands.append(StatedHand(hands[-1], hand_facts(entry, hands[-1])))
    at[0] = None
    names = record.get("name") or ["", "", "", ""]
    n0, n1, n2, n3 = (fields.text(n, "name") for n in fields.names(names, "name"))
    final = None
    if record.get("sc"):
        final = fields.points(fields.array(record["sc"], "sc", 8)[::2], "sc")
    if stated is not None:
        _game_facts(record, stated)
    extra = {k: json.dumps(record[k], ensure_ascii=False) for k in _KEPT if k in record}
    if isinstance(record.get("rule"), dict) and "disp" in record["rule"]:
        extra["disp"] = str(record["rule"]["disp"])
    header = Header((n0, n1, n2, n3), rules, final, tuple(sorted(extra.items())))
    return Game(header, tuple(hands))


def _rules(value: object) -> Ruleset:
    rule = fields.mapping(value, "rule")
    disp = fields.text(rule.get("disp", ""), "rule.disp")
    if "三" in disp or "サンマ" in disp:
        raise UnsupportedError("is a three-player record, which haiyomi does not read", value=disp)
    if any(event in disp for event in _EVENTS):
        raise UnsupportedError("is a Mahjong Soul record of other rules", value=disp)
    aka = [rule[k] for k in ("aka", "aka51", "aka52", "aka53") if k in rule]
    if aka:
        reds = any(aka)
    else:
        reds = "赤" in disp or not disp
    tenhou = any(c in disp for c in "東南")
    base = MAHJONG_SOUL if any(s in disp for s in _SOUL) else TENHOU
    return base.but(
        rounds=1 if "東" in disp or "East" in disp else 2,
        red_fives=reds,
        kuitan="喰" in disp or not tenhou,
        fast="速" in disp,
    )


def _game_facts(record: dict[str, Any], stated: Stated) -> None:
    """What the head of the record states twice."""
    if not record.get("sc"):
        stated.lacks_end = "sc"
    elif all(type(number) in (int, float) for number in record["sc"]):
        stated.results = tuple(float(number) for number in record["sc"][1::2])
    rule = fields.mapping(record.get("rule", {}), "rule")
    reds = {bool(rule[key]) for key in ("aka", "aka51", "aka52", "aka53") if key in rule}
    if "赤" in rule.get("disp", ""):
        reds.add(True)
    if any(rule.get(key, 0) not in (0, 1) for key in ("aka", "aka51", "aka52", "aka53")):
        stated.problem = "a suit has one red five or none"
    if len(reds) > 1:
        stated.problem = "the fields of rule contradict one another about red fives"


def _hand(value: object) -> Hand:
    entry = fields.array(value, "hand")
    if len(entry) == 14:
        raise UnsupportedError("is a three-player record, which haiyomi does not read")
    fields.array(entry, "hand", 17)
    kyoku, honba, sticks = (
        fields.integer(n, 0, high, "round, honba or deposits")
        for n, high in zip(fields.array(entry[0], "round", 3), (15, 999, 999), strict=True)
    )
    scores = fields.points(entry[1], "scores")
    indicators = [Tile.from_tenhou6(n) for n in fields.array(entry[2], "dora")]
    ura = tuple(Tile.from_tenhou6(n) for n in fields.array(entry[3], "ura"))
    if not 1 <= len(indicators) <= 5 or len(ura) > 5:
        raise ValueError(f"{len(indicators)} dora and {len(ura)} ura indicators")
    start = Start(kyoku, honba, sticks, scores, indicators[0])
    if not entry[13]:
        raise UnsupportedError("is a three-player record, which haiyomi does not read")
    deals = tuple(
        tuple(Tile.from_tenhou6(n) for n in fields.array(entry[4 + 3 * s], "deal", 13))
        for s in range(4)
    )
    result = fields.array(entry[16], "result")
    events = _merged(entry, start, deals, result)
    events += [DoraReveal(tile) for tile in indicators[1:]]
    events += _ending(result, start, events, ura)
    return in_canonical_order(Hand((start, Deal(deals), *events)))


def _merged(
    entry: list[Any], start: Start, deals: tuple[tuple[Tile, ...], ...], result: list[Any]
) -> list[Event]:
    takes, gives = [], []
    for s in range(4):
        given = fields.array(entry[6 + 3 * s], "drops")
        taken = fields.array(entry[5 + 3 * s], "takes")
        if max(len(taken), len(given)) > MOST_ENTRIES:
            raise ValueError(f"{max(len(taken), len(given))} draws or discards in one row")
        takes.append([read_take(t, Seat(s)) for t in taken])
        gives.append([read_give(g, Seat(s)) for g in given])
    winner = giver = None
    if result[0] == WON:
        bracket = fields.array(result[2], "win")
        winner, giver = fields.seat(bracket[0], "winner"), fields.seat(bracket[1], "giver")

    def fits(last: Event) -> bool:
        if winner is None:
            return isinstance(last, Discard | Draw)
        if winner == giver:
            return isinstance(last, Draw) and last.seat == winner
        return isinstance(last, Discard | Kakan | Ankan) and last.seat == giver

    rows = HandRows(deals, takes, gives, start.dealer, fits)
    try:
        events, accepts = rows.merge()
    except IllegalError as error:
        error.event = rows.furthest + 2
        raise
    if accepts is not None and result[0] not in (WON, "三家和了", "三家和"):
        events.append(RiichiAccepted(accepts))
    return events


def _ending(
    result: list[Any], start: Start, events: list[Event], ura: tuple[Tile, ...]
) -> list[Event]:
    last = next(e for e in reversed(events) if not isinstance(e, DoraReveal))
    if result[0] != WON:
        drawer = last.seat if isinstance(last, Draw) else None
        return [read_draw(result, start.dealer, drawer)]
    if isinstance(last, Ankan):
        tile = last.tiles[0]
    else:
        assert isinstance(last, Draw | Discard | Kakan)
        tile = last.tile
    declared = {e.seat for e in events if isinstance(e, Riichi)}
    wins: list[Event] = []
    if not 3 <= len(result) <= 7 or len(result) % 2 == 0:
        raise ValueError(f"a result of {len(result)} entries")
    for changes, bracket in zip(result[1::2], result[2::2], strict=True):
        win = read_win(bracket, changes, start, tile)
        if win.seat in declared and ura:
            win = Win(
                win.seat, win.target, tile, win.deltas, ura, win.yaku, win.fu, win.points, win.pao
            )
        wins.append(win)
    return wins
