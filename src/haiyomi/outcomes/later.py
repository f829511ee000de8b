"""``Later``: how the hand ends after an option, given that nobody wins at once on its tile.

It is what the options' network answers and what ``forecast`` takes. A win at once on the tile that
an option discards, or adds to a triplet, is no part of it: that branch comes from the deal-in room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.networks.shape import JOINT_ENDINGS, WORTH_CLASSES
from haiyomi.outcomes.option import Option
from haiyomi.play.decision import Decision

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """Of m options of one decision; seats are relative, 0 the one that decides.

    ``ending`` (m, 33): P of each of ``joint.JOINT``; rows sum to one. ``worth`` (m, 4, 9): P of the
    class of each seat's hand, given that it is the one that wins; they sum to one. ``deposit``
    (m, 4): P that the seat, if it is not in riichi, pays a deposit after the option's own, given
    that it does not win. Rows of tsumo, ron and nine terminals are not read. ``share`` (m,): how
    often players choose each option, where the model knows.
    """

    ending: Floats
    worth: Floats
    deposit: Floats
    share: Floats | None = None

    def __post_init__(self) -> None:
        m = len(self.ending)
        due = (m, JOINT_ENDINGS), (m, 4, WORTH_CLASSES), (m, 4)
        found = self.ending.shape, self.worth.shape, self.deposit.shape
        if found != due:
            raise ValueError(f"shapes {found} of {m} options: expected {due}")

    def __len__(self) -> int:
        return len(self.ending)


class LaterModel(Protocol):
    """What answers for the options of decisions."""

    @property
    def policy(self) -> str:
        """Whose play goes on after the option (``Outcome.policy``)."""
        ...

    def later(self, decisions: Sequence[tuple[Decision, tuple[Option, ...]]]) -> list[Later]:
        """Of each decision, with its options in the order of ``option.options_of``; many at once
        cost less, and each answer has the same bits for any batch."""
        ...
