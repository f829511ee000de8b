"""Game to Tenhou's JSON (the shape of tenhou.net/6)."""

from __future__ import annotations

import json
from typing import Any

from haiyomi.errors import RecordError
from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    Game,
    Hand,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.logs.tenhou6_result import write_result
from haiyomi.rules import Ruleset
from haiyomi.tiles import Seat, Tile

_JSON_FIELDS = ("dan", "rate", "sx", "ref", "ver", "ratingc", "lobby")


def write_tenhou6(game: Game) -> str:
    """The JSON text of a game, on one line. Raises RecordError for events of a masked view."""
    extra = dict(game.header.extra)
    record: dict[str, object] = {"title": _json(extra.get("title"), ["", ""])}
    record["name"] = list(game.header.names)
    record["rule"] = _rule(game.header.rules, extra)
    for key in _JSON_FIELDS:
        value = _json(extra.get(key), None)
        if value is not None:
            record[key] = value
    record["log"] = [_hand(hand, i) for i, hand in enumerate(game.hands)]
    if game.header.final is not None:
        record["sc"] = [n for score in game.header.final for n in (score, _rank(game, score))]
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _json(text: str | None, default: object) -> Any:
    """What a reader kept of a JSON field; mjlog's own texts are no JSON and are left out."""
    if text is None:
        return default
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return default
    return value


def _rank(game: Game, score: int) -> float:
    """Result points without a bonus for the place: thousands above the target."""
    return (score - game.header.rules.target_points) / 1000


def _rule(rules: Ruleset, extra: dict[str, str]) -> dict[str, object]:
    length = {1: "東", 2: "南"}.get(rules.rounds, "南")
    head = "雀魂" if rules.name == "mahjong-soul" else _level(extra)
    kuitan, red, fast = "喰" * rules.kuitan, "赤" * rules.red_fives, "速" * rules.fast
    aka = int(rules.red_fives)
    return {
        "disp": f"{head}{length}{kuitan}{red}{fast}",
        "aka51": aka,
        "aka52": aka,
        "aka53": aka,
    }


def _level(extra: dict[str, str]) -> str:
    """Tenhou's table: 般 for all, 上, 特 and 鳳 the higher ones (GO type bits 0x80, 0x20)."""
    if extra.get("disp", "")[:1] in tuple("般上特鳳"):
        return extra["disp"][0]
    try:
        bits = int(extra.get("type", "0"))
    except ValueError:
        bits = 0
    return {0x80: "上", 0x20: "特", 0xA0: "鳳"}.get(bits & 0xA0, "般")


def _hand(hand: Hand, number: int) -> list[Any]:
    start = hand.start
    indicators = [start.indicator.tenhou6]
    ura: tuple[Tile, ...] = ()
    deals: list[list[int]] = [[], [], [], []]
    takes: list[list[int | str]] = [[], [], [], []]
    gives: list[list[int | str]] = [[], [], [], []]
    pons: dict[tuple[Seat, int], Pon] = {}
    riichi: set[Seat] = set()
    endings: list[Win | AbortiveDraw | ExhaustiveDraw] = []
    for i, event in enumerate(hand.events):
        match event:
            case Start() | RiichiAccepted():
                pass
            case Deal(hands):
                deals = [[tile.tenhou6 for tile in own] for own in hands]
            case Draw(seat, tile):
                takes[seat].append(tile.tenhou6)
            case Discard(seat, tile, tsumogiri):
                given = 60 if tsumogiri else tile.tenhou6
                gives[seat].append(f"r{given}" if seat in riichi else given)
                riichi.discard(seat)
            case Riichi(seat):
                riichi.add(seat)
            case Chi() | Pon() | Daiminkan():
                takes[event.seat].append(call_text(event))
                if isinstance(event, Pon):
                    pons[event.seat, event.tile.kind] = event
                elif isinstance(event, Daiminkan):
                    gives[event.seat].append(0)
            case Ankan(seat, tiles):
                *rest, last = sorted(tiles, reverse=True)
                gives[seat].append(_text(rest) + "a" + _text([last]))
            case Kakan(seat, tile):
                pon = pons.get((seat, tile.kind))
                if pon is None:
                    raise RecordError("an added kan without its pon", None, number, i, str(tile))
                gives[seat].append(kakan_text(event, pon))
            case DoraReveal(tile):
                indicators.append(tile.tenhou6)
            case Win():
                endings.append(event)
                ura = ura or event.ura
            case AbortiveDraw() | ExhaustiveDraw():
                endings.append(event)
            case _:
                raise RecordError("a view of one seat only is not a record", None, number, i)
    row: list[Any] = [[start.kyoku, start.honba, start.sticks], list(start.scores), indicators]
    row.append([tile.tenhou6 for tile in ura])
    for s in range(4):
        row += [deals[s], takes[s], gives[s]]
    if not endings:
        raise RecordError("the hand has no end", None, number, len(hand.events))
    row.append(write_result(endings, start.dealer))
    return row


def _text(tiles: list[Tile]) -> str:
    return "".join(str(tile.tenhou6) for tile in tiles)


def call_text(call: Chi | Pon | Daiminkan) -> str:
    """``c123456``, ``12p1212``, ``121212m12``: the letter's place says who gave the tile."""
    own = list(call.consumed)
    giver = (call.target - call.seat) % 4  # 3 left, 2 across, 1 right
    before = 0 if giver == 3 else 1 if giver == 2 else len(own)
    letter = "c" if isinstance(call, Chi) else "p" if isinstance(call, Pon) else "m"
    return _text(own[:before]) + letter + _text([call.tile]) + _text(own[before:])


def kakan_text(kan: Event, pon: Pon) -> str:
    """The pon's text with the added tile after a ``k`` in the place of the ``p``."""
    assert isinstance(kan, Kakan)
    before, after = call_text(pon).split("p")
    return before + "k" + _text([kan.tile]) + after
