"""From a deal-in model's answers to ``DealInRisks``, for many positions at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from haiyomi.analysis.value import DealInRisks, DiscardRisk
from haiyomi.dealin.answer import DealIn, DealInModel, Opponents, TileRisk
from haiyomi.game.kuikae import swapped_kinds
from haiyomi.game.position import Position
from haiyomi.kernels.shanten import shanten
from haiyomi.tiles import Tile, kind_counts, tile_order

if TYPE_CHECKING:
    from haiyomi.networks.opponents import OpponentOutputs


class Known(NamedTuple):
    """What a deal-in model says of one position: what its network has ``seen`` of the opponents,
    which other models may take (None where it has no network), and the ``risks``."""

    seen: OpponentOutputs | None
    risks: DealInRisks


def risks_of(
    model: DealInModel, found: Sequence[Opponents], answers: Sequence[DealIn] | None = None
) -> list[DealInRisks]:
    """The risks of each position that the model has read; ``answers``: those of their hands, where
    they are at hand."""
    positions = [each.position for each in found]
    if answers is None:
        answers = [each.deal_in() for each in found]
    tiles = [sorted(answer.risks, key=tile_order) for answer in answers]
    kans = _kans(model, positions)
    return [
        DealInRisks(
            answer.model,
            answer.tenpai,
            _choices(position, answer, each, left),
            kans.get(number, ()),
        )
        for number, (position, answer, each, left) in enumerate(
            zip(positions, answers, tiles, shanten_after(positions, tiles), strict=True)
        )
    ]


def risks_at(found: Opponents, tiles: Sequence[Tile]) -> DealInRisks:
    """The risks of some tiles at a position that the model has read, whoever holds them."""
    return risks_in(found.deal_in(tiles), tiles)


def risks_in(answer: DealIn, tiles: Sequence[Tile]) -> DealInRisks:
    """The risks of the tiles that an answer is about."""
    choices = tuple(choice_of(tile, answer.risks[tile]) for tile in tiles)
    return DealInRisks(answer.model, answer.tenpai, choices)


def _choices(
    position: Position, answer: DealIn, tiles: Sequence[Tile], left: Sequence[int | None]
) -> tuple[DiscardRisk, ...]:
    swaps = swapped_kinds(position)
    return tuple(
        choice_of(tile, answer.risks[tile], tile.kind not in swaps, shanten)
        for tile, shanten in zip(tiles, left, strict=True)
    )


def choice_of(
    tile: Tile,
    risks: tuple[TileRisk, TileRisk, TileRisk],
    allowed: bool = True,
    shanten: int | None = None,
) -> DiscardRisk:
    """A tile with its risks against the three opponents put together."""
    a, b, c = risks
    p, q, r = a.probability, b.probability, c.probability
    risk = 1.0 - (1.0 - p) * (1.0 - q) * (1.0 - r)
    loss = a.expected_loss + b.expected_loss + c.expected_loss
    return DiscardRisk(tile, risks, risk, p + q + r, loss, allowed, shanten)


def _kans(model: DealInModel, positions: Sequence[Position]) -> dict[int, tuple[DiscardRisk, ...]]:
    """By number of the position, the tiles that its viewer may add to a pon."""
    adding = {number: tiles for number, p in enumerate(positions) if (tiles := added_tiles(p))}
    if not adding:
        return {}
    # Winning on an added kan is itself a yaku (chankan), so its tiles are asked about apart.
    robbed = model.read([positions[number] for number in adding], chankan=True)
    out = {}
    for (number, tiles), found in zip(adding.items(), robbed, strict=True):
        answer = found.deal_in(tiles)
        out[number] = tuple(choice_of(tile, answer.risks[tile]) for tile in tiles)
    return out


def added_tiles(position: Position) -> tuple[Tile, ...]:
    """The tiles of the viewer's hand that it may add to a pon of its own now, ascending."""
    if position.drawn is None or position.draws_left == 0:
        return ()
    pons = {m.tiles[0].kind for m in position.players[0].melds if m.kind == "pon"}
    return tuple(sorted({t for t in position.hand if t.kind in pons}, key=tile_order))


def shanten_after(
    positions: Sequence[Position], tiles: Sequence[Sequence[Tile]]
) -> list[tuple[int | None, ...]]:
    """The shanten left by discarding each of some tiles of each viewer's hand, 0 tenpai to 8;
    None for each where the viewer is not to discard. Shanten: how many tiles the hand must
    exchange to reach tenpai.
    """
    out: list[tuple[int | None, ...]] = [(None,) * len(each) for each in tiles]
    queries = [i for i, p in enumerate(positions) if len(p.hand) % 3 == 2 and tiles[i]]
    if not queries:
        return out
    counts = np.array([kind_counts(positions[i].hand) for i in queries], np.uint8)
    after = np.repeat(counts, [len(tiles[i]) for i in queries], axis=0)
    after[np.arange(len(after)), [tile.kind for i in queries for tile in tiles[i]]] -= 1
    left = iter(shanten(after).tolist())
    for i in queries:
        out[i] = tuple(next(left) for _ in tiles[i])
    return out
