"""What the networks of options miss after a discard that leaves the hand further from tenpai than
another would. A closed kan that does so is taken alike; few are made.

The hand has to make good a step more, for which fewer draws are left the later it is: it wins and
is tenpai at an exhaustive draw less often than the networks expect, most of all where an opponent
is in riichi. Who steps back late mostly folds, and deals in less often. Measured on 21,312 such
discards of records of train, and on 12,000 discards that were made or might have been, each played
on twice with the hidden hands of the record; ``haiyomi evaluate corrections`` compares the result
with records.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Floats
from haiyomi.outcomes.joint import ABORTED, DRAWN, OWN_DEAL_INS, OWN_WINS
from haiyomi.outcomes.joint import TENPAI as TENPAI_SEATS
from haiyomi.outcomes.option_block import OptionBlock

EARLY: Final = 50
"""Draws left from which on the networks are right."""
WINS: Final = (0.37, 0.92)
"""With fewer draws left P(win) is multiplied by (draws left / EARLY) to these powers, before all
endings are normalised: without an opponent in riichi (.37 [.17, .57]), and with one (.92 [.70,
1.14]). With one 169 of 14,830 discards of records won, and 318 were expected to."""
TENPAI: Final = (0.32, 0.51)
"""The same for tenpai among the exhaustive draws ([.20, .44] and [.41, .61])."""
DEAL_INS: Final = (0.28, 0.33)
"""The same for later deal-ins ([.14, .42] and [.21, .45])."""
_TENPAI: Final = np.flatnonzero(TENPAI_SEATS[:, 0] == 1)
"""The joint endings in which the seat is tenpai at an exhaustive draw."""


def steps_back(block: OptionBlock, p: Floats) -> Floats:
    """(33, e, b) P of each joint ending, from what the networks say of it, ``p``; the sum of an
    option is one or less."""
    early = np.where(is_step_back(block), np.clip(block.draws_left / EARLY, 1 / EARLY, 1), 1)
    if early.min() == 1:
        return p
    threat = np.array([any(p.riichi for p in d.position.players[1:]) for d in block.decisions])
    riichi = threat[block.row].astype(np.int64)
    out = p.copy()
    out[OWN_WINS] *= early ** np.array(WINS)[riichi]
    out[OWN_DEAL_INS] *= early ** np.array(DEAL_INS)[riichi]
    scale_own_tenpai(out, early ** np.array(TENPAI)[riichi])
    return out


def is_step_back(block: OptionBlock) -> Bools:
    """(b,) whether a discard or a closed kan leaves more shanten than another discard would."""
    least = block.records["efficiency"][:, :, 0].min(axis=1)  # NONE where a kind is not held
    out: Bools = block.does("discard", "ankan") & (block.shanten > least[block.row])
    return out


def scale_own_tenpai(p: Floats, factor: Floats) -> None:
    """Multiply the odds to be tenpai among the exhaustive draws of (33, e, b) P by ``factor`` (b,),
    in place."""
    drawn = np.add.reduce(p[DRAWN:ABORTED])
    p[_TENPAI] *= factor
    now = np.add.reduce(p[DRAWN:ABORTED])
    p[DRAWN:ABORTED] *= np.where(now > 0, drawn / np.where(now > 0, now, 1), 1)
