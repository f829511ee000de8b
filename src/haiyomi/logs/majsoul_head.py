"""The head of a Mahjong Soul record: rules, names, final scores."""

from __future__ import annotations

import json

from haiyomi.errors import UnsupportedError
from haiyomi.events import FourScores, Header
from haiyomi.logs import fields
from haiyomi.logs.stated import Stated
from haiyomi.rules import MAHJONG_SOUL, Ruleset

THREE = "is a three-player record, which haiyomi does not read"
_ROUNDS = {1: 1, 2: 2}
"""Four players' modes: East only, East and South."""
_SPECIAL = (
    "guyi_mode", "dora3_mode", "begin_open_mode", "jiuchao_mode", "muyu_mode", "open_hand",
    "xuezhandaodi", "huansanzhang", "chuanma", "reveal_discard", "field_spell_mode", "zhanxing",
    "tianming_mode", "yongchang_mode", "hunzhiyiji_mode", "have_toutiao",
)  # fmt: skip
"""Rules of friendly rooms, contests and events under which haiyomi reads no record."""
_FIXED = {
    "liqibang_value": 1000, "changbang_value": 100, "noting_fafu_1": 1000, "noting_fafu_2": 1500,
    "noting_fafu_3": 3000, "have_biao_dora": 1, "have_gang_biao_dora": 1, "have_li_dora": 1,
    "have_gang_li_dora": 1, "have_yifa": 1,
}  # fmt: skip
"""Rules that a room may change and haiyomi does not: the value that each must have."""


def header_of(head: dict[str, object] | None, stated: Stated | None) -> Header:
    """The header of a head; without one, that of an unknown hanchan.

    Raises UnsupportedError or ValueError. The points for places go to ``stated``, if given.
    """
    if head is None:
        if stated is not None:
            stated.lacks_end = "head"
        return Header(rules=MAHJONG_SOUL)
    rules = _rules(fields.mapping(head.get("config") or {}, "config"))
    names = ["", "", "", ""]
    for each in fields.array(head.get("accounts") or [], "accounts"):
        account = fields.mapping(each, "account")
        seat = fields.seat(account.get("seat", 0))
        names[seat] = fields.text(account.get("nickname", ""), "nickname")
    a, b, c, d = names
    uuid = head.get("uuid")
    extra = (("ref", json.dumps(uuid)),) if isinstance(uuid, str) and uuid else ()
    return Header((a, b, c, d), rules, _final(head, stated), extra)


def _final(head: dict[str, object], stated: Stated | None) -> FourScores | None:
    result = fields.mapping(head.get("result") or {}, "result")
    players = fields.array(result.get("players") or [], "players")
    if not players:
        if stated is not None:
            stated.lacks_end = "result"
        return None
    if len(players) == 3:
        raise UnsupportedError(THREE)
    final, points = [0] * 4, [0.0] * 4
    for each in players:
        player = fields.mapping(each, "player")
        seat = fields.seat(player.get("seat", 0))
        most = fields.MOST_POINTS
        final[seat] = fields.integer(player.get("part_point_1", 0), -most, most, "score")
        points[seat] = fields.integer(player.get("total_point", 0), -most, most, "points") / 1000
    if stated is not None:
        stated.results = tuple(points)
    return fields.points(final, "final scores")


def _rules(config: dict[str, object]) -> Ruleset:
    mode = fields.mapping(config.get("mode") or {}, "mode")
    number = fields.integer(mode.get("mode", 2), 0, 1000, "mode")
    if 10 < number < 20:
        raise UnsupportedError(THREE, value=number)
    if number not in _ROUNDS:
        raise UnsupportedError("is a Mahjong Soul record of another kind of game", value=number)
    rules = MAHJONG_SOUL.but(rounds=_ROUNDS[number])
    meta = fields.mapping(config.get("meta") or {}, "meta")
    rule = fields.mapping(mode.get("detail_rule") or {}, "detail_rule")
    for name in _SPECIAL:
        if rule.get(name):
            raise UnsupportedError("is a Mahjong Soul record of other rules", value=name)
    # A ranked game has the ranked rules, whatever stands in the fields; a room names all of its.
    if meta.get("mode_id") or not rule.get("init_point"):
        return rules
    for name, value in _FIXED.items():
        if rule.get(name, 0) != value:
            raise UnsupportedError(f"is a Mahjong Soul record of other rules ({name})")
    reds = fields.integer(rule.get("dora_count", 0), 0, 100, "dora_count")
    if reds not in (0, 3):
        raise UnsupportedError(f"is a Mahjong Soul record with {reds} red fives")
    most = fields.MOST_POINTS
    return rules.but(
        red_fives=reds == 3,
        kuitan=bool(rule.get("shiduan")),
        start_points=fields.integer(rule["init_point"], 0, most, "init_point"),
        target_points=fields.integer(rule.get("fandian", 0), 0, most, "fandian"),
        tobi=bool(rule.get("can_jifei")),
        multiple_yakuman=not rule.get("disable_multi_yukaman"),
        double_yakuman=not (
            rule.get("disable_multi_yukaman") or rule.get("disable_double_yakuman")
        ),
        kiriage=bool(rule.get("have_qieshangmanguan")),
        triple_ron=not rule.get("have_sanjiahele"),
        immediate_kan_dora=bool(rule.get("ming_dora_immediately_open")),
    )
