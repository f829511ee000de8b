"""What the networks of options miss after a discard that leaves the hand further from tenpai than
another would.

The hand has to make good a step more, for which fewer draws are left the later it is: it wins and
is tenpai at an exhaustive draw less often than the networks expect. Who steps back mostly folds,
and deals in less often. Measured on 11,405 such discards of 888 games of train.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.outcomes.joint import ABORTED, DRAWN, JOINT
from haiyomi.outcomes.option_block import OptionBlock

Floats = NDArray[np.float64]
WINS: Final = 14.0
"""The odds of a win are exp(-this / draws left) times the networks': 206 won, 326 were expected
to (13.7 [9.2, 18.2])."""
TENPAI: Final = 7.3
"""The same of the odds of tenpai at an exhaustive draw: 422 and 567 of 4,988 (7.3 [5.2, 9.4])."""
LEAST_LEFT: Final = 4
"""Fewer draws left count as so many."""
DEAL_INS: Final = 0.77
"""The odds of a later deal-in are this times the networks': 457 and 578 (.77 [.68, .87])."""
_OWN: Final = slice(0, 4)
_DEAL_INS: Final = slice(4, DRAWN, 4)
_TENPAI: Final = np.array([e for e, joint in enumerate(JOINT) if (joint.tenpai or 0) & 1])
"""The joint endings in which the seat is tenpai at an exhaustive draw."""


def steps_back(block: OptionBlock, p: Floats) -> Floats:
    """(33, e, b) P of each joint ending, from what the networks say of it, ``p``; the sum of an
    option is one or less."""
    back = is_step_back(block)
    if not back.any():
        return p
    row = block.row[back]
    left = np.array([decision.position.draws_left for decision in block.decisions])[row]
    left = np.maximum(left, LEAST_LEFT)
    out = p.copy()
    some = out[:, :, back]
    some[_OWN] *= np.exp(-WINS / left)
    some[_DEAL_INS] *= DEAL_INS
    drawn = some[DRAWN:ABORTED].sum(axis=0)
    some[_TENPAI] *= np.exp(-TENPAI / left)
    now = some[DRAWN:ABORTED].sum(axis=0)
    some[DRAWN:ABORTED] *= np.where(now > 0, drawn / np.where(now > 0, now, 1), 1)
    out[:, :, back] = some
    return out


def is_step_back(block: OptionBlock) -> NDArray[np.bool_]:
    """(b,) whether an option discards a tile that leaves more shanten than another would."""
    least = block.records["efficiency"][:, :, 0].min(axis=1)  # NONE where a kind is not held
    out: NDArray[np.bool_] = block.does("discard") & (block.shanten > least[block.row])
    return out
