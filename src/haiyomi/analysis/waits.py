"""The waits behind the risks of dangerous tiles, for many positions at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from haiyomi.analysis.deal_in import risks_at
from haiyomi.analysis.value import DealInRisks, TileWaits
from haiyomi.dealin.answer import DealInModel, Opponents, WaitShare
from haiyomi.game.position import Position
from haiyomi.tiles import Seat, Tile

FROM_RISK: Final = 0.02
"""The risk of a tile from which its waits are computed, by default."""
FROM_OPPONENT: Final = 0.01
"""The risk against one opponent from which the waits of this opponent are computed."""


def waits_of(
    model: DealInModel,
    found: Sequence[Opponents],
    risks: Sequence[DealInRisks],
    from_risk: float = FROM_RISK,
    tiles: Sequence[Tile | None] | None = None,
) -> list[tuple[TileWaits, ...]]:
    """The waits of each tile of each position whose risk is at least ``from_risk``; with
    ``tiles``, of one tile of each position only, of none where it is None."""
    queries = [
        (number, choice.tile, risk.opponent)
        for number, each in enumerate(risks)
        for choice in each.choices
        if choice.risk >= from_risk and (tiles is None or choice.tile == tiles[number])
        for risk in choice.by_opponent
        if risk.probability >= FROM_OPPONENT
    ]
    questions = [(found[number], seat, tile.kind) for number, tile, seat in queries]
    by_tile: list[dict[Tile, dict[Seat, tuple[WaitShare, ...]]]] = [{} for _ in risks]
    for (number, tile, seat), shares in zip(queries, model.wait_shares(questions), strict=True):
        if shares:
            by_tile[number].setdefault(tile, {})[seat] = shares
    return [
        tuple(tile_waits(tile, by_seat) for tile, by_seat in waits.items()) for waits in by_tile
    ]


def tile_waits(tile: Tile, by_seat: dict[Seat, tuple[WaitShare, ...]]) -> TileWaits:
    """The waits of a tile by relative seat 1, 2, 3."""
    a, b, c = (by_seat.get(Seat(seat), ()) for seat in (1, 2, 3))
    return TileWaits(tile, (a, b, c))


def waits_at(model: DealInModel, position: Position, tile: Tile) -> tuple[DealInRisks, TileWaits]:
    """The risk of one tile, which need not be in the hand, and the waits it is made of for each
    opponent that can win on it."""
    (found,) = model.read([position])
    risks = risks_at(found, [tile])
    seats = [risk.opponent for risk in risks[tile].by_opponent if risk.reason is None]
    shares = model.wait_shares([(found, seat, tile.kind) for seat in seats])
    return risks, tile_waits(tile, dict(zip(seats, shares, strict=True)))
