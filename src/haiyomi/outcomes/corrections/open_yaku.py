"""Fewer wins of open hands whose nearest way to a win has no yaku.

The networks read how many tiles a hand lacks, but not whether those lead to a yaku, and players
hardly ever open a hand that has none in sight: nothing was learned of such options. Some 8,000
options of 870 games of the train split were played on in 64 worlds each. Beside those with a
yaku on the nearest way, .66 of the expected wins came where a yaku takes a tile more than the hand
lacks; .20 where it takes two and more, and .52 where a straight, a run in three suits or an outside
hand is no farther. The distance of the hand and the draws left make no difference to these parts.
The more players choose an option, the more of its wins come, because they know why: of 46,000
choices of the valid split .113 were expected to win and .154 came where only such a hand is no
farther, and .051 and .041 where a yaku takes a tile more.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.kernels.waits import KIND_BITS
from haiyomi.outcomes.corrections.rare_wins import known_part
from haiyomi.outcomes.excluded import waits_after
from haiyomi.outcomes.option_actions import core_options
from haiyomi.outcomes.option_block import OptionBlock

ONE_MORE: Final = 0.66
"""What comes of the expected wins where a yaku takes a tile more than the hand lacks."""
TWO_MORE: Final = 0.20
"""Where it takes two and more."""
BY_RUNS: Final = 0.52
"""Where it takes two and more, and none more by a straight, a run in three suits or outside."""
KNOWN, LESS_KNOWN = 3, 1
"""The power of the share of players who choose otherwise; and where a yaku takes a tile more, which
is no straight, run in three suits or outside hand."""


def open_yaku_part(block: OptionBlock, share: Floats, made: Floats) -> Floats:
    """(b,) what part comes of the wins of options that leave an open hand short of tenpai, and of
    those tenpai without a yaku what is left of it after a call that few make; ``share`` (b,): how
    often players choose each, ``made`` (b,) the call that it follows, 1 without one."""
    lacking, flexible, every = _steps(block)
    more, chosen = _more(lacking, flexible), share * made
    missed = 1 - np.where(more > 1, np.where(every == lacking, BY_RUNS, TWO_MORE), ONE_MORE)
    power = np.where((more == 1) & (every > lacking), LESS_KNOWN, KNOWN)
    others: Floats = (1 - chosen) ** power
    out: Floats = np.where(more > 0, 1 - missed * others, 1)
    if made.min() < 1:
        after = np.flatnonzero((made < 1) & (yakuless_tenpai(block) == 1))
        out[after] = known_part(chosen[after]) / known_part(share[after])
    return out


def yaku_more(block: OptionBlock) -> Ints:
    """(b,) how many tiles more than for a complete hand an open hand short of tenpai lacks for a
    yaku that needs no certain tiles; 0 of other options."""
    lacking, flexible, _ = _steps(block)
    return _more(lacking, flexible)


def yakuless_tenpai(block: OptionBlock) -> Ints:
    """(b,) how many tiles more than for a win an open hand that is tenpai lacks for such a yaku; 0
    where it has a yaku on a winning tile that is left, and of other options."""
    lacking, flexible, _ = _steps(block)
    out: Ints = np.where(lacking == 1, flexible - lacking, 0)
    some = np.flatnonzero(out)
    if len(some):
        rows = core_options(block.records, block.actions.take(some))
        out[some[rows.win_tiles(block.kuitan)[:, :2].any(axis=1)]] = 0
    return out


def no_yaku_near(block: OptionBlock) -> Bools:
    """(b,) whether an option leaves an open hand that cannot win on any tile it waits on, or for
    which every yaku takes more tiles than it lacks. Of waits that are all seen nothing is said."""
    lacking, _, every = _steps(block)
    out: Bools = (lacking > 1) & (every > lacking)
    if not lacking.any():
        return out
    by_draw = core_options(block.records, block.actions).win_tiles(block.kuitan)[:, 0]
    dead = np.flatnonzero((lacking == 1) & (by_draw == 0))
    if len(dead):
        left = block.records["observation"]["unseen"][block.row[dead]] > 0
        out[dead] = (waits_after(block, dead) & (left * KIND_BITS).sum(1, dtype=np.uint64)) != 0
    return out


def _more(lacking: Ints, flexible: Ints) -> Ints:
    return np.where(lacking > 1, flexible - lacking, 0)


def _steps(block: OptionBlock) -> Ints:
    """(3, b) of ``CoreOptions.open_steps``."""
    if not any(decision.position.players[0].open_melds for decision in block.decisions):
        return np.zeros((3, len(block.row)), np.int64)
    return core_options(block.records, block.actions).open_steps(block.kuitan).T
