"""The forecast: from what a network says of the hand's later end to an ``Outcome`` for each option.

The network answers for what comes *later*, given that nobody wins at once on the option's tile.
The rest is exact: a win at once on the tile has the probability and the points of the deal-in
room, a claimed win its score, nine terminals abort the hand, and what the rules exclude has
probability 0 before the rest is normalised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import TileRisk
from haiyomi.events import Discard
from haiyomi.outcomes.answer import EndingShare, Outcome
from haiyomi.outcomes.claimed import Claimed, claimed
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.ends import (
    CLASSES,
    Ends,
    Stakes,
    by_ending,
    ends_of,
    later_deposits,
    spread,
)
from haiyomi.outcomes.excluded import possible_deposits, possible_endings
from haiyomi.outcomes.joint import worth_class
from haiyomi.outcomes.later import Later
from haiyomi.outcomes.option import Option
from haiyomi.play.decision import Decision

Floats = NDArray[np.float64]
Risks = tuple[TileRisk, TileRisk, TileRisk]
CLAIMS: Final = ("tsumo", "ron")
_DEAL_INS: Final = slice(Ending.DEAL_IN_RIGHT, Ending.DEAL_IN_LEFT + 1)


@dataclass(frozen=True, slots=True, eq=False)
class AtOnce:
    """Wins at once on the tiles of m options. ``first`` (m, 3): P that opponent 1, 2 or 3 is the
    first winner in turn; ``lost`` (m, 3) the mean points lost then, to all winners; ``classes``
    (m, 3, 9) P of the class of that winner's hand; ``aborted`` (m,) P that three win, where the
    rules abort the hand."""

    first: Floats
    lost: Floats
    classes: Floats
    aborted: Floats

    @property
    def nobody(self) -> Floats:
        """(m,) P that nobody wins on the tile."""
        out: Floats = 1 - self.first.sum(axis=1) - self.aborted
        return out


def at_once(decision: Decision, options: Sequence[Option], risks: Mapping[Option, Risks]) -> AtOnce:
    """Of options, by the risks of those that discard a tile or add one to a triplet. The three
    opponents' wins are taken as independent."""
    m, position = len(options), decision.position
    p, points = np.zeros((2, m, 3))
    classes = np.zeros((m, 3, CLASSES))
    honba = 300 * position.honba
    found = [(i, r, risk) for i, o in enumerate(options) for r, risk in enumerate(risks.get(o, ()))]
    if found:
        at, seat = np.array([(i, r) for i, r, _ in found]).T
        p[at, seat] = [risk.probability for _, _, risk in found]
        points[at, seat] = [risk.mean_points for _, _, risk in found]
        cells = np.concatenate([risk.rows.cells for _, _, risk in found])
        of = np.repeat(np.arange(len(found)), [len(risk.rows.cells) for _, _, risk in found])
        worth = (cells[:, 2] - honba).astype(np.int32)
        numbers = worth_class(worth, seat[of] + 1 == position.dealer)
        shares = np.bincount(of * CLASSES + numbers, cells[:, 3], len(found) * CLASSES)
        shares = shares.reshape(-1, CLASSES)
        classes[at, seat] = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    spared = np.cumprod(np.concatenate([np.ones((m, 1)), 1 - p[:, :2]], axis=1), axis=1)
    first = p * spared
    # Only the first in turn receives honba.
    more = p * np.maximum(points - honba, 0)
    after = more.sum(axis=1, keepdims=True) - np.cumsum(more, axis=1)
    total = first * (points + after)
    three = p.prod(axis=1) * (not position.rules.triple_ron)
    first[:, 0] -= three
    total[:, 0] -= three * (points.sum(axis=1) - 2 * honba)
    lost = total / np.maximum(first, 1e-300)
    return AtOnce(first, np.where(first > 0, lost, 0), classes, three)


def _deposits(decision: Decision, options: Sequence[Option], later: Later, p: Floats) -> Floats:
    """(m, 33, 4) ``later_deposits`` of the options, their own riichi included; ``p`` (m, 33) of
    the joint endings."""
    mean = np.where(possible_deposits(decision, options), later.deposit, 0)
    offer = decision.offer
    if isinstance(offer, Discard):
        seat = (offer.seat - decision.seat) % 4
        # Nobody has won yet on the tile that declares riichi: the deposit follows.
        if decision.position.players[seat].river[-1].riichi:
            mean[:, seat] = 1
    mean[:, 0] = np.where([o.act == "riichi" for o in options], 1, mean[:, 0])
    return later_deposits(mean, p)


@dataclass(frozen=True, eq=False)
class HandForecast:
    """How the hand may end after each of m options of one decision, as arrays.

    ``later`` (m, 161) P of each end given that nobody wins at once; ``deposits`` (m, 33, 4) as
    ``ends.later_deposits``. Options that claim a win and nine terminals have rows of zeros there;
    ``claims`` has the wins' payments; ``shares`` (m,) how often players choose each.
    """

    decision: Decision
    options: tuple[Option, ...]
    once: AtOnce
    later: Floats
    deposits: Floats
    claims: Mapping[Option, tuple[Claimed, ...]] = field(default_factory=dict)
    shares: Floats | None = None

    @cached_property
    def ends(self) -> Ends:
        """The ends by the stakes of the position."""
        return ends_of(Stakes.of(self.decision.position))

    @cached_property
    def endings(self) -> tuple[Floats, Floats]:
        """(m, 14) the probability of each ``Ending``, and the mean change of the own score then."""
        p, points = by_ending(self.later, self.deposits, self.ends.changes[:, 0])
        p *= self.once.nobody[:, None]
        total = p * points
        p[:, _DEAL_INS] += self.once.first
        total[:, _DEAL_INS] -= self.once.first * self.once.lost
        p[:, Ending.ABORTED] += self.once.aborted
        for row, option in enumerate(self.options):
            if option.act == "nine terminals":
                p[row, Ending.ABORTED] = 1
            for way in self.claims.get(option, ()):
                ending = Ending.TSUMO if option.act == "tsumo" else Ending.RON
                p[row, ending] += way.probability
                total[row, ending] += way.probability * way.changes[0]
        p /= p.sum(axis=1, keepdims=True)
        return p, np.divide(total, p, out=np.zeros_like(p), where=p > 0)

    def outcomes(self, policy: str) -> tuple[Outcome, ...]:
        """An Outcome for each option, without a placement."""
        p, points = self.endings
        now = self.once.first.sum(axis=1)
        chosen = [None] * len(p) if self.shares is None else self.shares.tolist()
        return tuple(
            Outcome(
                option,
                policy,
                tuple(
                    EndingShare(ending, share, mean)
                    for ending, share, mean in zip(Ending, shares, means, strict=True)
                    if share > 0
                ),
                deal_in_now=at_once,
                share=often,
            )
            for option, shares, means, at_once, often in zip(
                self.options, p.tolist(), points.tolist(), now.tolist(), chosen, strict=True
            )
        )


def hand_forecast(
    decision: Decision,
    options: Sequence[Option],
    later: Later,
    risks: Mapping[Option, Risks],
) -> HandForecast:
    """How the hand may end after each option, in the order of ``later``. ``risks`` of the tiles
    of options that discard one, or add one to a triplet. Raises ValueError where ``later`` is of
    another number of options."""
    if len(later) != len(options):
        raise ValueError(f"{len(later)} rows for {len(options)} options")
    possible = possible_endings(decision, options)
    p = np.where(possible, later.ending, 0)
    p = np.where(p.sum(axis=1, keepdims=True) > 0, p, possible)
    p /= p.sum(axis=1, keepdims=True)
    goes_on = [option.act not in (*CLAIMS, "nine terminals") for option in options]
    p *= np.array(goes_on, np.float64)[:, None]
    claims = {option: claimed(decision) for option in options if option.act in CLAIMS}
    return HandForecast(
        decision,
        tuple(options),
        at_once(decision, options, risks),
        spread(p, later.worth),
        _deposits(decision, options, later, p),
        claims,
        later.share,
    )
