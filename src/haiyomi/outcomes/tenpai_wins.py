"""P(win) after an option that leaves a hand tenpai, by its winning tiles and its yaku.

The networks of options give too little weight to the number of winning tiles, and do not see
whether a closed hand has a yaku without riichi. What they expect of a win is corrected by a
logistic regression that is fitted to 853,000 decisions of train; *live* tiles are winning tiles
that the seat does not see. Open hands that have no yaku, and hands in furiten, have a rule of
their own (``rare_wins``).

The bot does without it: its network overrates what a win of damaten is worth, and the two errors
cancel. With the wins alone corrected it chose worse (docs/explanation/log.md).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.game_end import DEPOSIT
from haiyomi.outcomes.excluded import furiten_after
from haiyomi.outcomes.option_actions import option_rows
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.rare_wins import no_yaku_part

Floats = NDArray[np.float64]
INTERCEPT: Final = -0.69
BY_LOG_ODDS: Final = 0.75
"""Times the log odds that the networks give."""
BY_TILE: Final = 0.075
"""For each live tile."""
BY_DRAW: Final = 0.13 / 16
"""For each draw left in the wall."""
SILENT_YAKU: Final = 0.17
"""For a closed hand that has a yaku on all live tiles without riichi."""
_OWN: Final = slice(0, 4)
_RONS: Final = slice(1, 4)
_OTHERS: Final = slice(4, None)


def with_tenpai_wins(block: OptionBlock, ending: Floats) -> Floats:
    """(33, e, b) P of each joint ending, with the wins of options that leave a hand tenpai
    corrected; the other endings keep their odds."""
    row, own = block.row, [decision.position.players[0] for decision in block.decisions]
    left = np.array([decision.position.draws_left for decision in block.decisions])[row]
    opened = np.array([player.open_melds > 0 for player in own])[row]
    silent = ~opened & ~np.array([player.riichi for player in own])[row] & ~block.does("riichi")
    by_draw, by_ron = option_rows(block.records, block.actions).win_tiles().T
    live = np.where(opened, by_ron, by_draw)
    some = np.flatnonzero((live > 0) & (left > 0) & block.does("discard", "riichi", "pass"))
    some = some[~furiten_after(block, some)]
    if not len(some):
        return ending
    out = ending.copy()
    p, live, left, silent = out[:, :, some], live[some], left[some], silent[some]
    # Who cannot pay for a riichi may not win by ron at all without a yaku, as ``rare_wins`` says.
    may_declare = np.array([player.score >= DEPOSIT for player in own])[row[some]]
    no_yaku = silent & may_declare & (by_ron[some] == 0)
    p[_RONS] *= np.where(no_yaku, no_yaku_part(left), 1)
    win, rest = p[_OWN].sum(axis=0), p[_OTHERS].sum(axis=0)
    moved = (win > 0) & (rest > 0)
    odds = np.where(moved, win / np.where(moved, 1 - win, 1), 1)
    log_odds = BY_LOG_ODDS * np.log(odds) + (
        INTERCEPT
        + BY_TILE * live
        + BY_DRAW * left
        + SILENT_YAKU * (silent & (by_ron[some] == live))
    )
    wanted = 1 / (1 + np.exp(-log_odds))
    p[_OWN] *= np.where(moved, wanted / np.where(moved, win, 1), 1)
    p[_OTHERS] *= np.where(moved, (1 - wanted) / np.where(moved, rest, 1), 1)
    out[:, :, some] = p
    return out
