"""The outcomes of a decision by the tile that goes, riichi or not: a column of a review's table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haiyomi.analysis.value import Analysis
from haiyomi.tiles import Tile

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome


def by_discard(analysis: Analysis) -> dict[Tile, list[Outcome]]:
    """The options that discard each tile, riichi or not, the better one first."""
    found: dict[Tile, list[Outcome]] = {}
    for outcome in analysis.outcomes or ():
        if outcome.option.act in ("discard", "riichi"):
            found.setdefault(outcome.option.tiles[0], []).append(outcome)
    return found


def share_of(outcomes: list[Outcome]) -> float | None:
    """How many strong players choose one of some options."""
    known = [outcome.share for outcome in outcomes if outcome.share is not None]
    return sum(known) if known else None
