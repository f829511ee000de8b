"""Wins after an option that leaves a hand tenpai which may not win as it is: in furiten not by ron,
without a yaku or an unseen tile not at all. It wins once it has changed; in riichi it never does.

The networks do not see any of it: they expect as many wins of these hands as of others. How much
of that comes was measured. In furiten, on 1,789 branches: none of the rons of 397 with fewer than
12 draws left, .11 of them with 12 to 23, .23 with more. Of open hands without a yaku, on 3,334
discards of records of train, and on 790 calls that were made or might have been and were played on
in 64 worlds: some .2 of the wins with fewer than 20 draws left, as long as a win on the last draw,
or on the discard after it, is no yaku by itself. Earlier it depends on how many tiles more than for
a win the hand lacks for a yaku: one more, and all of the wins come of who knows why, .4 where
hardly anybody does the same; two or more, and .18 come. A closed hand may still declare riichi, and
all of its wins count.
``haiyomi evaluate corrections`` compares the result with records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.game.decision_record import Decisions
from haiyomi.game.observation import open_melds
from haiyomi.outcomes.excluded import furiten_after, waits_after
from haiyomi.outcomes.joint import NO_OWN_WIN, OWN_RONS, OWN_WINS
from haiyomi.outcomes.option_actions import RIICHIS, OptionActions, core_options
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.rules import DEPOSIT

FURITEN_DRAWS: Final = 160.0
"""A hand in furiten wins by ron draws left / FURITEN_DRAWS times as often as another."""
NO_YAKU_DRAWS: Final = 75.0
NO_YAKU_LEAST: Final = 0.2
NO_YAKU_LAST: Final = 2.0
"""The same of a closed one without a yaku, by ron and by own draw: at least NO_YAKU_LEAST and
NO_YAKU_LAST / draws left times as often, and at most as often. With 2 to 7 draws left .019 of 3,531
open hands of train won, and .008 were expected to with NO_YAKU_LEAST alone."""
FAR_FROM_YAKU: Final = 0.18
"""An open hand without a yaku, for which one takes at least two tiles more than a win, wins so many
times as often as another, or NO_YAKU_LAST / draws left times."""
NEAR_YAKU_FROM, NEAR_YAKU_DRAWS = 16, 12
"""One for which it takes a tile more wins (draws left - NEAR_YAKU_FROM) / NEAR_YAKU_DRAWS times as
often as another, at least NO_YAKU_LEAST times and at most as often."""
UNKNOWN: Final = 0.6
"""This part of the wins of such hands does not come where nobody does the same."""


@dataclass(frozen=True, slots=True, eq=False)
class RareWins:
    """Of b options, what part comes of the wins that a network expects: ``by_draw`` and ``by_ron``
    (b,), 1 of hands that may win."""

    by_draw: Floats
    by_ron: Floats

    def apply(self, ending: Floats) -> Floats:
        """(e, b, 33) P of each joint ending with so many wins; the other endings keep their odds,
        and options of which all comes their bits."""
        part = np.stack([self.by_draw, *[self.by_ron] * 3], axis=1)
        if part.min() == 1:
            return ending
        wins, rest = ending[..., OWN_WINS] * part, ending[..., NO_OWN_WIN]
        left = rest.sum(axis=-1, keepdims=True)
        share = np.divide(
            1 - wins.sum(axis=-1, keepdims=True), left, out=np.ones_like(left), where=left > 0
        )
        moved = (part < 1).any(axis=1, keepdims=True) & (left > 0)
        return np.where(moved, np.concatenate([wins, rest * share], axis=-1), ending)


def no_yaku_part(left: NDArray[Any]) -> Floats:
    """What part comes of the wins of a hand without a yaku, by the draws left: all on the last draw
    or the discard after it, which are a yaku."""
    return _or_last(np.maximum(left / NO_YAKU_DRAWS, NO_YAKU_LEAST), left)


def _or_last(part: Floats, left: NDArray[Any]) -> Floats:
    out: Floats = np.clip(np.maximum(part, NO_YAKU_LAST / np.maximum(left, 1)), 0, 1)
    return out


def open_no_yaku_part(left: NDArray[Any], more: Ints, share: Floats) -> Floats:
    """What part comes of the wins of an open hand without a yaku, for which one takes ``more``
    tiles than a win, by the draws ``left`` and the ``share`` of players who do the same."""
    one = np.clip((left - NEAR_YAKU_FROM) / NEAR_YAKU_DRAWS, NO_YAKU_LEAST, 1)
    return _or_last(np.where(more > 1, FAR_FROM_YAKU, one * known_part(share)), left)


def known_part(share: Floats) -> Floats:
    """What part comes of the wins of an open hand that lacks one tile more for a yaku, by the
    ``share`` of players who do the same: because they know why, more of it comes."""
    return 1 - UNKNOWN * (1 - share)


def rare_wins(
    records: Decisions, options: OptionActions, furiten: Bools, share: Floats, kuitan: bool
) -> RareWins:
    """Of options of n decisions; ``furiten`` (b,) those that leave a hand tenpai in furiten;
    ``share`` (b,) how often players choose each; ``kuitan``: open tanyao is a yaku."""
    row, seen = options.row, records["observation"]
    own = seen["players"][:, 0]
    opened = (open_melds(own) > 0)[row]
    riichi = (own["riichi"] >= 0)[row] | (options.sort == RIICHIS)
    fixed = opened | (own["score"] < DEPOSIT)[row] | riichi
    if not (fixed.any() or furiten.any()):
        return RareWins(np.ones(len(row)), np.ones(len(row)))
    left = seen["draws_left"][row].astype(np.float64)
    rows = core_options(records, options)
    by_draw, by_ron = rows.win_tiles(kuitan)[:, :2].T
    no_yaku = np.where(riichi, 0, no_yaku_part(left))
    if opened.any():
        lacking, flexible, _ = rows.open_steps(kuitan).T
        part = open_no_yaku_part(left, flexible - lacking, share)
        no_yaku = np.where((lacking == 1) & (flexible > 1), part, no_yaku)
    drawn = np.where(fixed & (by_draw == 0), no_yaku, 1.0)
    ronned = np.where(fixed & (by_ron == 0), no_yaku, 1.0)
    changed = np.where(riichi, 0, left / FURITEN_DRAWS)
    return RareWins(drawn, np.minimum(ronned, np.where(furiten, changed, 1.0)))


def fewer_rons_of_kans(block: OptionBlock, ending: Floats) -> Floats:
    """(33, e, b) P of each joint ending, with so few rons after own kans that leave a hand tenpai
    in furiten; the other endings but own draws take their place."""
    some = np.flatnonzero(block.does("ankan", "kakan") & (block.shanten == 0))
    if len(some):
        some = some[furiten_after(block, some, waits_after(block, some))]
    if not len(some):
        return ending
    out = ending.copy()
    rons, rest = ending[OWN_RONS, :, some], ending[NO_OWN_WIN, :, some]
    fewer = rons * (1 - block.draws_left[some] / FURITEN_DRAWS)
    left = rest.sum(axis=0)
    out[OWN_RONS, :, some] -= fewer
    out[NO_OWN_WIN, :, some] *= 1 + fewer.sum(axis=0) / np.where(left > 0, left, 1)
    return out
