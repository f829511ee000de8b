"""How near the viewer's own hand is to winning after each discard.

*Shanten* is how many tiles the hand must exchange to reach tenpai, itself 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.game.position import Position
from haiyomi.tiles import Tile, kind_counts


def shanten_after(position: Position, tiles: Sequence[Tile]) -> tuple[int | None, ...]:
    """The shanten left by discarding each tile of the viewer's hand, 0 tenpai to 8; None for
    each where the viewer is not to discard.
    """
    if len(position.hand) % 3 != 2 or not tiles:
        return (None,) * len(tiles)
    import numpy as np

    from haiyomi.kernels.shanten import shanten

    discards = np.eye(34, dtype=np.uint8)[[tile.kind for tile in tiles]]
    return tuple(shanten(np.array(kind_counts(position.hand), np.uint8) - discards).tolist())
