"""The forecast: from what a network says of the hand's later end to an ``Outcome`` for each option.

The network answers for what comes *later*, given that nobody wins at once on the option's tile.
A win at once on the tile has the probability and the points of the deal-in model, a claimed win
its score, a win of a tenpai hand what it is worth, nine terminals abort the hand, and what the
rules exclude has probability 0 before the rest is normalised. Where the networks are known
to be off by the option, measured corrections follow: wins of tenpai hands, the last draws, steps
back, later deal-ins and deposits, and what opponents' hands are worth. ``haiyomi evaluate
corrections`` compares each with records.

All options of a block of decisions are worked out in one pass over arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.dealin.answer import TileRisk
from haiyomi.events import Discard
from haiyomi.kernels.option_endings import option_changes, option_deposits, wins_at_once
from haiyomi.outcomes.answer import Endings, Outcome, Placement
from haiyomi.outcomes.claimed import Claimed, claimed
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.ends import CLASSES, Stakes, ends_of, tilted
from haiyomi.outcomes.excluded import possible_deposits, possible_endings
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
from haiyomi.outcomes.kan_draws import with_kan_draws
from haiyomi.outcomes.last_draws import last_draws, opponents_tenpai
from haiyomi.outcomes.later import Later
from haiyomi.outcomes.open_yaku import no_yaku_near, open_yaku_part
from haiyomi.outcomes.option import ENDS_HAND, KANS
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.own_waits import own_waits
from haiyomi.outcomes.rare_wins import fewer_rons_of_kans
from haiyomi.outcomes.steps_back import steps_back
from haiyomi.outcomes.tenpai_wins import TenpaiOptions, with_tenpai_wins
from haiyomi.outcomes.tenpai_worth import PossibleWin, classes_of, wins_of
from haiyomi.rules import WALL_DRAWS

Risks = tuple[TileRisk, TileRisk, TileRisk]
_DEAL_INS: Final = slice(Ending.DEAL_IN_RIGHT, Ending.DEAL_IN_LEFT + 1)
_BY_ENDING: Final = np.argsort(ENDING_OF, kind="stable")
_BEGINS: Final = np.searchsorted(ENDING_OF[_BY_ENDING], np.arange(len(Ending)))
"""The joint endings in the order of ``Ending``, and where those of each begin; all have some."""
DEPOSIT_LATER: Final = 2.7
DEPOSIT_BY_SHARE: Final = 4.5
"""The networks say how often the seat pays a deposit before it decides. Where it may declare riichi
and does not, that comes so often: the first times the part of the wall's draws that is left, over 1
plus the second times the share of players who declare. Fitted to 8,546 decisions of train after
which another won without the seat's tile: .096 had paid; log loss .2646 there, and .2827 by a
factor of .55 less .25 times the share. Of 2,591 on valid .096 [.079, .116] had, and .104 are
expected to."""
HAND_CHANGES: Final = 0.15
NO_YAKU_CHANGES: Final = 0.5
"""A hand in silence may change, which the networks know: this part of its worth is theirs, the rest
by the rules; the second of closed hands without a yaku. The likeliest part on train was .18 by ron
and .12 by own draw of closed hands (15,256 wins), .10 and .15 of open hands, and without a yaku .88
and .53 (2,783 wins), where a part above .5 makes rons worth less than came."""
_DEALT_IN: Final = PAYER[OTHERS_WIN] == 0
"""(12,) which of OTHERS_WIN are a ron on the own tile."""
RICHER_RIICHI: Final = 0.18
RICHER_TENPAI: Final = 0.09
"""Who stays tenpai deals in to hands worth more than the decision's, because it does not fold when
an opponent shows such a hand: the odds of each class of worth over the one below are exp(this)
times as high, where riichi is declared and where a closed hand stays tenpai in silence, unless that
opponent has declared riichi before. Measured where riichi was on offer, in 3,800 games of train:
the loss was some 15% and 8% above the networks'. Nothing was found of open hands and after the
declaration."""
RICHER_KAN: Final = 0.3
"""The same of all opponents after an own kan, which shows a dora more, whoever pays. In 39,892
games of train hands won 25% to 26% more where another had made a kan, in riichi or not, of dealers
and others (10,653 wins)."""
LATER_DEAL_INS: Final = np.array([1.6, 1.9, 3.8])
"""Where a tile passes that dealt in with probability p, the odds of a later deal-in are
exp(this * p) times the networks', of a hand left tenpai, one away and further. Fitted to 86,897 own
turns of train with a riichi or an open meld of an opponent: 1.6 [.8, 2.7], 1.9 [.7, 3.0] and 3.8
[2.2, 5.5]."""
RIICHI_LATER: Final = 0.5
"""A seat that declares riichi cannot fold. Of the deal-ins that players expect before they choose,
at once or later, at least this part comes later after a riichi: where all tiles are dangerous, the
networks leave less. Fitted to 2,045 riichi of train against a riichi, whose tile passed: .60
[.26, .66]; of the 264 with more than .15 at once on average .125 dealt in later, and .074 were
expected to. Of 325 with .1 and more in 1,318 games of valid .139 [.103, .176] did, and with it .135
are expected to."""


@dataclass(frozen=True, slots=True, eq=False)
class AtOnce:
    """Wins at once on the tiles of b options. ``first`` (b, 3): P that opponent 1, 2 or 3 is the
    first winner in turn; ``lost`` (b, 3) the mean points lost then, to all winners; ``classes``
    (b, 3, 9) P of the class of that winner's hand; ``aborted`` (b,) P that three win, where the
    rules abort the hand."""

    first: Floats
    lost: Floats
    classes: Floats
    aborted: Floats

    @property
    def nobody(self) -> Floats:
        """(b,) P that nobody wins on the tile."""
        a, b, c = self.first.T
        out: Floats = 1 - (a + b + c) - self.aborted
        return out


def at_once(block: OptionBlock, risks: Sequence[Risks | None]) -> AtOnce:
    """Of options, by the risks of those that discard a tile or add one to a triplet. The three
    opponents' wins are taken as independent."""
    positions = [decision.position for decision in block.decisions]
    honba = 300 * np.array([p.honba for p in positions])[block.row]
    dealer = np.array([p.dealer for p in positions])[block.row]
    found = [
        (3 * i + r, risk)
        for i, three in enumerate(risks)
        if three is not None
        for r, risk in enumerate(three)
        if risk.probability > 0
    ]
    cells = [risk.rows.cells for _, risk in found]
    return AtOnce(
        *wins_at_once(
            np.array([at for at, _ in found], np.int64),
            np.array([risk.probability for _, risk in found], np.float64),
            np.array([risk.rows.expected_loss for _, risk in found], np.float64),
            np.array([len(each) for each in cells], np.int64),
            np.concatenate([np.zeros((0, 4)), *cells]),
            honba,
            dealer,
            positions[0].rules.triple_ron,
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class ExactWorth:
    """What a ``part`` of an option's own wins pays by the rules: ``classes`` (2, 9) P of the class
    by ron, and by tsumo, and the ``wins`` themselves."""

    part: float
    classes: Floats
    wins: list[PossibleWin]


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
    once: AtOnce
    later: Floats
    deposit: Floats
    own: Floats
    group_begins: Ints
    others: Floats
    claims: dict[int, tuple[Claimed, ...]]
    shares: Floats | None = None
    exact: dict[int, ExactWorth] = field(default_factory=dict)

    @classmethod
    def without_later(cls, block: OptionBlock, once: AtOnce) -> BlockForecast:
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
    later: Later,
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
    richer, kan = np.zeros(m), np.zeros(m)
    once = at_once(block, [None] * m if risks is None else risks)
    if later.share is not None:
        p = with_tenpai_wins(tenpai, fewer_rons_of_kans(block, p))
        p = last_draws(block, p)
        if read_now is not None:
            p = opponents_tenpai(block, p, read_now)
        p = steps_back(block, p)
        chosen = later.share if made is None else later.share * made[block.row]
        p[OWN_WINS] *= open_yaku_part(block, chosen)
        p[OWN_DEAL_INS] *= _later_deal_ins(block, once)
        p[OWN_DEAL_INS] *= _after_riichi(block, once, p[OWN_DEAL_INS].sum(axis=0), later.share)
        p /= np.add.reduce(p)
        p = with_kan_draws(block, p)
        richer = _richer(block, tenpai)
        kan[block.does(*KANS)] = RICHER_KAN
    p *= ~block.does(*ENDS_HAND)
    begins, others = _others(block, richer, kan, tilted(later.others))
    own, exact = _own_worth(block, tenpai, tilted(later.own), later.share)
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


def possible_ending(block: OptionBlock, later: Later) -> Floats:
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


def _later_deal_ins(block: OptionBlock, once: AtOnce) -> Floats:
    """(b,) the factor of LATER_DEAL_INS on the odds of a later deal-in."""
    out: Floats = np.exp(LATER_DEAL_INS[np.minimum(block.shanten, 2)] * (1 - once.nobody))
    return out


def _after_riichi(block: OptionBlock, once: AtOnce, later: Floats, share: Floats) -> Floats:
    """(e, b) the factor on the odds of a ``later`` (e, b) deal-in that RIICHI_LATER asks."""
    at_once = np.bincount(block.row, share * (1 - once.nobody), len(block))[block.row]
    least = np.where(block.does("riichi"), RIICHI_LATER * (at_once + later), 0)
    return np.maximum(least / np.maximum(later, 1e-9), 1)


def _richer(block: OptionBlock, tenpai: TenpaiOptions) -> Floats:
    """(b,) how much richer the hands are that an option deals in to, as RICHER_RIICHI has it."""
    out = np.zeros(len(block.row))
    out[tenpai.some] = np.where(tenpai.opened | tenpai.declare, 0, RICHER_TENPAI)
    out[block.does("riichi")] = RICHER_RIICHI
    return out


def _others(block: OptionBlock, richer: Floats, kan: Floats, worth: Floats) -> tuple[Ints, Floats]:
    """``group_begins`` (g,) and ``others`` (g, 12, 9) of a ``BlockForecast``, from (2, n, 3, 9) P
    of the class of each opponent's hand that wins by ron, and by tsumo; ``richer`` (b,) where the
    seat deals in, and ``kan`` (b,) wherever an opponent wins."""
    new = np.zeros(len(richer), np.bool_)
    new[0] = True
    for each in (block.row, richer, kan):
        new[1:] |= each[1:] != each[:-1]
    begins = np.flatnonzero(new)
    row = block.row[begins]
    others = worth[OTHERS_TSUMO, :, OTHERS_WINNER - 1][:, row].transpose(1, 0, 2)
    declared = [[player.riichi for player in d.position.players] for d in block.decisions]
    exponent = richer[begins, None] * (_DEALT_IN & ~np.array(declared)[row][:, OTHERS_WINNER])
    exponent = exponent + kan[begins, None]
    others = others * np.exp(exponent[..., None] * np.arange(CLASSES))
    others /= others.sum(axis=2, keepdims=True)
    return begins, others


def _own_worth(
    block: OptionBlock, tenpai: TenpaiOptions, own: Floats, share: Floats | None
) -> tuple[Floats, dict[int, ExactWorth]]:
    """(2, e, b, 9) P of the class of the own hand, and the ``exact`` of a ``BlockForecast``. Of
    tenpai hands it is by the rules; in silence a part is the networks'."""
    out, row, flat = own.copy(), block.row.tolist(), block.flat
    exact = {}
    often = _riichi_share(block, share)
    no_yaku = set(tenpai.some[tenpai.no_yaku].tolist())
    riichi = np.flatnonzero(block.does("riichi")).tolist()
    ready = {(row[i], flat[i].tiles) for i in riichi}
    silent = [i for i in np.flatnonzero(block.does("discard")) if (row[i], flat[i].tiles) in ready]
    for i in sorted({*riichi, *silent, *tenpai.some.tolist()}):
        position, option = block.decisions[row[i]].position, flat[i]
        declares = option.act == "riichi"
        wins = wins_of(position, option.tiles[0] if option.tiles else None, declares, often[row[i]])
        if not wins:
            continue
        worth = classes_of(position, wins)
        part = NO_YAKU_CHANGES if i in no_yaku else HAND_CHANGES
        part *= not (declares or position.players[0].riichi)
        out[:, :, i] = part * out[:, :, i] + (1 - part) * worth[:, None]
        if position.kyoku >= 4 * position.rules.rounds - 1:
            exact[i] = ExactWorth(1 - part, worth, wins)
    return out, exact


def deposits_of(block: OptionBlock, later: Later) -> Floats:
    """(4, b) P that each seat pays a deposit where it does not win, its own riichi included."""
    mean = np.where(possible_deposits(block), later.deposit[block.row], 0)
    for number, decision in enumerate(block.decisions):
        offer = decision.offer
        if isinstance(offer, Discard):
            seat = (offer.seat - decision.seat) % 4
            # Nobody has won yet on the tile that declares riichi: the deposit follows.
            if decision.position.players[seat].river[-1].riichi:
                mean[block.row == number, seat] = 1
    riichi = block.does("riichi")
    if riichi.any() and later.share is not None:
        often = _riichi_share(block, later.share)
        offered = np.bincount(block.row, riichi, len(block)) > 0
        declines = (offered[block.row] & ~riichi).nonzero()[0]
        part = DEPOSIT_LATER * block.draws_left[declines] / WALL_DRAWS
        part /= 1 + DEPOSIT_BY_SHARE * often[block.row[declines]]
        mean[declines, 0] = np.minimum(mean[declines, 0] * part, 1)
    mean[riichi, 0] = 1
    return mean.T


def _riichi_share(block: OptionBlock, share: Floats | None) -> Floats:
    """(n,) the share of players who declare riichi, 0 where that is unknown."""
    if share is None:
        return np.zeros(len(block))
    return np.bincount(block.row, block.does("riichi") * share, len(block)).astype(np.float64)
