"""What makes up the risk of a tile in words, ``58% 4-7p two-sided, 17% ...``, or why it is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from haiyomi.review.words import LANGUAGES, Words
from haiyomi.tiles import TILES, kind_name

if TYPE_CHECKING:
    from haiyomi.dealin.answer import TileRisk, WaitShare, ZeroReason

WORTH_NAMING: Final = 0.02
"""The risk from which the waits of a discard are named."""
MOST: Final = 4
LEAST: Final = 0.05
"""Waits named of a discard, and the share of the risk from which one is."""
MOST_ASKED: Final = 6
LEAST_ASKED: Final = 0.02
"""The same where somebody asks for one tile."""
NAMES: Final = {
    "en": ("two-sided", "shanpon", "closed", "edge", "single", "thirteen orphans", "others"),
    "ja": ("両面", "双碰", "嵌張", "辺張", "単騎", "国士", "他"),
}
SAFE: Final[dict[str, dict[ZeroReason, str]]] = {
    "en": {
        "river": "safe: it is in this player's own discards (genbutsu, furiten)",
        "passed-riichi": "safe: this player let it pass after riichi (furiten)",
        "passed-turn": "safe: this player let it pass since the last own discard (furiten)",
        "no-hand": "safe: no hand that the unseen tiles and the melds allow waits on it",
    },
    "ja": {
        "river": "安全: この家の現物 (フリテン)",
        "passed-riichi": "安全: 立直後に見逃した牌 (フリテン)",
        "passed-turn": "安全: 直前の打牌以降に見逃した牌 (フリテン)",
        "no-hand": "安全: 見えていない牌と鳴きからは当たる手があり得ない",
    },
}
NO_WAIT: Final = {"en": "no wait that its weights know of", "ja": "モデルの知る待ちではない"}


def waits_named(shares: Sequence[WaitShare], words: Words) -> list[str]:
    """The likeliest waits behind the risk of a discard: ``58% 4-7p two-sided``, ..."""
    return _shares_named(shares, words, MOST, LEAST)


def why_line(risk: TileRisk, waits: Sequence[WaitShare], words: Words) -> str:
    """All that makes up an opponent's risk of a tile, or why it is none."""
    if risk.reason is not None:
        return SAFE[_language(words)][risk.reason]
    parts = ", ".join(_shares_named(waits, words, MOST_ASKED, LEAST_ASKED))
    return parts or NO_WAIT[_language(words)]


def _language(words: Words) -> str:
    return "en" if words is LANGUAGES["en"] else "ja"


def _shares_named(shares: Sequence[WaitShare], words: Words, most: int, least: float) -> list[str]:
    shown = [w for w in shares[:most] if w.share >= least]
    parts = [f"{w.share:.0%} {wait_name(w, words)}" for w in shown]
    rest = 1.0 - sum(w.share for w in shown)
    if shown and rest >= 0.005:
        parts.append(f"{rest:.0%} {NAMES[_language(words)][6]}")
    return parts


def wait_name(wait: WaitShare, words: Words) -> str:
    """``4-7p two-sided``, ``E-shanpon`` (the other pair), ``57s closed``."""
    names = NAMES[_language(words)]
    wins = [kind_name(k) if k < 27 else words.tile(TILES[k]) for k in wait.wins]
    if wait.shape == "two-sided":
        return f"{wins[0][0]}-{wins[1]} {names[0]}"
    if wait.shape == "shanpon":
        return f"{wins[1]}-{names[1]}" if len(wins) > 1 else names[1]
    if wait.shape == "single":
        return names[4]
    if wait.shape == "orphans":
        return names[5]
    held = [kind_name(k) for k in wait.held]
    closed = wait.held[1] - wait.held[0] == 2
    return f"{held[0][0]}{held[1]} {names[2] if closed else names[3]}"
