"""Hands that hold the sets of a yakuman before they are tenpai. The networks hardly know them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haiyomi.arrays import Ints
from haiyomi.events import Discard
from haiyomi.game.position import Position
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.tiles import kind_counts


def holds_yakuman(block: OptionBlock) -> Ints:
    """The options that leave a hand with three of each dragon, or with three of three winds and a
    pair of the fourth: big three dragons, and little or big four winds."""
    found = []
    sure = [_sure_of_yakuman(_all_tiles(d.position), 1) for d in block.decisions]
    for i in np.flatnonzero(np.array(sure, np.bool_)[block.row]).tolist():
        option, decision = block.flat[i], block.decisions[block.row[i]]
        counts = _all_tiles(decision.position)
        if option.act in ("discard", "riichi"):
            counts[option.tiles[0].kind] -= 1
        elif option.act in ("pon", "daiminkan") and isinstance(decision.offer, Discard):
            counts[decision.offer.tile.kind] += 1
        if _sure_of_yakuman(counts):
            found.append(i)
    return np.array(found, np.int64)


def _all_tiles(position: Position) -> list[int]:
    """(34,) the tiles of the viewer's hand and melds."""
    melds = position.players[0].melds
    return kind_counts([*position.hand, *(tile for meld in melds for tile in meld.tiles)])


def _sure_of_yakuman(counts: Sequence[int], lacking: int = 0) -> bool:
    """Whether a hand with so many of each kind, and some that it may be ``lacking``, holds the sets
    of big three dragons, or of little or big four winds."""
    dragons = sum(max(3 - n, 0) for n in counts[31:34])
    least, *rest = sorted(counts[27:31])
    winds = max(2 - least, 0) + sum(max(3 - n, 0) for n in rest)
    return min(dragons, winds) <= lacking
