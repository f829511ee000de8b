"""What a choice gave up beside the best option, cross-fitted over the members of an ensemble.

The best of several uncertain values is rated too high on average. So a member picks the best
option, and another member, which was fitted to other games, says what it is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from haiyomi.outcomes.answer import Outcome


@dataclass(frozen=True, slots=True)
class GivenUp:
    """Cross-fitted points: ``best`` of the best option, and ``lost`` by the option that was chosen.
    ``lost`` is negative where one member likes the chosen option more than the other's best."""

    best: float
    lost: float


def given_up_by(outcomes: Sequence[Outcome], chosen: Outcome) -> GivenUp:
    """What a choice gave up beside the best of some outcomes. Where there is one network, it
    picks and values the best itself."""
    values = [_members(outcome) for outcome in outcomes]
    mine = _members(chosen)
    members = range(len(mine))
    pairs = [(i, j) for i in members for j in members if i != j] or [(0, 0)]
    picked = [(max(values, key=itemgetter(i))[j], mine[j]) for i, j in pairs]
    best = sum(value for value, _ in picked) / len(picked)
    return GivenUp(best, best - sum(own for _, own in picked) / len(picked))


def _members(outcome: Outcome) -> tuple[float, ...]:
    return outcome.members or (outcome.points,)
