"""What the networks of options miss near the end of the wall, and after a declined abort.

Which seat draws how often before the wall ends they hardly see: with five draws left after an own
discard the seat to the right draws twice and each other once, with two only two seats draw at all
unless somebody calls. A hand left tenpai by the seat's last discard stays tenpai. A seat that
declines nine terminals does not abort later. Who is tenpai at the draw the deal-in model knows
better. ``haiyomi evaluate corrections`` compares each number with records.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.outcomes.joint import ABORTED, DRAWN, PAYER, TENPAI
from haiyomi.outcomes.option import ENDS_HAND
from haiyomi.outcomes.option_block import OptionBlock

_DRAWN_TENPAI: Final = TENPAI[DRAWN:ABORTED]

TURNS: Final = np.array(
    [
        (1.75, 0.07, 0.01, 0.02),
        (1.43, 2.06, 0.16, 0.04),
        (1.48, 1.59, 2.40, 0.14),
        (0.56, 0.65, 0.79, 0.69),
        (1.09, 0.60, 0.67, 0.56),
        (0.99, 1.00, 0.62, 0.51),
        (1.01, 1.11, 1.17, 0.60),
    ]
)
"""With 1 to 7 draws left, how many times as often as the networks say the hand ends with the draw
or the discard of the seat whose turn comes first, second, third and fourth. Fitted by likelihood to
32,161 decisions of train, on whose games the networks were fitted too; factors below .2 rest on 1
to 15 hands that ended so, others on 179 to 524. Rons and own draws have the same factors. Fitted to
one half of the games, they lower the log loss of the ending on the other from 1.424 to 1.409 with 1
to 3 draws left after an own discard, from 2.010 to 2.003 with 4 to 7. On valid (3,637 and 5,776
decisions) what is expected of wins, deal-ins and others' wins lies within the intervals of what
came."""
EARLIER: Final = 1.26
EARLIER_DRAWS: Final = (8, 11)
"""The same of each opponent's turns with so many draws left after an own discard: 6,797 decisions
of train; by the number of draws 1.21 to 1.32. It may be too much: on 7,229 decisions of valid other
players' own draws came .162 [.150, .175] times, and .178 are expected. Of the seat's own draws and
deal-ins, after a pass, and with 12 to 19 left (1.06) the networks are nearly right."""
NOTEN_LATER: Final = 0.08
"""A hand left tenpai by the seat's last discard is noten at an exhaustive draw this times as often
as the networks say: 3 of 903 decisions of train, where 38 were expected."""
TENPAI_LATER: Final = (0.0, 0.4)
"""A hand that is not tenpai, draws no more and has one or two draws of others before it is tenpai
at the draw this times as often as the networks say: it can only call. None of 3,468 discards of
records with one draw left became tenpai, where 1.7% were expected to, and .8% with two left, where
2.0% were."""
READ_NOW: Final = 0.94
READ_DRAWS: Final = 8.0
READ_GROWTH: Final = 0.05
READ_UNTIL: Final = 15
"""The log odds of each opponent to be tenpai at an exhaustive draw are those of the reading now
(the deal-in model's), and the third more for each draw left, with the first times exp(-draws left
/ second) as their weight; the rest are those of the networks, which see the opponents only through
the policy; with at most the fourth of draws left. Fitted to 440 games of train (14,774 opponents
not in riichi): log loss .440, of the networks alone .462; with no draw left .338 and .402. The
growth was chosen on 320 games of valid. On 192 games of valid in which nothing was chosen (9,523
opponents) the log loss changes by -.0218 [-.0313, -.0120], of that -.0029 [-.0051, -.0006] by the
growth."""
ABORTS_DECLINED: Final = 0.004
"""The most that remains of an abort where nine terminals are declined: nine kinds in another's
first hand, or four winds."""


def last_draws(block: OptionBlock, p: Floats) -> Floats:
    """(33, e, b) how likely each joint ending is beside the others, from what the networks say of
    it, ``p``."""
    left = block.draws_left
    out = p.copy()
    nine = block.does("nine terminals")
    if nine.any():
        declined = ~nine & (np.bincount(block.row, nine, len(block)) > 0)[block.row]
        out[ABORTED] = np.where(declined, np.minimum(p[ABORTED], ABORTS_DECLINED), p[ABORTED])
    if left.min() > EARLIER_DRAWS[1]:
        return out
    throws = block.does("discard", "riichi")
    late = (throws | block.does("pass")) & (left > 0) & (left <= len(TURNS))
    first, last = EARLIER_DRAWS
    earlier = throws & (left >= first) & (left <= last)
    parts = np.ones((len(left), len(PAYER)))
    parts[late] = np.where(
        PAYER >= 0, TURNS[left[late, None] - 1, _turns(block)[late]][:, PAYER], 1
    )
    parts[earlier] = np.where(PAYER > 0, EARLIER, 1)
    out *= parts.T[:, None]
    stays = block.does("discard") & (left > 0) & (left < 4) & (block.shanten == 0)
    moved = (1 - NOTEN_LATER) * stays * out[DRAWN:ABORTED:2]
    moved -= _noten_stays(block) * out[DRAWN + 1 : ABORTED : 2]
    out[DRAWN:ABORTED:2] -= moved
    out[DRAWN + 1 : ABORTED : 2] += moved
    return out


def _noten_stays(block: OptionBlock) -> Floats:
    """(b,) what part of the tenpai at a draw goes, as TENPAI_LATER has it."""
    left, passes = block.draws_left, block.does("pass")
    shanten = np.where(passes, block.records["calls"][block.row, 0, 0], block.shanten)
    few = (left > 0) & (left <= len(TENPAI_LATER)) & (shanten > 0)
    few &= (block.does("discard") | passes) & (_turns(block)[:, 0] >= left)
    out: Floats = np.where(few, 1 - np.array(TENPAI_LATER)[np.clip(left, 1, 2) - 1], 0)
    return out


def opponents_tenpai(block: OptionBlock, p: Floats, tenpai: Floats) -> Floats:
    """(33, e, b) P of each joint ending ``p``, where opponents are tenpai at an exhaustive draw as
    READ_NOW says; ``tenpai`` (n, 3) P(tenpai) of each by the reading, NaN where it is unknown."""
    read = tenpai[block.row]
    known = (block.draws_left <= READ_UNTIL) & np.isfinite(read[:, 0])
    some = np.flatnonzero(known & ~block.does(*ENDS_HAND))
    if not len(some):
        return p
    before = p[DRAWN:ABORTED, :, some]
    drawn = before.sum(axis=0)
    part = READ_NOW * np.exp(-block.draws_left[some] / READ_DRAWS)
    after = before.copy()
    for seat in (1, 2, 3):
        there = _DRAWN_TENPAI[:, seat] == 1
        networks = before[there].sum(axis=0) / np.where(drawn > 0, drawn, 1)
        now = _log_odds(read[some, seat - 1]) + READ_GROWTH * block.draws_left[some]
        after[there] *= np.exp(part * (now - _log_odds(networks)))
    for own in (0, 1):
        there = _DRAWN_TENPAI[:, 0] == own
        kept, moved = before[there].sum(axis=0), after[there].sum(axis=0)
        after[there] *= kept / np.where(moved > 0, moved, 1)
    out = p.copy()
    out[DRAWN:ABORTED, :, some] = after
    return out


def _log_odds(p: Floats) -> Floats:
    """Of probabilities, kept away from zero and one."""
    q = np.clip(p, 1e-4, 1 - 1e-4)
    out: Floats = np.log(q) - np.log1p(-q)
    return out


def _turns(block: OptionBlock) -> Ints:
    """(b, 4) which turn is that of each seat, 0 to 3, where nobody calls after the option."""
    offers = [0 if d.offer is None else (d.offer.seat - d.seat) % 4 for d in block.decisions]
    out: Ints = (np.arange(4) - np.array(offers)[block.row, None] - 1) % 4
    return out
