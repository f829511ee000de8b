"""What makes up the risk of a tile in words, ``58% 4-7p two-sided, 17% ...``, or why it is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from haiyomi.review.words import Words
from haiyomi.tiles import TILES, kind_name

if TYPE_CHECKING:
    from haiyomi.dealin.answer import TileRisk, WaitShare

WORTH_NAMING: Final = 0.02
"""The risk from which the waits of a discard are named."""
MOST: Final = 4
LEAST: Final = 0.05
"""Waits named of a discard, and the share of the risk from which one is."""
MOST_ASKED: Final = 6
LEAST_ASKED: Final = 0.02
"""The same where somebody asks for one tile."""


def waits_named(shares: Sequence[WaitShare], words: Words) -> list[str]:
    """The likeliest waits behind the risk of a discard: ``58% 4-7p two-sided``, ..."""
    return _shares_named(shares, words, MOST, LEAST)


def why_line(risk: TileRisk, waits: Sequence[WaitShare], words: Words) -> str:
    """All that makes up an opponent's risk of a tile, or why it is none."""
    if risk.reason is not None:
        return words.safe[risk.reason]
    parts = words.and_.join(_shares_named(waits, words, MOST_ASKED, LEAST_ASKED))
    return parts or words.no_wait


def _shares_named(shares: Sequence[WaitShare], words: Words, most: int, least: float) -> list[str]:
    shown = [w for w in shares[:most] if w.share >= least]
    parts = [f"{w.share:.0%} {wait_name(w, words)}" for w in shown]
    rest = 1.0 - sum(w.share for w in shown)
    if shown and rest >= 0.005:
        parts.append(f"{rest:.0%} {words.wait_names[6]}")
    return parts


def wait_name(wait: WaitShare, words: Words) -> str:
    """``4-7p two-sided``, ``E-shanpon`` (the other pair), ``57s kanchan``."""
    names = words.wait_names
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
    kanchan = wait.held[1] - wait.held[0] == 2
    return f"{held[0][0]}{held[1]} {names[2] if kanchan else names[3]}"
