"""The waits behind the risks of dangerous tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from haiyomi.analysis.deal_in import risks_in
from haiyomi.analysis.value import DealInRisks, TileWaits
from haiyomi.dealin.answer import DealIn, DealInModel
from haiyomi.game.position import Position
from haiyomi.tiles import Tile

FROM_RISK: Final = 0.02
"""The risk of a tile from which its waits are computed, by default."""
FROM_OPPONENT: Final = 0.01
"""The risk against one opponent from which the waits of this opponent are computed."""


def waits_of(
    answers: Sequence[DealIn],
    risks: Sequence[DealInRisks],
    from_risk: float = FROM_RISK,
    tiles: Sequence[Tile | None] | None = None,
) -> list[tuple[TileWaits, ...]]:
    """The waits of each tile of each position whose risk is at least ``from_risk``; with
    ``tiles``, of one tile of each position only, of none where it is None."""
    return [
        tuple(
            waits
            for choice in each.choices
            if choice.risk >= from_risk and (tiles is None or choice.tile == tiles[number])
            if any((waits := tile_waits(answer, choice.tile)).by_opponent)
        )
        for number, (answer, each) in enumerate(zip(answers, risks, strict=True))
    ]


def tile_waits(answer: DealIn, tile: Tile) -> TileWaits:
    """The waits of a tile by relative seat 1, 2, 3."""
    a, b, c = (answer.waits.get((seat, tile.kind), ()) for seat in (1, 2, 3))
    return TileWaits(tile, (a, b, c))


def waits_at(model: DealInModel, position: Position, tile: Tile) -> tuple[DealInRisks, TileWaits]:
    """The risk of one tile, which need not be in the hand, and the waits it is made of for each
    opponent that can win on it."""
    (found,) = model.read([position])
    answer = found.deal_in([tile], 0.0)
    return risks_in(answer, [tile]), tile_waits(answer, tile)
