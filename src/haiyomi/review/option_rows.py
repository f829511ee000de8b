"""The outcomes of a decision by the tile that goes, riichi or not: a column of a review's table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haiyomi.analysis.value import Analysis
from haiyomi.tiles import Tile

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome


def best_discard(analysis: Analysis, tile: Tile) -> Outcome | None:
    """Of the options that discard a tile, riichi or not, the better one."""
    return next((o for o in analysis.outcomes or () if _discards(o, tile)), None)


def share_of(analysis: Analysis, tile: Tile) -> float | None:
    """How many strong players discard a tile, riichi or not."""
    shares = [o.share for o in analysis.outcomes or () if _discards(o, tile)]
    known = [share for share in shares if share is not None]
    return sum(known) if known else None


def _discards(outcome: Outcome, tile: Tile) -> bool:
    return outcome.option.act in ("discard", "riichi") and outcome.option.tiles == (tile,)
