"""Wins after an own kan that leaves the hand tenpai.

It draws from the dead wall at once, and a winning tile there is always a win: the draw itself is a
yaku. The networks of options see too little of it, and after riichi too little of how many tiles
the hand wins on. ``haiyomi evaluate corrections`` compares the former with records.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.kernels.waits import KIND_BITS
from haiyomi.outcomes.excluded import furiten_after, waits_after
from haiyomi.outcomes.joint import NO_OWN_WIN, OWN_TSUMO, OWN_WINS
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
RIICHI_KANS: Final = (-0.78, 0.49, 0.375, 0.021)
"""Log odds of a win after a closed kan in riichi that waits on live tiles and is not in furiten: an
intercept, those of the forecast, log(live tiles / 5), and the draws left. Fitted to 3,448 kans of
train, whose log loss falls from .6282 to .6227; those with two live tiles won .195 ± .043 times,
and .285 were expected."""


def with_kan_draws(block: OptionBlock, p: Floats) -> Floats:
    """(33, e, b) P of each joint ending ``p``, where the hand may win by the draw after its kan."""
    p = _after_riichi(block, p)
    some = silent_kans(block)
    if not len(some):
        return p
    live, unseen = _live(block, some)
    draw = live / unseen
    draw *= np.minimum(block.draws_left[some] / KAN_DRAWS, 1)
    out = p.copy()
    out[:, :, some] *= 1 - draw
    out[OWN_TSUMO, :, some] += draw[:, None]
    return out


def _after_riichi(block: OptionBlock, p: Floats) -> Floats:
    """``p`` with P(win) after a closed kan in riichi as RIICHI_KANS has it."""
    some = np.flatnonzero(_tenpai_kans(block) & _riichi(block) & (block.draws_left > 0))
    if not len(some):
        return p
    live, _ = _live(block, some)
    open_to_ron = (live > 0) & ~furiten_after(block, some, waits_after(block, some))
    some, live = some[open_to_ron], live[open_to_ron]
    out = p.copy()
    win, rest = p[OWN_WINS][:, :, some].sum(axis=0), p[NO_OWN_WIN][:, :, some].sum(axis=0)
    moved = (win > 0) & (rest > 0)
    odds = np.where(moved, win / np.where(moved, rest, 1), 1)
    first, slope, tiles, draws = RIICHI_KANS
    wanted = first + slope * np.log(odds)
    wanted += tiles * np.log(live / 5) + draws * block.draws_left[some]
    wanted = (win + rest) / (1 + np.exp(-wanted))
    out[OWN_WINS, :, some] *= np.where(moved, wanted / np.where(moved, win, 1), 1)
    less = (win + rest - wanted) / np.where(moved, rest, 1)
    out[NO_OWN_WIN, :, some] *= np.where(moved, less, 1)
    return out


def _live(block: OptionBlock, some: Ints) -> tuple[Floats, Floats]:
    """(k,) the winning tiles that the seat does not see, and all that it does not see."""
    unseen = block.records["observation"]["unseen"][block.row[some]].astype(np.float64)
    wins = (waits_after(block, some)[:, None] & KIND_BITS) != 0
    return (unseen * wins).sum(axis=1), unseen.sum(axis=1)


def silent_kans(block: OptionBlock) -> Ints:
    """The own kans that leave the hand tenpai, but for those in riichi."""
    return np.flatnonzero(_tenpai_kans(block) & ~_riichi(block))


def _tenpai_kans(block: OptionBlock) -> Bools:
    out: Bools = block.does("ankan", "kakan") & (block.shanten == 0)
    return out


def _riichi(block: OptionBlock) -> Bools:
    return np.array([d.position.players[0].riichi for d in block.decisions], np.bool_)[block.row]
