"""A Position as JSON that a person can write: see ``docs/reference/position-json.md``.

``Position.from_json`` and ``Position.to_json`` call ``read_position`` and ``write_position``.
``read_position`` fills in all that follows from the rest: whose turn each discard was, what
each player let pass, the draws left, the tiles seen. ``write_position`` writes only what
``read_position`` would not find by itself, so that the two are inverse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from reprlib import repr as shorten
from typing import Any

from haiyomi.errors import PositionError, RulesError, TileError, not_json
from haiyomi.game.player_view import Meld, MeldKind, PlayerView, RiverTile
from haiyomi.game.position import Position
from haiyomi.game.position_rebuild import River, StatedPosition, build
from haiyomi.game.rounds import WINDS, parse_round, parse_wind, round_name
from haiyomi.rules import NAMED, TENHOU, WALL_DRAWS, Ruleset, rules_of
from haiyomi.tiles import TILES, Kind, Seat, Tile, format_tiles, parse_tiles

_TOP = (
    "rules",
    "round",
    "honba",
    "sticks",
    "seat",
    "indicators",
    "hand",
    "drawn",
    "players",
    "order",
    "draws_left",
    "to_act",
    "after_kan",
)
_PLAYER = (
    "score",
    "river",
    "melds",
    "riichi",
    "ippatsu",
    "concealed",
    "passed",
    "passed_since_riichi",
)
_RIVER_TILE = re.compile(r"([0-9][mpsz])([*!]*)(?:\^([ESWN東南西北])?)?([*!]*)")
_MELD = re.compile(r"(\w+) +((?:[0-9]+[mpsz])+)(?: +from +(\w+))?(?: *@(\d{1,2}))?", re.IGNORECASE)
_MELD_KINDS: dict[str, MeldKind] = {
    "chi": "chi",
    "pon": "pon",
    "daiminkan": "daiminkan",
    "kakan": "kakan",
    "ankan": "ankan",
}
_RULES = {"rounds": (1, 4), "wind_pair_fu": (0, 4)}
_SIDES = {"right": 1, "across": 2, "left": 3}
_RECORD = (
    "this is not a position but a record of a whole game: `haiyomi review` reads it, and "
    "`haiyomi value` takes a decision of it by --hand, --turn and --seat"
)


# -- reading -------------------------------------------------------------------------------


def read_position(value: object) -> Position:
    """The Position of a JSON value or of a JSON text. Raises PositionError, naming the field."""
    if isinstance(value, str):
        value = _parsed(value)
    if isinstance(value, dict) and "log" in value:
        raise PositionError(_RECORD)
    top = _mapping(value, "the position", _TOP)
    rules = _rules(top.get("rules", "tenhou"))
    kyoku = top.get("round", "E1")
    if isinstance(kyoku, str):
        kyoku, named = parse_round(_text(kyoku, "round"))
        if named is not None and top.get("honba", named) != named:
            raise PositionError(f"round says honba {named}, but honba is {shorten(top['honba'])}")
    else:
        kyoku, named = _integer(kyoku, "round", 0, 19), None
    if "seat" not in top:
        raise PositionError("seat is missing: the viewer's wind, E, S, W or N")
    viewer = _wind(top["seat"], "seat")
    if "hand" not in top:
        raise PositionError("hand is missing: the viewer's concealed tiles, such as 123m406p789s")
    players = _mapping(top.get("players", {}), "players", None)
    by_wind: dict[int, dict[str, Any]] = {}
    for key, one in players.items():
        wind = _wind(key, "players")
        if wind in by_wind:
            raise PositionError(f"players names {WINDS[wind]} twice")
        by_wind[wind] = _mapping(one, f"players.{WINDS[wind]}", _PLAYER)
    parts = StatedPosition(
        rules=rules,
        kyoku=kyoku,
        honba=_integer(top.get("honba", named or 0), "honba", 0, 200),
        sticks=None if "sticks" not in top else _integer(top["sticks"], "sticks", 0, 200),
        viewer=viewer,
        indicators=_tiles(top.get("indicators", ""), "indicators"),
        hand=_tiles(top["hand"], "hand"),
        drawn=None if top.get("drawn") is None else _tile(top["drawn"], "drawn"),
        rivers=tuple(_river(by_wind.get(w, {}), w) for w in range(4)),
        melds=tuple(_melds(by_wind.get(w, {}), w) for w in range(4)),
        order=_order(top.get("order")),
    )
    position = build(parts)
    return _override(position, top, by_wind)


def _parsed(text: str) -> object:
    """The value of a JSON text."""
    if not text.strip():
        raise PositionError("the position is empty")
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise PositionError("the position is JSON that is nested too deeply") from None
    except ValueError as error:
        if text.lstrip().startswith("<"):
            raise PositionError(_RECORD) from None
        raise PositionError(f"the position is not JSON: {not_json(error)}") from None


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object, whose fields may not come twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise PositionError(f"the position has the field {shorten(key)} twice")
        found[key] = value
    return found


def _override(
    position: Position, top: Mapping[str, Any], by_wind: Mapping[int, Mapping[str, Any]]
) -> Position:
    """The position with what the JSON states outright."""
    players = list(position.players)
    for wind, one in by_wind.items():
        r = (wind + position.dealer) % 4
        where = f"players.{WINDS[wind]}"
        changes: dict[str, Any] = {}
        if "score" in one:
            score = _integer(one["score"], f"{where}.score", -1_000_000, 1_000_000)
            if score % 100:
                raise PositionError(f"{where}.score is {score}: expected a multiple of 100")
            changes["score"] = score
        if "concealed" in one:
            held = _integer(one["concealed"], f"{where}.concealed", 1, 14)
            least = players[r].concealed if r == 0 else 13 - 3 * len(players[r].melds)
            drawn = r != 0 and not position.to_act
            if held not in (least, least + drawn):
                raise PositionError(
                    f"{where}.concealed is {held}, which is not what its melds leave: {least}"
                )
            changes["concealed"] = held
        if "ippatsu" in one:
            changes["ippatsu"] = _boolean(one["ippatsu"], f"{where}.ippatsu")
            if changes["ippatsu"] and not players[r].riichi:
                raise PositionError(f"{where}.ippatsu is true, but the player is not in riichi")
        if "passed" in one:
            changes["passed_mask"] = _mask(one["passed"], f"{where}.passed")
        if "passed_since_riichi" in one:
            changes["riichi_mask"] = _mask(
                one["passed_since_riichi"], f"{where}.passed_since_riichi"
            )
        if changes:
            players[r] = replace(players[r], **changes)
    changes = {"players": tuple(players)}
    if "draws_left" in top:
        left = _integer(top["draws_left"], "draws_left", 0, WALL_DRAWS)
        if left > position.draws_left:
            raise PositionError(
                f"draws_left is {left}, but hands, melds and rivers leave {position.draws_left}"
            )
        changes["draws_left"] = left
    if "to_act" in top:
        changes["to_act"] = _boolean(top["to_act"], "to_act")
        if changes["to_act"] and not position.to_act:
            raise PositionError("to_act is true, but the viewer holds no tile to discard")
    if "after_kan" in top:
        changes["after_kan"] = _boolean(top["after_kan"], "after_kan")
        kans = any(len(meld.tiles) == 4 for meld in players[0].melds)
        if changes["after_kan"] and not (kans and position.drawn is not None):
            raise PositionError("after_kan is true, but the viewer has no kan, or drew nothing")
    return replace(position, **changes)


def _river(one: Mapping[str, Any], wind: int) -> River:
    where = f"players.{WINDS[wind]}.river"
    text = _text(one.get("river", ""), where)
    tiles: list[RiverTile] = []
    called: list[bool] = []
    for token in text.split():
        match = _RIVER_TILE.fullmatch(token)
        if match is None:
            raise PositionError(
                f"{where} has {token!r}: expected a tile such as 9p, with * (drawn and discarded), "
                "! (declares riichi) or ^ (called, ^S by South)"
            )
        name, marks, caller, more = match.groups()
        tile = _tile(name, where)
        seat = None if caller is None else Seat(_wind(caller, where))
        riichi = "!" in marks + more
        tiles.append(RiverTile(tile, "*" in marks + more, 0, riichi, seat))
        called.append("^" in token)
    declared = sum(t.riichi for t in tiles)
    if declared > 1:
        raise PositionError(f"{where} declares riichi {declared} times")
    riichi_now = _boolean(one.get("riichi", False), f"players.{WINDS[wind]}.riichi")
    return River(tuple(tiles), tuple(called), riichi_now and not declared)


def _melds(one: Mapping[str, Any], wind: int) -> tuple[tuple[Meld, bool], ...]:
    """Melds, their targets as winds, and whether the order of each is stated."""
    where = f"players.{WINDS[wind]}.melds"
    value = one.get("melds", [])
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise PositionError(f"{where} is not a list of texts such as 'pon 5z55z from E'")
    if len(value) > 4:
        raise PositionError(f"{where} has {len(value)} melds: there can be four")
    return tuple(_meld(text, where, wind) for text in value)


def _meld(value: object, where: str, wind: int) -> tuple[Meld, bool]:
    text = _text(value, where)
    match = _MELD.fullmatch(text.strip())
    kind = None if match is None else _MELD_KINDS.get(match[1].lower())
    if match is None or kind is None:
        raise PositionError(
            f"{where} has {text!r}: expected chi, pon, daiminkan, kakan or ankan, the called tile "
            "first, such as 'chi 3m45m from left' or 'ankan 1111z'"
        )
    tiles = _tiles(match[2], where)
    order, stated = int(match[4] or 0), match[4] is not None
    kinds = sorted(t.kind for t in tiles)
    size = 3 if kind in ("chi", "pon") else 4
    good = len(tiles) == size and (
        [kinds[0], kinds[0] + 1, kinds[0] + 2] == kinds and kinds[0] < 27 and kinds[0] % 9 < 7
        if kind == "chi"
        else len(set(kinds)) == 1
    )
    if not good:
        raise PositionError(f"{where} has {text!r}: {format_tiles(tiles)} is no {kind}")
    if kind == "ankan":
        if match[3]:
            raise PositionError(f"{where} has {text!r}: a closed kan comes from nobody")
        return Meld(kind, tuple(sorted(tiles)), None, None, order), stated
    side = match[3] or ("left" if kind == "chi" else "")
    if not side:
        raise PositionError(f"{where} has {text!r}: say from whom, such as 'from E'")
    step = _SIDES.get(side.lower())
    target = (wind + step) % 4 if step else _wind(side, where)
    if target == wind or (kind == "chi" and (target - wind) % 4 != 3):
        raise PositionError(f"{where} has {text!r}: {kind} cannot come from {WINDS[target]}")
    return Meld(kind, tuple(sorted(tiles)), tiles[0], Seat(target), order), stated


def _rules(value: object) -> Ruleset:
    if isinstance(value, str):
        try:
            return rules_of(value)
        except RulesError as error:
            raise PositionError(str(error)) from None
    if not isinstance(value, dict):
        raise PositionError(f"rules is {shorten(value)}: expected a name or a JSON object")
    known = {f.name: f.type for f in fields(Ruleset)}
    changes = _mapping(value, "rules", tuple(known))
    for name, stated in changes.items():
        wanted = type(getattr(TENHOU, name))
        if type(stated) is not wanted:
            raise PositionError(f"rules.{name} is {shorten(stated)}: expected {wanted.__name__}")
        if wanted is int:
            _integer(stated, f"rules.{name}", *_RULES.get(name, (0, 1_000_000)))
    return TENHOU.but(**changes)


def _order(value: object) -> tuple[int, ...] | None:
    if value is None:
        return None
    text = _text(value, "order")
    return tuple(_wind(token, "order") for token in text.split())


def _mapping(value: object, where: str, known: Sequence[str] | None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise PositionError(f"{where} is not a JSON object")
    for key in value:
        if known is not None and key not in known:
            raise PositionError(
                f"{where} has an unknown field {shorten(key)}: known are {' '.join(known)}"
            )
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise PositionError(f"{where} is {shorten(value)}: expected a text")
    if len(value) > 500:
        raise PositionError(f"{where} is a text of {len(value)} characters: 500 are enough")
    return value


def _integer(value: object, where: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise PositionError(f"{where} is {shorten(value)}: expected a whole number {low} to {high}")
    return value


def _boolean(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise PositionError(f"{where} is {shorten(value)}: expected true or false")
    return value


def _wind(value: object, where: str) -> int:
    try:
        return parse_wind(_text(value, where))
    except PositionError as error:
        raise PositionError(f"{where}: {error}") from None


def _tiles(value: object, where: str) -> tuple[Tile, ...]:
    try:
        return parse_tiles(_text(value, where))
    except TileError as error:
        raise PositionError(f"{where}: {error}") from None


def _tile(value: object, where: str) -> Tile:
    try:
        return Tile.parse(_text(value, where))
    except TileError as error:
        raise PositionError(f"{where}: {error}") from None


def _mask(value: object, where: str) -> int:
    mask = 0
    for tile in _tiles(value, where):
        mask |= 1 << tile.kind
    return mask


# -- writing -------------------------------------------------------------------------------


def write_position(position: Position) -> dict[str, Any]:
    """The JSON value of a position; inverse of ``read_position``."""
    hand = list(position.hand)
    if position.drawn is not None and position.drawn in hand:
        hand.remove(position.drawn)
    out: dict[str, Any] = {
        "rules": _write_rules(position.rules),
        "round": round_name(position.kyoku) if position.kyoku < 16 else position.kyoku,
        "honba": position.honba,
        "sticks": position.sticks,
        "seat": WINDS[-position.dealer % 4],
        "indicators": "".join(map(str, position.indicators)),
        "hand": format_tiles(hand),
    }
    if position.drawn is not None:
        out["drawn"] = str(position.drawn)
    players: dict[str, dict[str, Any]] = {}
    for wind in range(4):
        r = (wind + position.dealer) % 4
        players[WINDS[wind]] = _write_player(position.players[r], position.dealer)
    out["players"] = players
    # Write only what ``read_position`` does not derive.
    derived = read_position(out)
    for name in ("draws_left", "to_act", "after_kan"):
        if getattr(derived, name) != getattr(position, name):
            out[name] = getattr(position, name)
    for wind in range(4):
        r = (wind + position.dealer) % 4
        have, want, one = derived.players[r], position.players[r], players[WINDS[wind]]
        if have.ippatsu != want.ippatsu:
            one["ippatsu"] = want.ippatsu
        if have.concealed != want.concealed:
            one["concealed"] = want.concealed
        if have.passed_mask != want.passed_mask:
            one["passed"] = _write_mask(want.passed_mask)
        if have.riichi_mask != want.riichi_mask:
            one["passed_since_riichi"] = _write_mask(want.riichi_mask)
    return out


def _write_player(player: PlayerView, dealer: int) -> dict[str, Any]:
    one: dict[str, Any] = {"score": player.score}
    if player.river:
        one["river"] = " ".join(
            f"{t.tile}{'*' * t.tsumogiri}{'!' * t.riichi}"
            + ("" if t.called_by is None else "^" + WINDS[(t.called_by - dealer) % 4])
            for t in player.river
        )
    if player.melds:
        one["melds"] = [_write_meld(meld, dealer) for meld in player.melds]
    if player.riichi_index == len(player.river):
        one["riichi"] = True
    return one


def _write_meld(meld: Meld, dealer: int) -> str:
    if meld.called is None or meld.target is None:
        return f"{meld.kind} {format_tiles(meld.tiles)} @{meld.order}"
    rest = list(meld.tiles)
    rest.remove(meld.called)
    source = WINDS[(meld.target - dealer) % 4]
    return f"{meld.kind} {meld.called}{format_tiles(rest)} from {source}"


def _write_rules(rules: Ruleset) -> str | dict[str, Any]:
    for name, known in NAMED.items():
        if rules == known:
            return name
    return {
        f.name: getattr(rules, f.name)
        for f in fields(Ruleset)
        if getattr(rules, f.name) != getattr(TENHOU, f.name)
    }


def _write_mask(mask: int) -> str:
    return "".join(str(TILES[Kind(k)]) for k in range(34) if mask >> k & 1)
