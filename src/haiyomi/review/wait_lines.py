"""The waits that make up the risk of a tile, in words: ``58% 4-7p two-sided, 17% ...``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from haiyomi.game.position import Position
from haiyomi.review.words import LANGUAGES, Words
from haiyomi.tiles import TILES

if TYPE_CHECKING:
    from haiyomi.dealin.answer import DealInModel
    from haiyomi.dealin.explain import WaitShare

NameWaits = Callable[[Position, int, int], str]
"""A position, a relative seat and a kind of tile -> the likeliest waits in words, or nothing."""
WORTH_NAMING: Final = 0.02
"""The risk from which the waits of a discard are named."""
DRAWS: Final = 300
MOST: Final = 4
LEAST: Final = 0.05
"""Waits named, and the share of the risk from which one is."""
NAMES: Final = {
    "en": ("two-sided", "shanpon", "closed", "edge", "single", "thirteen orphans", "others"),
    "ja": ("両面", "双碰", "嵌張", "辺張", "単騎", "国士", "他"),
}


def waits_by(model: DealInModel, words: Words) -> NameWaits | None:
    """What names the waits behind a model's risks; none where the model cannot."""
    from haiyomi.dealin.posterior_model import PosteriorModel

    if not isinstance(model, PosteriorModel):
        return None
    known = model
    names = NAMES["en" if words is LANGUAGES["en"] else "ja"]

    def name(position: Position, seat: int, kind: int) -> str:
        from haiyomi.dealin.explain import wait_shares

        shares = wait_shares(known.opponents(position).readings.rows[seat - 1], kind, DRAWS)
        shown = [w for w in shares[:MOST] if w.share >= LEAST]
        said = [f"{w.share:.0%} {wait_name(w, words)}" for w in shown]
        rest = 1.0 - sum(w.share for w in shown)
        if shown and rest >= 0.005:
            said.append(f"{rest:.0%} {names[6]}")
        return ", ".join(said)

    return name


def wait_name(wait: WaitShare, words: Words) -> str:
    """``4-7p two-sided``, ``E-shanpon`` (the other pair), ``57s closed``."""
    from haiyomi.tiles import kind_name

    names = NAMES["en" if words is LANGUAGES["en"] else "ja"]
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
