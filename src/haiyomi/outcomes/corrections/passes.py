"""What the networks of options miss after a pass on another's tile, of a hand that is not tenpai.

They do not see how soon the wall ends: the hand is drawn more often than they expect, the more so
the fewer draws are left. And what they expect before the seat decides counts the calls that players
make: where many would call, a hand one tile from tenpai wins less often after a pass than they
expect, and where few draws are left to make good what the call would have given, a hand is tenpai
at a draw less often.

Measured on the passes of 22,250 games of train with at most NEAR draws left, of hands one or two
tiles from tenpai (94,854 decisions), and on 2,233 offers of train and valid that were played on.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.outcomes.corrections.steps_back import scale_own_tenpai
from haiyomi.outcomes.joint import ABORTED, DRAWN, OWN_WINS
from haiyomi.outcomes.option_block import OptionBlock

NEAR: Final = 24
"""With fewer draws left it is *late* by log(NEAR / draws left)."""
DRAWS: Final = 0.94
"""The log odds of an exhaustive draw are higher by this for one draw left, by the nth part of it
for n (± .08). Own wins are as likely as before beside it."""
TENPAI_CALLED: Final = -0.45
TENPAI_FAR: Final = -0.5
"""The log odds to be tenpai at an exhaustive draw change by the first times late times the share of
the players that call, of hands two and more away also by the second times late. Of passes in
records -.71 (± .07) and -.71 (± .11) are right, of those that were played on -.46 and -.46: who
passes where many call folds more often than others, whatever the option is worth."""
WINS_CALLED: Final = -0.3
"""The log odds of a win of a hand one tile from tenpai change by this times the share that calls:
of 140 such offers that from 8 to 92% call .190 won after a pass when played on, where .209 were
expected (± .005)."""


def after_pass(block: OptionBlock, p: Floats, share: Floats) -> Floats:
    """(33, e, b) how likely each joint ending is beside the others, from what the networks say of
    it, ``p``; ``share`` (b,) how often players choose each option."""
    shanten, left = held_shanten(block)[block.row], block.draws_left
    passed = block.does("pass") & (shanten > 0) & (left > 0)
    if not passed.any():
        return p
    late = np.where(passed & (left < NEAR), np.log(NEAR / np.maximum(left, 1)), 0)
    calls = call_share(block, share)[block.row]
    out = p.copy()
    drawn = np.exp(np.where(passed, DRAWS / np.maximum(left, 1), 0))
    out[DRAWN:ABORTED] *= drawn
    out[OWN_WINS] *= drawn * np.exp(WINS_CALLED * calls * (passed & (shanten == 1)))
    scale_own_tenpai(out, np.exp(late * (TENPAI_CALLED * calls + TENPAI_FAR * (shanten > 1))))
    return out


def held_shanten(block: OptionBlock) -> Ints:
    """(n,) the shanten of the hand as it is, at decisions on another's tile."""
    out: Ints = block.records["calls"][:, 0, 0].astype(np.int64)
    return out


def call_share(block: OptionBlock, share: Floats) -> Floats:
    """(n,) how often players chi or pon, from how often they choose each option, ``share`` (b,)."""
    calling = share * block.does("chi", "pon")
    out: Floats = np.bincount(block.row, calling, len(block)).astype(np.float64)
    return out
