"""A deal-in model's answer for one position."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.dealin.answer import DealIn, DealInModel
from haiyomi.game.position import Position
from haiyomi.tiles import Tile


def assess(
    model: DealInModel,
    position: Position,
    tiles: Sequence[Tile] | None = None,
    chankan: bool = False,
) -> DealIn:
    """A model's answer for one position: a batch of one."""
    answer: DealIn = model.read([position], chankan)[0].deal_in(tiles)
    return answer
