"""P(win) after an option that leaves a hand tenpai, by its winning tiles and its yaku.

The networks of options give too little weight to the number of winning tiles, and do not see
whether a closed hand has a yaku without riichi, nor that it waits on dora, which players keep. What
they expect of a win is corrected by a logistic regression that is fitted to 122,680 decisions of
train; *live* tiles are winning tiles that the seat does not see. Open hands that have no yaku, and
hands in furiten, have a rule of their own (``rare_wins``). ``haiyomi evaluate tenpai`` measures the
correction.

The bot does without it: its network overrates what a win of damaten is worth, and the two errors
cancel. With the wins alone corrected it chose worse (docs/explanation/log.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.game_end import DEPOSIT
from haiyomi.outcomes.excluded import furiten_after
from haiyomi.outcomes.option_actions import option_rows
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.rare_wins import no_yaku_part

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
INTERCEPT: Final = -0.62
BY_LOG_ODDS: Final = 0.74
"""Times the log odds that the networks give."""
BY_TILE: Final = 0.066
"""For each live tile."""
BY_DRAW: Final = 0.0085
"""For each draw left in the wall."""
SILENT_YAKU: Final = 0.16
"""For a closed hand that has a yaku on all live tiles without riichi."""
DECLARED: Final = -0.06
"""For a hand in riichi."""
BY_DORA: Final = -0.27
"""Times the square of the share of dora among the winning tiles."""
DORA_RONS: Final = 0.36
"""This part of the rons is removed first, times the same square."""
SILENT_DRAWS: Final = 0.91
"""In silence, a closed hand with a yaku wins by own draw this times as often as by the regression;
rons take the place of the others. Measured on 30,800 decisions of train."""
_OWN: Final = slice(0, 4)
_RONS: Final = slice(1, 4)
_OTHERS: Final = slice(4, None)


@dataclass(frozen=True, slots=True, eq=False)
class TenpaiOptions:
    """The k options of a block that leave a hand tenpai with live tiles, not in furiten: ``some``
    (k,) their numbers. ``live`` (k,) tiles and ``left`` (k,) draws; ``opened`` hands, and those
    that ``declare``, now or before; ``no_yaku`` closed hands that may declare and win by ron on no
    live tile without it, ``silent_yaku`` those that win on all of them; ``dora`` (k,) the share of
    the tiles to win on that an indicator makes dora."""

    some: NDArray[np.int64]
    live: NDArray[np.int64]
    left: NDArray[np.int64]
    opened: Bools
    declare: Bools
    no_yaku: Bools
    silent_yaku: Bools
    dora: Floats

    @classmethod
    def of(cls, block: OptionBlock) -> TenpaiOptions:
        """Those of a block."""
        row, own = block.row, [decision.position.players[0] for decision in block.decisions]
        left = np.array([decision.position.draws_left for decision in block.decisions])[row]
        opened = np.array([player.open_melds > 0 for player in own])[row]
        declare = np.array([player.riichi for player in own])[row] | block.does("riichi")
        # Who cannot pay for a riichi may not win by ron at all without a yaku, as ``rare_wins``
        # says.
        pays = np.array([player.score >= DEPOSIT for player in own])[row]
        by_draw, by_ron, dora = option_rows(block.records, block.actions).win_tiles().T
        live = np.where(opened, by_ron, by_draw)
        some = np.flatnonzero((live > 0) & (left > 0) & block.does("discard", "riichi", "pass"))
        some = some[~furiten_after(block, some)]
        silent = ~opened & ~declare
        no_yaku, silent_yaku = silent & pays & (by_ron == 0), silent & (by_ron == live)
        return cls(
            some, live[some], left[some], opened[some], declare[some], no_yaku[some],
            silent_yaku[some], dora[some] / np.maximum(by_draw[some], 1),
        )  # fmt: skip

    def fewer_rons(self, ending: Floats) -> Floats:
        """(33, e, k) of (33, e, b) P of each joint ending, with fewer rons of hands without a yaku
        and of those that wait on dora: the sum is below one."""
        p = ending[:, :, self.some]
        p[_RONS] *= np.where(self.no_yaku, no_yaku_part(self.left), 1) * (
            1 - DORA_RONS * self.dora**2
        )
        return p

    def wins(self, odds: Floats) -> Floats:
        """(e, k) P(win) by the regression, where the networks give these ``odds`` of it."""
        log_odds = BY_LOG_ODDS * np.log(odds) + (
            INTERCEPT + BY_TILE * self.live + BY_DRAW * self.left + SILENT_YAKU * self.silent_yaku
            + DECLARED * self.declare + BY_DORA * self.dora**2
        )  # fmt: skip
        out: Floats = 1 / (1 + np.exp(-log_odds))
        return out


def with_tenpai_wins(found: TenpaiOptions, ending: Floats) -> Floats:
    """(33, e, b) P of each joint ending, with the wins of options that leave a hand tenpai
    corrected; the other endings keep their odds."""
    if not len(found.some):
        return ending
    out = ending.copy()
    p = found.fewer_rons(out)
    win, rest = p[_OWN].sum(axis=0), p[_OTHERS].sum(axis=0)
    moved = (win > 0) & (rest > 0)
    wanted = found.wins(np.where(moved, win / np.where(moved, 1 - win, 1), 1))
    p[_OWN] *= np.where(moved, wanted / np.where(moved, win, 1), 1)
    p[_OTHERS] *= np.where(moved, (1 - wanted) / np.where(moved, rest, 1), 1)
    rons = p[_RONS].sum(axis=0)
    fewer = np.where(found.silent_yaku & (rons > 0), (1 - SILENT_DRAWS) * p[0], 0)
    p[0] -= fewer
    p[_RONS] *= 1 + fewer / np.where(rons > 0, rons, 1)
    out[:, :, found.some] = p
    return out
