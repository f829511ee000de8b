"""The draw that follows an own kan at once, of which the networks of options see too little.

A kan that leaves the hand tenpai draws from the dead wall, and a winning tile there is always a
win: the draw itself is a yaku. ``haiyomi evaluate corrections`` compares the result with records.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.kernels.waits import KIND_BITS
from haiyomi.outcomes.excluded import waits_after
from haiyomi.outcomes.joint import OWN_TSUMO
from haiyomi.outcomes.option_block import OptionBlock

KAN_DRAWS: Final = 8.0
"""From so many draws left on the draw wins as often as one of the unseen tiles does, before all
that the networks expect; with fewer draws this part of it, because the winning tiles that are left
late are mostly held. Not in riichi, where nothing is missing (1,674 kans of train: own draws .237
expected, .237 came). Fitted by likelihood to 4,092 closed and added kans of 22,634 games of train
that left a hand tenpai without riichi: 8 [2, 20]; they won by own draw .217 [.204, .230] times,
where .160 were expected, and in all .404 [.389, .419] times, where .366 were and .405 are now. On
315 such kans of 1,620 games of valid .241 [.194, .288] and .419 [.365, .473] came, .161 and .364
were expected and .215 and .404 are now; the log loss of how they won falls by .017 [.000, .037].
That kans were undervalued had been noticed on 108 of these games."""


def with_kan_draws(block: OptionBlock, p: Floats) -> Floats:
    """(33, e, b) P of each joint ending ``p``, where the hand may win by the draw after its kan."""
    some = silent_kans(block)
    if not len(some):
        return p
    unseen = block.records["observation"]["unseen"][block.row[some]].astype(np.float64)
    wins = (waits_after(block, some)[:, None] & KIND_BITS) != 0
    draw = (unseen * wins).sum(axis=1) / unseen.sum(axis=1)
    draw *= np.minimum(block.draws_left[some] / KAN_DRAWS, 1)
    out = p.copy()
    out[:, :, some] *= 1 - draw
    out[OWN_TSUMO, :, some] += draw[:, None]
    return out


def silent_kans(block: OptionBlock) -> Ints:
    """The own kans that leave the hand tenpai, but for those in riichi."""
    riichi = np.array([d.position.players[0].riichi for d in block.decisions])[block.row]
    return np.flatnonzero(block.does("ankan", "kakan") & (block.shanten == 0) & ~riichi)
