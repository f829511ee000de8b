"""How a hand ends for all four seats at once, seen by one: 33 joint endings, and classes of worth.

A joint ending names the winner, who pays, and who is tenpai at an exhaustive draw, so that with
what the winner's hand is worth it determines the change of every score. ``Ending`` is what it
means for the one seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Ints, Ints32
from haiyomi.outcomes.ending import Ending


@dataclass(frozen=True, slots=True)
class JointEnding:
    """Seats are relative, 0 the one that asks.

    ``winner``: None without a win; of two that win on one discard seat 0, or the first in turn.
    ``payer``: who dealt in, the winner itself after a tsumo. ``tenpai``: bits of seats at an
    exhaustive draw, None for every other ending.
    """

    winner: int | None = None
    payer: int | None = None
    tenpai: int | None = None

    @property
    def ending(self) -> Ending:
        """What it is for seat 0."""
        if self.tenpai is not None:
            return Ending.DRAW_TENPAI if self.tenpai & 1 else Ending.DRAW_NOTEN
        if self.winner is None:
            return Ending.ABORTED
        if self.winner == 0:
            return Ending.TSUMO if self.payer == 0 else Ending.RON
        if self.payer == 0:
            return Ending(Ending.DEAL_IN_RIGHT + self.winner - 1)
        first = Ending.TSUMO_RIGHT if self.payer == self.winner else Ending.RON_RIGHT
        return Ending(first + self.winner - 1)


JOINT: Final = (
    *(JointEnding(winner, payer) for winner in range(4) for payer in range(4)),
    *(JointEnding(tenpai=mask) for mask in range(16)),
    JointEnding(),
)
"""Ending 4 w + p: w wins on a tile of p, or by own draw where w is p; 16 + m: an exhaustive draw
with tenpai seats m (a nagashi mangan too); 32: an abortive draw."""
DRAWN: Final = 16
ABORTED: Final = 32
OWN_WINS: Final = slice(0, 4)
"""The endings that seat 0 wins: the tsumo, then the rons."""
OWN_TSUMO: Final = 0
OWN_RONS: Final = slice(1, 4)
NO_OWN_WIN: Final = slice(4, None)
"""That of the tsumo, those of the rons, and of all that seat 0 does not win."""
OWN_DEAL_INS: Final = slice(4, DRAWN, 4)
"""The endings in which seats 1, 2 and 3 win on a tile of seat 0."""
OTHERS_WIN: Final = np.arange(4, DRAWN)
"""The endings that an opponent wins."""
WINNER: Final = np.array([-1 if joint.winner is None else joint.winner for joint in JOINT])
PAYER: Final = np.array([-1 if joint.payer is None else joint.payer for joint in JOINT])
"""(33,) who wins, and who deals in; -1 without a win, and of an own draw the winner."""
OTHERS_WINNER: Final = WINNER[OTHERS_WIN]
OTHERS_TSUMO: Final = (PAYER[OTHERS_WIN] == OTHERS_WINNER).astype(np.int64)
"""(12,) who wins of OTHERS_WIN, and 1 by an own draw, 0 by ron."""
TENPAI: Final = np.array(
    [
        [-1 if joint.tenpai is None else joint.tenpai >> seat & 1 for seat in range(4)]
        for joint in JOINT
    ]
)
"""(33, 4) whether a seat is tenpai at an exhaustive draw, -1 where the hand ends otherwise."""
ENDING_OF: Final = np.array([joint.ending for joint in JOINT])
"""(33,) of ``Ending``."""
WORTH_BASES: Final = (0, 350, 660, 1310, 2000, 3000, 4000, 6000, 8000)
"""The least base points (a ron over 4, a dealer's over 6, payments rounded up) of each class of
worth: about 1, 2 and 3 han, below mangan, mangan, haneman, baiman, sanbaiman, yakuman."""


def worth_class(ron: Ints32, dealer: Bools) -> Ints:
    """(n,) the classes of worth of hands that a discarder pays ``ron`` points, without honba;
    ``dealer`` whether the winner deals."""
    base = ron / np.where(dealer, 6, 4)
    return np.searchsorted(np.array(WORTH_BASES), base, side="right") - 1
