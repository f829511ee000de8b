"""How likely each seat pays a riichi deposit after an option."""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.events import Discard
from haiyomi.outcomes.excluded import possible_deposits
from haiyomi.outcomes.later import LaterEndings
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.rules import WALL_DRAWS

DEPOSIT_LATER: Final = 2.7
DEPOSIT_BY_SHARE: Final = 4.5
"""The networks say how often the seat pays a deposit before it decides. Where it may declare riichi
and does not, that comes so often: the first times the part of the wall's draws that is left, over 1
plus the second times the share of players who declare. Fitted to 8,546 decisions of train after
which another won without the seat's tile: .096 had paid; log loss .2646 there, and .2827 by a
factor of .55 less .25 times the share. Of 2,591 on valid .096 [.079, .116] had, and .104 are
expected to."""


def deposits_of(block: OptionBlock, later: LaterEndings) -> Floats:
    """(4, b) P that each seat pays a deposit where it does not win, its own riichi included."""
    mean = np.where(possible_deposits(block), later.deposit[block.row], 0)
    for number, decision in enumerate(block.decisions):
        offer = decision.offer
        if isinstance(offer, Discard):
            seat = (offer.seat - decision.seat) % 4
            # Nobody has won yet on the tile that declares riichi: the deposit follows.
            if decision.position.players[seat].river[-1].riichi:
                mean[block.row == number, seat] = 1
    riichi = block.does("riichi")
    if riichi.any() and later.share is not None:
        often = riichi_share(block, later.share)
        offered = np.bincount(block.row, riichi, len(block)) > 0
        declines = (offered[block.row] & ~riichi).nonzero()[0]
        part = DEPOSIT_LATER * block.draws_left[declines] / WALL_DRAWS
        part /= 1 + DEPOSIT_BY_SHARE * often[block.row[declines]]
        mean[declines, 0] = np.minimum(mean[declines, 0] * part, 1)
    mean[riichi, 0] = 1
    return mean.T


def riichi_share(block: OptionBlock, share: Floats | None) -> Floats:
    """(n,) the share of players who declare riichi, 0 where that is unknown."""
    if share is None:
        return np.zeros(len(block))
    return np.bincount(block.row, block.does("riichi") * share, len(block)).astype(np.float64)
