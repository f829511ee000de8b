"""What a review comes to: its totals, its mistakes and its most dangerous discards."""

from __future__ import annotations

from dataclasses import dataclass

from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.mistakes import Better, better_tile

Place = tuple[HandReview, ReviewedDecision]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A discard that another tile would have beaten by more than the margin."""

    hand: HandReview
    decision: ReviewedDecision
    better: Better


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over all decisions of a review, in points unless another unit is named.

    ``expected_loss`` by dealing in, ``least_loss`` had every discard been the safest;
    ``dealt_in`` times for ``points_lost``; ``mistakes`` counted, for ``mistake_cost``.
    """

    decisions: int
    expected_loss: float
    least_loss: float
    dealt_in: int
    points_lost: int
    mistakes: int
    mistake_cost: float


@dataclass(frozen=True, slots=True)
class Summary:
    """``mistakes`` costliest first; ``most_dangerous`` the free decisions by expected loss."""

    totals: Totals
    mistakes: tuple[Mistake, ...]
    most_dangerous: tuple[Place, ...]


def summary_of(review: Review) -> Summary:
    """The summary of a review whose decisions have risks and balances."""
    decisions = list(review.discards)
    mistakes = []
    for hand, decision in decisions:
        better = better_tile(decision)
        if better is not None and better.mistake:
            mistakes.append(Mistake(hand, decision, better))
    mistakes.sort(key=lambda m: (-m.better.saved, m.hand.index, m.decision.event))
    free = [(h, d) for h, d in decisions if not d.forced]
    free.sort(key=lambda hd: (-hd[1].chosen.expected_loss, hd[0].index, hd[1].event))
    dealt = [d for _, d in decisions if d.outcome.kind == "dealt-in"]
    totals = Totals(
        len(decisions),
        sum(d.chosen.expected_loss for _, d in decisions),
        sum(
            (d.chosen if d.forced else d.analysis.risks.safest).expected_loss for _, d in decisions
        ),
        len(dealt),
        sum(d.outcome.points for d in dealt),
        len(mistakes),
        sum(m.better.saved for m in mistakes),
    )
    return Summary(totals, tuple(mistakes), tuple(free))
