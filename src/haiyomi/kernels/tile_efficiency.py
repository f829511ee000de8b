"""Tile efficiency: what each discard of a hand leaves."""

from __future__ import annotations

from haiyomi import _core
from haiyomi.arrays import Bytes
from haiyomi.kernels.counts import Counts, as_rows


def tile_efficiency(counts: Counts, unseen: Counts) -> Bytes:
    """The tile efficiency of each discard of each hand.

    ``counts`` (n, 34): rows of 2, 5, 8, 11 or 14 tiles; ``unseen`` (n, 34) how many of each
    kind are left. Returns (n, 34, 4) uint8: the shanten after the discard (255 where the kind
    is not held), the unseen tiles that lower it, their kinds and, for discards of the least
    shanten above tenpai, four times the mean number of useful tiles after a useful draw and the
    best next discard. Raises ValueError naming the first bad row.
    """
    return _core.tile_efficiency(as_rows(counts), as_rows(unseen))
