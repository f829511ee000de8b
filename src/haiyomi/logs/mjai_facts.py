"""What the messages of mjai state although the replay gives it, too."""

from __future__ import annotations

from typing import Any

from haiyomi.events import AbortiveDraw, Event, ExhaustiveDraw, Kakan, RiichiAccepted, Win
from haiyomi.logs import fields
from haiyomi.logs.mjai_names import DRAGONS, LIMITS, YAKUMAN_FAN, yaku_id
from haiyomi.logs.stated import HIDDEN, Facts, StatedMeld, StatedWorth
from haiyomi.tiles import Seat, Tile


def message_facts(event: Event, m: dict[str, Any], kyoku: int) -> Facts | None:
    """The facts of an event's message in round ``kyoku``. Raises ValueError, TileError."""
    if isinstance(event, Kakan):
        if m.get("consumed") is None:
            return None
        pon = _codes(fields.array(m["consumed"], "consumed", 3))
        return Facts(meld=StatedMeld(tuple(sorted((*pon, event.tile.code)))))
    if not isinstance(event, RiichiAccepted | Win | AbortiveDraw | ExhaustiveDraw):
        return None
    facts = Facts()
    if m.get("scores") is not None:
        facts.after = fields.points(m["scores"], "scores")
    if m.get("deltas") is not None:
        facts.paid = fields.points(m["deltas"], "deltas")
    if isinstance(event, Win):
        _win(facts, event, m, kyoku)
    elif not isinstance(event, RiichiAccepted):
        facts.actor = fields.seat(m["actor"], "actor") if m.get("actor") is not None else None
        if m.get("tehais") is not None:
            hands = fields.array(m["tehais"], "tehais", 4)
            facts.hands = {Seat(s): _codes(hand) for s, hand in enumerate(hands)}
    return facts


def _win(facts: Facts, win: Win, m: dict[str, Any], kyoku: int) -> None:
    if m.get("hora_tehais") is not None:
        facts.hands = {win.seat: _codes(m["hora_tehais"])}
    markers = [m[k] for k in ("uradora_markers", "ura_markers") if m.get(k) is not None]
    if any(other != markers[0] for other in markers):
        facts.problem = "uradora_markers and ura_markers differ"
    elif any(markers) and not win.ura:
        facts.problem = f"seat {win.seat} shows ura indicators without riichi"
    if m.get("yakus") == []:
        facts.problem = "a win without a yaku"
    limit = False
    for name, fan in m.get("yakus") or ():
        ident = yaku_id(name, win.seat, kyoku)
        if ident is None and name != DRAGONS:
            facts.problem = f"no yaku of the name {str(name)[:40]!r} is known"
        elif ident in LIMITS:
            limit = True
            if fan not in (YAKUMAN_FAN, 13):
                facts.problem = f"{fan} fan of {name}, which is a yakuman"
    if m.get("yakus") and win.yaku is None and facts.problem is None:
        facts.problem = f"{DRAGONS} is stated for a hand without so many triplets of dragons"
    if m.get("fan") is not None:
        fan = fields.integer(m["fan"], 0, 9999, "fan")
        yakuman, rest = divmod(fan, YAKUMAN_FAN)
        facts.worth = StatedWorth(han=(13 * yakuman if limit and not rest else fan,))


def _codes(tiles: object) -> tuple[int, ...]:
    row = fields.array(tiles, "hand")
    return tuple(HIDDEN if tile == "?" else Tile.from_mjai(tile).code for tile in row)
