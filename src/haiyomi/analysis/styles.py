"""What players of each style would discard, for many positions at once."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.game.kuikae import swapped_kinds
from haiyomi.game.position import Position
from haiyomi.styles.discards import StyleShares, discard_shares_of
from haiyomi.styles.policy import Policy
from haiyomi.tiles import tile_order


def styles_of(policy: Policy, positions: Sequence[Position]) -> list[tuple[StyleShares, ...]]:
    """The policy of all players first, then each class of players; empty where there is no
    choice of a discard."""
    queries = []
    for position in positions:
        swaps = swapped_kinds(position)
        tiles = sorted(set(position.hand), key=tile_order)
        queries.append((position, [tile for tile in tiles if tile.kind not in swaps]))
    return discard_shares_of(queries, policy)
