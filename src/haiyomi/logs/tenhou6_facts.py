"""What a hand of Tenhou's JSON states although the replay gives it, too."""

from __future__ import annotations

from typing import Any

from haiyomi.events import AbortiveDraw, ExhaustiveDraw, Hand, Kakan, Win
from haiyomi.logs import fields
from haiyomi.logs.stated import Facts, StatedMeld, StatedWorth
from haiyomi.logs.tenhou6_merge import marked
from haiyomi.logs.tenhou6_result import WORTH, known_yaku
from haiyomi.tiles import Seat

_CLASSES = {
    "満貫": 1, "跳満": 2, "倍満": 3, "三倍満": 4, "切り上げ満貫": 1, "mangan": 1, "haneman": 2,
    "baiman": 3, "sanbaiman": 4, "kiriage mangan": 1, "rounded mangan": 1, "yakuman": 5,
}  # fmt: skip
_COUNTED = ("数え役満", "kazoe yakuman", "counted yakuman")


def hand_facts(entry: list[Any], hand: Hand) -> dict[int, Facts]:
    """The facts of a hand's row, by the number of the event. Raises ValueError, TileError."""
    facts: dict[int, Facts] = {}
    result = entry[16]
    brackets = {bracket[0]: bracket for bracket in result[2::2]}
    for i, event in enumerate(hand.events):
        if isinstance(event, Kakan):
            facts[i] = Facts(meld=_kan(entry[6 + 3 * event.seat], event))
        elif isinstance(event, Win):
            facts[i] = _win(event, brackets[event.seat], hand.start.dealer)
        elif isinstance(event, AbortiveDraw | ExhaustiveDraw):
            facts[i] = Facts()
            if len(result) > 1:
                facts[i].paid = fields.points(result[1], "changes")
    last = len(hand.events) - 1
    if entry[3] and not any(isinstance(e, Win) and e.ura for e in hand.events):
        facts[last].problem = "ura indicators are stated, but nobody won in riichi"
    return facts


def _kan(row: list[Any], kan: Kakan) -> StatedMeld:
    """The set that an added kan names: ``12k121212`` marks the added tile, behind it stands the
    one that was called, in the place of who gave it."""
    for entry in row:
        if not isinstance(entry, str) or "k" not in entry:
            continue
        _, index, tiles = marked(entry)
        if tiles[index] == kan.tile:
            called = tiles[index + 1].code if index < 3 else None
            giver = Seat((kan.seat + 3 - index) % 4)
            return StatedMeld(tuple(sorted(tile.code for tile in tiles)), called, giver)
    raise ValueError("an added kan that no row tells")


def _win(win: Win, bracket: list[Any], dealer: Seat) -> Facts:
    facts = Facts()
    for text in bracket[4:]:
        if known_yaku(text) is None:
            facts.problem = f"no yaku of the name {text[:40]!r} is known"
    liable = bracket[2] if len(bracket) > 2 else None
    if len(bracket) > 3:
        match = WORTH.fullmatch(bracket[3])
        assert match is not None  # the reader has read it
        first, second, everyone = int(match[4]), match[5], bool(match[6])
        parts = win.tsumo and win.seat != dealer, win.tsumo and win.seat == dealer
        if win.pao is None and (second is not None, everyone) != parts:
            facts.problem = f"{bracket[3]!r} is not how such a win is paid"
        head = (match[3] or "").strip().lower()
        limit = _CLASSES.get(head, 5 if head.endswith(("役満", *_COUNTED)) else None)
        if head and limit is None:
            facts.problem = f"{head!r} is the name of no limit"
        facts.worth = StatedWorth(
            limit,
            head in _COUNTED if limit == 5 else None,
            () if match[2] is None else (int(match[2]),),
            (first, None if second is None else int(second)) if win.tsumo else None,
            liable == win.seat,
        )
    return facts
