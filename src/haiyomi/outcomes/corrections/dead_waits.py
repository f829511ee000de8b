"""P(win) of a closed hand tenpai in silence, all of whose winning tiles are seen.

It wins only once it has changed. The networks read how many winning tiles are left, and take little
notice of it where the hand looks like one that wins. Measured on 1,010 options of records of train,
made or not, each played on in 64 worlds: a logistic regression on the networks' log odds and the
draws left. Of those from which .2 to .3 were expected to win .17 of the hands did, of .3 to .4 .24,
and of those with fewer than 12 draws left .02 instead of .04; of 86 that were chosen in records
.047 ± .027 won, where .115 were expected. Riichi on such a wait never wins, and an open hand hardly
ever (``rare_wins``).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.outcomes.joint import NO_OWN_WIN, OWN_WINS
from haiyomi.outcomes.option_actions import core_options
from haiyomi.outcomes.option_block import OptionBlock

INTERCEPT: Final = -3.26
LOG_ODDS: Final = 0.36
A_DRAW: Final = 0.10
ENOUGH: Final = 24
"""Further draws left make no difference."""


def dead_waits(block: OptionBlock) -> Ints:
    """The numbers of the options that leave such a hand: discards, and passes on another's tile."""
    riichi = np.array([d.position.players[0].riichi for d in block.decisions], np.bool_)
    silent = ~(block.opened | riichi)[block.row] & (block.draws_left > 0)
    tenpai = (block.does("discard") & (block.shanten == 0)) | block.does("pass")
    some = np.flatnonzero(tenpai & silent)
    if not len(some):
        return some
    tiles = core_options(block.records, block.actions.take(some)).win_tiles(block.kuitan)
    out: Ints = some[tiles[:, 0] == 0]
    return out


def with_dead_waits(block: OptionBlock, ending: Floats) -> Floats:
    """(33, e, b) P of each joint ending, with the wins of these options; the other endings keep
    their odds."""
    some = dead_waits(block)
    if not len(some):
        return ending
    out = ending.copy()
    p = out[:, :, some]
    win, rest = p[OWN_WINS].sum(axis=0), p[NO_OWN_WIN].sum(axis=0)
    moved = (win > 0) & (rest > 0)
    odds = np.where(moved, win, 1) / np.where(moved, rest, 1)
    draws = np.minimum(block.draws_left[some], ENOUGH)
    wanted = 1 / (1 + np.exp(-(INTERCEPT + LOG_ODDS * np.log(odds) + A_DRAW * draws)))
    p[OWN_WINS] *= np.where(moved, wanted / np.where(moved, win, 1), 1)
    p[NO_OWN_WIN] *= np.where(moved, (1 - wanted) / np.where(moved, rest, 1), 1)
    out[:, :, some] = p
    return out
