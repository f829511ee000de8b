"""What a review comes to: its score, its mistakes, its totals and its most dangerous discards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from haiyomi.review.categories import Category
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.luck import Luck, luck_of
from haiyomi.review.score import Judged, ReviewScore, score_of
from haiyomi.review.verdicts import SEVERITIES, USUAL, Margins, Severity, Verdict, judged

Place = tuple[HandReview, ReviewedDecision]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that another option would have beaten by more than the margin."""

    hand: HandReview
    decision: ReviewedDecision
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Shown:
    """Which mistakes are listed: from a ``severity`` on, of some ``categories`` (all where there
    are none), the ``worst`` so many (None: all)."""

    severity: Severity = "inaccuracy"
    categories: tuple[Category, ...] = ()
    worst: int | None = None

    def of(self, mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
        """Those listed of some mistakes, in their order."""
        least = SEVERITIES.index(self.severity)
        found = [
            m
            for m in mistakes
            if m.verdict.severity is not None
            and SEVERITIES.index(m.verdict.severity) >= least
            and (not self.categories or m.verdict.category in self.categories)
        ]
        return tuple(found[: self.worst])


EVERY: Final = Shown()


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the discards of a review while the player was there, in points unless another unit
    is named.

    ``expected_loss`` by dealing in, ``least_loss`` had every discard been the safest; ``dealt_in``
    times for ``points_lost``; ``mistakes`` of any kind counted, for ``mistake_cost``.
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
    """``judged``: every judged decision with its hand and verdict, in order; ``mistakes`` costliest
    first; ``most_dangerous`` the free discards by expected loss; ``score`` of the game and
    ``by_hand`` of the review's hands, None without judged decisions.
    """

    judged: tuple[Judged, ...]
    totals: Totals
    mistakes: tuple[Mistake, ...]
    most_dangerous: tuple[Place, ...]
    score: ReviewScore | None
    by_hand: tuple[ReviewScore | None, ...]
    luck: Luck


def summary_of(review: Review, margins: Margins = USUAL) -> Summary:
    """The summary of a review whose decisions have risks; scores and mistakes need outcomes."""
    verdicts = tuple(judged(review, margins))
    mistakes = costliest(verdicts)
    discards = [(hand, decision) for hand, decision in review.discards if not decision.absent]
    free = [(h, d) for h, d in discards if not d.forced]
    free.sort(key=lambda hd: (-hd[1].chosen.expected_loss, hd[0].index, hd[1].event))
    return Summary(
        verdicts,
        _totals([d for _, d in discards], mistakes),
        mistakes,
        tuple(free),
        score_of(verdicts, _rounds(review)),
        tuple(score_of(_of_hand(verdicts, hand)) for hand in review.hands),
        luck_of(review),
    )


def mistakes_of(review: Review, margins: Margins = USUAL) -> tuple[Mistake, ...]:
    """The mistakes of a review, costliest first; none where it has no outcomes."""
    return costliest(judged(review, margins))


def costliest(verdicts: Iterable[Judged]) -> tuple[Mistake, ...]:
    """The mistakes among judged decisions, costliest first; the earlier one first of equals."""
    found = [Mistake(*each) for each in verdicts if each[2].mistake]
    return tuple(sorted(found, key=lambda m: (-m.verdict.cost, m.hand.index, m.decision.event)))


def _totals(discards: Sequence[ReviewedDecision], mistakes: Sequence[Mistake]) -> Totals:
    dealt = [d for d in discards if d.outcome.kind == "dealt-in"]
    safest = ((d.chosen if d.forced else d.analysis.risks.safest) for d in discards)
    return Totals(
        len(discards),
        sum(d.chosen.expected_loss for d in discards),
        sum(choice.expected_loss for choice in safest),
        len(dealt),
        sum(d.outcome.points for d in dealt),
        len(mistakes),
        sum(m.verdict.cost for m in mistakes),
    )


def _rounds(review: Review) -> int | None:
    """Of the game; None without a decision, and where hands were left out."""
    if not review.whole:
        return None
    return next((d.position.rules.rounds for _, d in review.decisions), None)


def _of_hand(verdicts: Sequence[Judged], hand: HandReview) -> list[Judged]:
    return [each for each in verdicts if each[0].index == hand.index]
