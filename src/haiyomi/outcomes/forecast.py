"""The forecast: from what a network says of the hand's later end to an ``Outcome`` for each option.

The network answers for what comes *later*, given that nobody wins at once on the option's tile.
A win at once on the tile has the probability and the points of the deal-in model, a claimed win
its score, a win of a tenpai hand what it is worth, nine terminals abort the hand, and what the
rules exclude has probability 0 before the rest is normalised. Where the networks are known
to be off by the option, measured corrections follow, each in a module of its own and in the order
of ``block_forecast``. ``haiyomi evaluate corrections`` compares each with records.

All options of a block of decisions are worked out in one pass over arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.kernels.option_endings import option_changes, option_deposits
from haiyomi.outcomes.answer import Endings, Outcome, Placement
from haiyomi.outcomes.at_once import Risks, WinsAtOnce, at_once
from haiyomi.outcomes.claimed import Claimed, claimed
from haiyomi.outcomes.corrections.dead_waits import with_dead_waits
from haiyomi.outcomes.corrections.deposits import deposits_of
from haiyomi.outcomes.corrections.kan_draws import with_kan_draws
from haiyomi.outcomes.corrections.last_draws import last_draws, opponents_tenpai
from haiyomi.outcomes.corrections.later_deal_ins import (
    after_riichi,
    open_tenpai_part,
    richer_after_kan,
    richer_hands,
    richer_shown,
)
from haiyomi.outcomes.corrections.open_yaku import no_yaku_near, open_yaku_part
from haiyomi.outcomes.corrections.passes import after_pass
from haiyomi.outcomes.corrections.rare_wins import fewer_rons_of_kans
from haiyomi.outcomes.corrections.red_fives import a_han_less, like_plain_fives
from haiyomi.outcomes.corrections.steps_back import steps_back
from haiyomi.outcomes.corrections.tenpai_wins import TenpaiOptions, with_tenpai_wins
from haiyomi.outcomes.corrections.tenpai_worth import ExactWorth, own_worth
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.ends import CLASSES, Stakes, ends_of, tilted
from haiyomi.outcomes.excluded import possible_endings
from haiyomi.outcomes.joint import (
    ENDING_OF,
    OTHERS_TSUMO,
    OTHERS_WIN,
    OTHERS_WINNER,
    OWN_DEAL_INS,
    OWN_WINS,
    PAYER,
    WINNER,
)
from haiyomi.outcomes.later import LaterEndings
from haiyomi.outcomes.option import ENDS_HAND
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.own_waits import own_waits

_DEAL_INS: Final = slice(Ending.DEAL_IN_RIGHT, Ending.DEAL_IN_LEFT + 1)
_BY_ENDING: Final = np.argsort(ENDING_OF, kind="stable")
_BEGINS: Final = np.searchsorted(ENDING_OF[_BY_ENDING], np.arange(len(Ending)))
"""The joint endings in the order of ``Ending``, and where those of each begin; all have some."""
_DEALT_IN: Final = PAYER[OTHERS_WIN] == 0
"""(12,) which of OTHERS_WIN are a ron on the own tile."""


@dataclass(frozen=True, eq=False)
class BlockForecast:
    """How the hand may end after each option of a block, as arrays, by e members of an ensemble.

    ``later`` (33, e, b) P of each joint ending given that nobody wins at once, zeros for options
    that claim a win and nine terminals; ``deposit`` (4, e, b) P that a seat pays a deposit, as
    ``option_deposits`` has it. ``own`` (2, e, b, 9) P of the class of the own hand, won by ron and
    by tsumo. Options side by side of one decision with the same opponents' worth are a *group*, of
    which ``group_begins`` (g,) is the first: ``others`` (g, 12, 9) P of the class of the winner of
    ``OTHERS_WIN``. ``claims`` are the payments of claimed wins by the option's number; ``shares``
    (b,) how often players choose each option, where that is known. ``exact``: what a part of
    ``own`` pays exactly, by the option's number, of tenpai hands in the last hand of a game.
    """

    block: OptionBlock
    once: WinsAtOnce
    later: Floats
    deposit: Floats
    own: Floats
    group_begins: Ints
    others: Floats
    claims: dict[int, tuple[Claimed, ...]]
    shares: Floats | None = None
    exact: dict[int, ExactWorth] = field(default_factory=dict)

    @classmethod
    def without_later(cls, block: OptionBlock, once: WinsAtOnce) -> BlockForecast:
        """Of options whose tile is certainly won on at once."""
        m, zeros = len(block.act), np.zeros
        return cls(
            block, once, zeros((len(WINNER), 1, m)), zeros((4, 1, m)), zeros((2, 1, m, CLASSES)),
            block.begins, zeros((len(block), len(OTHERS_WIN), CLASSES)), {},
        )  # fmt: skip

    @property
    def group_rows(self) -> Ints:
        """(g,) the decision of each group."""
        return self.block.row[self.group_begins]

    @cached_property
    def stakes(self) -> list[Stakes]:
        """Of the decisions."""
        return [Stakes.of(decision.position) for decision in self.block.decisions]

    @cached_property
    def endings(self) -> tuple[Floats, Floats]:
        """(14, e, b) the probability of each ``Ending``, and that times the mean change of the own
        score then."""
        row, once = self.block.row, self.once
        total = self.later * self.changes()
        p = np.add.reduceat(self.later[_BY_ENDING], _BEGINS)
        moved = np.add.reduceat(total[_BY_ENDING], _BEGINS)
        p *= once.nobody
        moved *= once.nobody
        p[_DEAL_INS] += once.first.T[:, None]
        moved[_DEAL_INS] -= (once.first * once.lost).T[:, None]
        p[Ending.ABORTED] += once.aborted
        p[Ending.ABORTED][:, self.block.does("nine terminals")] = 1
        for option, ways in self.claims.items():
            tsumo = self.block.decisions[row[option]].offer is None
            ending = Ending.TSUMO if tsumo else Ending.RON
            p[ending, :, option] = sum(way.probability for way in ways)
            moved[ending, :, option] = sum(way.probability * way.changes[0] for way in ways)
        whole = np.add.reduce(p)
        return p / whole, moved / whole

    def changes(self, seat: int = 0) -> Floats:
        """(33, e, b) the mean change of a relative seat's score with each joint ending."""
        ends = np.array([ends_of(stakes).changes[:, seat] for stakes in self.stakes])
        return option_changes(
            self.group_begins, ends[self.group_rows], self.own, self.others, self.deposit, seat
        )

    def outcomes(
        self, policy: str, placed: Sequence[Placement | None] | None = None
    ) -> list[Outcome]:
        """An Outcome for each of the b options, with the placements ``placed`` (b,)."""
        p, moved = self.endings
        members = np.add.reduce(moved)
        share = p.mean(axis=1)
        points = np.divide(moved.mean(axis=1), share, out=np.zeros_like(share), where=share > 0)
        now = self.once.first[:, 0] + self.once.first[:, 1] + self.once.first[:, 2]
        several = len(members) > 1
        chosen = [None] * len(now) if self.shares is None else self.shares.tolist()
        waits = own_waits(self.block)
        return [
            Outcome(
                option,
                policy,
                Endings.of_columns(shares, means),
                placement=placement,
                deal_in_now=at_once,
                share=often,
                members=tuple(each) if several else (),
                wait=waits.get(number),
                no_yaku=yakuless,
            )
            for number, option, shares, means, at_once, each, often, placement, yakuless in zip(
                range(len(now)),
                self.block.flat,
                share.T.tolist(),
                points.T.tolist(),
                now.tolist(),
                members.T.tolist(),
                chosen,
                [None] * len(now) if placed is None else placed,
                no_yaku_near(self.block).tolist(),
                strict=True,
            )
        ]


def block_forecast(
    block: OptionBlock,
    later: LaterEndings,
    risks: Sequence[Risks | None] | None = None,
    made: Floats | None = None,
    read_now: Floats | None = None,
) -> BlockForecast:
    """How the hand may end after each option of a block. ``risks`` (b,) of the tiles of options
    that discard one, or add one to a triplet; None for others, or where no tile has a risk.
    ``made`` (n,): how often players make the call that a decision follows; None: none follows one.
    ``read_now`` (n, 3): P(tenpai) of each opponent by the reading, NaN where it is unknown.
    Raises ValueError where ``later`` is of another number of options."""
    m = len(block.act)
    if later.ending.shape[1] != m:
        raise ValueError(f"{later.ending.shape[1]} rows for {m} options")
    p = possible_ending(block, later)
    tenpai = TenpaiOptions.of(block)
    richer, kan, shown = np.zeros(m), np.zeros(m), np.zeros((len(block), len(OTHERS_WIN)))
    once = at_once(block, [None] * m if risks is None else risks)
    if later.share is not None:
        p = like_plain_fives(block, p)
        p = with_tenpai_wins(tenpai, fewer_rons_of_kans(block, p))
        p = with_dead_waits(block, p)
        p = last_draws(block, p)
        if read_now is not None:
            p = opponents_tenpai(block, p, read_now)
        p = steps_back(block, p)
        p = after_pass(block, p, later.share)
        calls = np.ones(m) if made is None else made[block.row]
        p[OWN_WINS] *= open_yaku_part(block, later.share, calls)
        p[OWN_DEAL_INS] *= open_tenpai_part(block)
        p[OWN_DEAL_INS] *= after_riichi(block, once, p[OWN_DEAL_INS].sum(axis=0), later.share)
        p /= np.add.reduce(p)
        p = with_kan_draws(block, p)
        richer, kan = richer_hands(block, tenpai), richer_after_kan(block)
        shown = richer_shown(block)
    p *= ~block.does(*ENDS_HAND)
    begins, others = _others(block, richer, kan, shown, tilted(later.others))
    worth = later.own if later.share is None else a_han_less(block, later.own)
    own, exact = own_worth(block, tenpai, tilted(worth), later.share)
    return BlockForecast(
        block,
        once,
        p,
        option_deposits(deposits_of(block, later), p),
        own,
        begins,
        others,
        {i: claimed(block.decisions[block.row[i]])
         for i in np.flatnonzero(block.does("tsumo", "ron")).tolist()},
        later.share,
        exact,
    )  # fmt: skip


def possible_ending(block: OptionBlock, later: LaterEndings) -> Floats:
    """(33, e, b) P of each joint ending, given that the rules leave it open."""
    possible = possible_endings(block).T[:, None]
    # A block of one is summed in the order of any other.
    p: Floats = np.multiply(later.ending.transpose(2, 0, 1), possible, order="C")
    whole = np.add.reduce(p)
    if not whole.all():
        p = np.where(whole > 0, p, possible)
        whole = np.add.reduce(p)
    p /= whole
    return p


def _others(
    block: OptionBlock, richer: Floats, kan: Floats, shown: Floats, worth: Floats
) -> tuple[Ints, Floats]:
    """``group_begins`` (g,) and ``others`` (g, 12, 9) of a ``BlockForecast``, from (2, n, 3, 9) P
    of the class of each opponent's hand that wins by ron, and by tsumo; ``richer`` (b,) where the
    seat deals in, ``kan`` (b,) wherever an opponent wins, and ``shown`` (n, 12) by its ending."""
    new = np.zeros(len(richer), np.bool_)
    new[0] = True
    for each in (block.row, richer, kan):
        new[1:] |= each[1:] != each[:-1]
    begins = np.flatnonzero(new)
    row = block.row[begins]
    others = worth[OTHERS_TSUMO, :, OTHERS_WINNER - 1][:, row].transpose(1, 0, 2)
    declared = [[player.riichi for player in d.position.players] for d in block.decisions]
    exponent = richer[begins, None] * (_DEALT_IN & ~np.array(declared)[row][:, OTHERS_WINNER])
    exponent = exponent + kan[begins, None] + shown[row]
    others = others * np.exp(exponent[..., None] * np.arange(CLASSES))
    others /= others.sum(axis=2, keepdims=True)
    return begins, others
