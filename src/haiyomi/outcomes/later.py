"""``LaterEndings``: how the hand ends after an option, given that nobody wins at once on its tile.

It is what the options' network answers and what ``forecast`` takes. A win at once on the tile that
an option discards, or adds to a triplet, is no part of it: the deal-in model gives that branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.networks.network import Network, Views
from haiyomi.networks.opponents import AlreadySeen
from haiyomi.networks.shape import JOINT_ENDINGS, WORTH_CLASSES
from haiyomi.outcomes.option_block import OptionBlock


@dataclass(frozen=True, slots=True, eq=False)
class LaterEndings:
    """Of n decisions with b options, by e members of an ensemble; seats are relative, 0 decides.

    ``ending`` (e, b, 33): P of each of ``joint.JOINT``; rows sum to one. ``own`` (e, b, 9): P of
    the class of the own hand, given that it wins; ``others`` (n, 3, 9) of each opponent's. They sum
    to one. ``deposit`` (n, 4): P that the seat, if it is not in riichi, pays a deposit after the
    option's own, given that it does not win. Rows of tsumo, ron and nine terminals are not read.
    ``share`` (b,): how often players choose each option, where a network of options answers, whose
    wins of tenpai hands, own deposits and losses of deal-ins ``forecast`` corrects.
    """

    ending: Floats
    own: Floats
    others: Floats
    deposit: Floats
    share: Floats | None = None

    def __post_init__(self) -> None:
        e, b = self.ending.shape[:2]
        n = len(self.others)
        due = (e, b, JOINT_ENDINGS), (e, b, WORTH_CLASSES), (n, 3, WORTH_CLASSES), (n, 4)
        found = self.ending.shape, self.own.shape, self.others.shape, self.deposit.shape
        if found != due:
            raise ValueError(f"shapes {found} of {n} decisions with {b} options: expected {due}")

    def of_options(self, some: Bools, share: Floats) -> LaterEndings:
        """Of some options of the same decisions, with their ``share``."""
        # An index would lay out the rows in another order, and sums would have other last bits.
        ending, own = self.ending.compress(some, axis=1), self.own.compress(some, axis=1)
        return LaterEndings(ending, own, self.others, self.deposit, share)

    def with_options(self, some: Bools, other: LaterEndings) -> LaterEndings:
        """With the answers of ``other``, of the same options, for ``some`` (b,) of them."""
        ending = np.where(some[:, None], other.ending, self.ending)
        own = np.where(some[:, None], other.own, self.own)
        return LaterEndings(ending, own, self.others, self.deposit, self.share)

    def with_decisions(self, of: Ints, row: Ints, other: LaterEndings) -> LaterEndings:
        """With the answers of ``other`` for the decisions ``of``, ascending; ``row`` (b,) the
        decision of each option. The shares stay."""
        options = np.isin(row, of)
        ending, own, others, deposit = (
            part.copy() for part in (self.ending, self.own, self.others, self.deposit)
        )
        ending[:, options], own[:, options] = other.ending, other.own
        others[of], deposit[of] = other.others, other.deposit
        return LaterEndings(ending, own, others, deposit, self.share)


@dataclass(frozen=True, slots=True, eq=False)
class Trunk:
    """What a policy's network, the ``source``, has said of decisions without a style, with the
    channels that its answers are made from. ``forgets``: of records without tedashi."""

    source: Network
    views: Views
    forgets: bool


@runtime_checkable
class LaterModel(Protocol):
    """What answers for the options of decisions."""

    @property
    def policy(self) -> str:
        """Whose play goes on after the option (``Outcome.policy``)."""
        ...

    def later(
        self, block: OptionBlock, read: AlreadySeen | None = None, trunk: Trunk | None = None
    ) -> LaterEndings:
        """Of a block; an answer has the same bits in any block. ``read``: what a network has said
        of the opponents of these decisions, ``trunk`` what a policy's has said of the decisions: a
        model with the same networks takes them over."""
        ...
