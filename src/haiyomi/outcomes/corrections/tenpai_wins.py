"""P(win) after an option that leaves a hand tenpai, by its winning tiles and its yaku.

The networks of options give too little weight to the number of winning tiles, and do not see
whether a closed hand has a yaku without riichi, nor which tiles it waits on: players keep dora, and
discard honours and ends more freely than tiles from 4 to 6. What they expect of a win is corrected
by logistic regressions, of open hands, damaten and riichi; *live* tiles are winning tiles that the
seat does not see. Open hands that have no yaku, and hands in furiten, have a rule of their own
(``rare_wins``); after it hands in furiten win more often than is left, and are corrected too. Of
riichi the wins are then divided anew between own draws and rons, by the live tiles; own draws are
no likelier than the tiles in the wall allow.
``haiyomi evaluate tenpai`` measures the correction.

The bot does without it: its network overrates what a win of damaten is worth, and the two errors
cancel. With the wins alone corrected it chose worse (docs/explanation/log.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_
from types import MappingProxyType
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.game.decision_record import just_called
from haiyomi.game.position import Position
from haiyomi.kernels.waits import KIND_BITS
from haiyomi.outcomes.corrections.rare_wins import no_yaku_part
from haiyomi.outcomes.excluded import furiten_after, waits_after
from haiyomi.outcomes.joint import NO_OWN_WIN, OWN_RONS, OWN_WINS
from haiyomi.outcomes.option_actions import core_options
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.rules import DEPOSIT

TERMS: Final = (
    "intercept", "log odds of the networks", "a live tile", "log of the live tiles", "a draw left",
    "dora, share squared", "honours", "1 and 9", "2 and 8", "3 and 7", "a yaku on all live tiles",
    "an opponent in riichi", "safe from riichi", "three live kinds or more", "a draw left above 45",
    "two kinds, eight live tiles", "a draw fewer than 25, just called",
)  # fmt: skip
"""Of the regressions. Honours to 3 and 7 are shares of the live tiles, and so are those *safe from
riichi*, which nobody in riichi can win on: who folds discards them. A yaku on all is of damaten.
The last four were fitted each by itself. Hands that wait on three kinds win more often than their
number of tiles says: 117,691 decisions of 3,000 games of train, of damaten 4,185 of 1,819 games; so
do open hands that are tenpai early, .592 ± .004 of 25,853 where .579 were expected. With all tiles
of two kinds unseen they win less often: .538 ± .006 of 28,022 where .558 were expected. After a
late call they win more often: of 15,700 with fewer than 25 draws left the log odds are .08 ± .02
higher, and of 171 with at most ten that were played on .3."""
EARLY: Final = 45
LATE: Final = 25
"""The draws left that TERMS name."""
OPEN: Final = (
    -0.60, 0.75, 0.071, 0.0, 0.005, -0.03, 0.13, 0.35, 0.16, 0.10, 0.0, -0.24, 0.78, 0.16, 0.008,
    -0.10, 0.008,
)  # fmt: skip
"""The weights of TERMS, fitted to 66,361 decisions of 2,800 games of train. On 32,109 of valid the
log loss of the win falls by .0036 [.0018, .0054] beside an earlier fit without the two terms about
riichi; on 9,441 of 318 other games, not looked at before, by .0014 [-.0019, .0048]."""
DAMATEN: Final = (
    -0.84, 0.705, 0.011, 0.23, 0.0108, -0.27, 0.24, 0.40, 0.05, -0.01, 0.14, 0.0, 0.27, 0.20, 0.0,
    0.0, 0.0,
)  # fmt: skip
"""Fitted to 49,196 decisions of 5,000 games of train that might have declared riichi; *safe from
riichi* to 5,393 of 2,400 games that face a riichi. It was chosen on 2,756 of valid that do, where
it changes the log loss of the win by -.0033 [-.0070, .0001], and with a constant for the riichi,
which train asks for, by .0004 [-.0081, .0101]; on 942 of 318 other games by -.0009 [-.0059, .0035].
Own riichi needs neither."""
RIICHI: Final = (
    -1.73, 0.44, 0.0, 0.58, 0.0150, -0.39, 0.94, 0.69, 0.39, 0.18, 0.0, 0.0, 0.0, 0.16, 0.0,
    0.0, 0.0,
)  # fmt: skip
"""Fitted to 11,685 declared riichi of train, and to 9,396 hands that could have declared and whose
riichi was played on with the hidden hands of the record. Players declare on few tiles mostly where
these are likely to come, so declared riichi alone would overrate the others."""
FURITEN: Final = (0.31, 1.0)
"""The weights of the first two TERMS for hands in furiten, where nothing else helps. Of 2,195
decisions of train 14.4% were won, where 11.3% were expected."""
FURITEN_RIICHI: Final = (-0.59, 0.90, 0.0, 0.56)
"""Those of riichi in furiten, which wins by own draw alone. Of 1,923 that were declared in 47,552
games of train 30.9% won, 25.7% by FURITEN; of those with nine and more live tiles 45% and 35%. The
fit is to these and to 516 on offer that were played on, of which few tiles win less often."""
SORTS: Final = MappingProxyType({
    "open": OPEN, "damaten": DAMATEN, "riichi": RIICHI, "furiten": FURITEN,
    "furiten riichi": FURITEN_RIICHI,
})  # fmt: skip
DORA_RONS: Final = 0.36
"""This part of the rons is removed first, times the square of the share of dora."""
SILENT_DRAWS: Final = 0.91
"""In silence, a closed hand with a yaku wins by own draw this times as often as by the regression;
rons take the place of the others. Measured on 30,800 decisions of train."""
RIICHI_OWN_DRAWS: Final = 0.3
"""After riichi the odds of an own draw against a ron are (live tiles / 5) to this power times the
networks': of 12,422 wins .30 [.24, .36], of damaten .09 [.03, .15]."""


@dataclass(frozen=True, slots=True, eq=False)
class TenpaiOptions:
    """The k options of a block that leave a hand tenpai with live tiles: ``some`` (k,) their
    numbers. ``live`` (k,) tiles and ``left`` (k,) draws; ``drawn`` (k,) how likely one of ``left /
    4`` own draws is a winning tile, if nobody else ends the hand; ``furiten`` hands; of the others
    ``opened`` hands, and those that ``declare``, now or before; ``no_yaku`` closed hands that may
    declare and win by ron on no live tile without it, ``silent_yaku`` those that win on all of
    them; ``shares`` (5, k) of the tiles to win on: those that an indicator makes dora, honours, 1
    and 9, 2 and 8, 3 and 7, zeros in furiten; ``facing`` (k,) whether an opponent is in riichi, and
    ``safe`` (k,) the share of the tiles to win on that none in riichi can win on; ``wide`` (k,)
    whether three kinds or more of them are live; ``called`` (k,) whether it is the discard right
    after an own call."""

    some: Ints
    live: Ints
    left: Ints
    drawn: Floats
    furiten: Bools
    opened: Bools
    declare: Bools
    no_yaku: Bools
    silent_yaku: Bools
    shares: Floats
    facing: Bools
    safe: Floats
    wide: Bools
    called: Bools

    @classmethod
    def of(cls, block: OptionBlock) -> TenpaiOptions:
        """Those of a block."""
        thrown = block.does("discard", "riichi") & (block.shanten == 0)
        some = np.flatnonzero((thrown | block.does("pass")) & (block.draws_left > 0))
        opened = block.opened
        rows = core_options(block.records, block.actions.take(some))
        tiles = rows.win_tiles(block.kuitan)
        live = np.where(opened[block.row[some]], tiles[:, 1], tiles[:, 0])
        some, tiles, live = some[live > 0], tiles[live > 0], live[live > 0]
        by_draw, by_ron, *kinds = tiles.T
        row, left = block.row[some], block.draws_left[some]
        own = [block.decisions[i].position.players[0] for i in row]
        declare = np.array([player.riichi for player in own], np.bool_) | block.does("riichi")[some]
        # Who cannot pay for a riichi may not win by ron at all without a yaku, as ``rare_wins``
        # says.
        pays = np.array([player.score >= DEPOSIT for player in own], np.bool_)
        unseen = block.records["observation"]["unseen"]
        hidden = unseen.sum(axis=1)[row]
        drawn = 1 - (1 - by_draw / np.maximum(hidden, by_draw + 1)) ** (left / 4)
        waited = waits_after(block, some)
        furiten = furiten_after(block, some, waited)
        barred = np.array([_safe_from_riichi(d.position) for d in block.decisions], np.uint64)
        safe = np.zeros(len(some))
        on = np.where(waited[:, None] & KIND_BITS, unseen[row], 0)
        if barred.any():
            safe = np.where(barred[row, None] & KIND_BITS, on, 0).sum(axis=1)
            safe = safe / np.maximum(on.sum(axis=1), 1)
        silent = ~opened[row] & ~declare & ~furiten
        return cls(
            some, live, left, drawn, furiten, opened[row], declare,
            silent & pays & (by_ron == 0), silent & (by_ron == live),
            ~furiten * np.stack(kinds) / np.maximum(by_draw, 1),
            barred[row] != 0, safe, (on > 0).sum(axis=1) >= 3, just_called(block.records)[row],
        )  # fmt: skip

    def fewer_rons(self, ending: Floats) -> Floats:
        """(33, e, k) of (33, e, b) P of each joint ending, with fewer rons of hands without a yaku
        and of those that wait on dora: the sum is below one."""
        p = ending[:, :, self.some]
        p[OWN_RONS] *= np.where(self.no_yaku, no_yaku_part(self.left), 1)
        p[OWN_RONS] *= 1 - DORA_RONS * self.shares[0] ** 2
        return p

    @property
    def sort(self) -> Ints:
        """(k,) the number among SORTS."""
        return np.where(self.furiten, 3 + self.declare, np.where(self.opened, 0, 1 + self.declare))

    def inputs(self, odds: Floats) -> Floats:
        """(17, e, k) TERMS, where the networks give these ``odds`` (e, k) of a win."""
        dora, *kinds = self.shares
        every = [np.ones_like(odds), np.log(odds), self.live, np.log(self.live), self.left,
                 dora**2, *kinds, self.silent_yaku, self.facing, self.safe, self.wide,
                 np.maximum(self.left - EARLY, 0), ~self.wide & (self.live == 8),
                 self.called * np.maximum(LATE - self.left, 0)]  # fmt: skip
        return np.stack([np.broadcast_to(each, odds.shape) for each in every])

    def wins(self, odds: Floats) -> Floats:
        """(e, k) P(win) by the regressions, where the networks give these ``odds`` of it."""
        weights = np.zeros((len(TERMS), len(SORTS)))
        for sort, each in enumerate(SORTS.values()):
            weights[: len(each), sort] = each
        log_odds = (self.inputs(odds) * weights[:, None, self.sort]).sum(axis=0)
        out: Floats = 1 / (1 + np.exp(-log_odds))
        return out


def _safe_from_riichi(position: Position) -> int:
    """The kinds (bit k) that no opponent in riichi can win on; 0 where there is none."""
    masks = [player.furiten_mask for player in position.players[1:] if player.riichi]
    return reduce(and_, masks) if masks else 0


def with_tenpai_wins(found: TenpaiOptions, ending: Floats) -> Floats:
    """(33, e, b) P of each joint ending, with the wins of options that leave a hand tenpai
    corrected; the other endings keep their odds."""
    if not len(found.some):
        return ending
    out = ending.copy()
    p = found.fewer_rons(out)
    win, rest = p[OWN_WINS].sum(axis=0), p[NO_OWN_WIN].sum(axis=0)
    moved = (win > 0) & (win < 1) & (rest > 0)
    wanted = found.wins(np.where(moved, win / np.where(moved, 1 - win, 1), 1))
    wanted = np.where(found.furiten & found.declare, np.minimum(wanted, found.drawn), wanted)
    p[OWN_WINS] *= np.where(moved, wanted / np.where(moved, win, 1), 1)
    p[NO_OWN_WIN] *= np.where(moved, (1 - wanted) / np.where(moved, rest, 1), 1)
    rons = p[OWN_RONS].sum(axis=0)
    fewer = np.where(found.silent_yaku & (rons > 0), (1 - SILENT_DRAWS) * p[0], 0)
    p[0] -= fewer
    p[OWN_RONS] *= 1 + fewer / np.where(rons > 0, rons, 1)
    own, rons = p[0].copy(), p[OWN_RONS].sum(axis=0)
    odds = own / np.where(rons > 0, rons, 1) * (found.live / 5) ** RIICHI_OWN_DRAWS
    drawn = np.minimum((own + rons) * odds / (1 + odds), found.drawn * p.sum(axis=0))
    drawn = np.where((found.sort == 2) & (rons > 0), drawn, own)
    p[0] = drawn
    p[OWN_RONS] *= (own + rons - drawn) / np.where(rons > 0, rons, 1)
    out[:, :, found.some] = p
    return out
