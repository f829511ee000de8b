"""What a decision gave up: its expected value below the best option's, of what kind, how clearly.

A decision of any kind is judged by the outcomes of its options. The best option is the first of
them: by the value of the placement where there is one, else by points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from haiyomi.review.decisions import HandReview, Review, ReviewedDecision

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome

Category: TypeAlias = Literal[
    "pushed",
    "folded",
    "efficiency",
    "value",
    "safety order",
    "riichi",
    "call",
    "missed call",
    "kan",
    "placement",
]
CATEGORIES: Final[tuple[Category, ...]] = (
    "pushed",
    "folded",
    "efficiency",
    "value",
    "safety order",
    "riichi",
    "call",
    "missed call",
    "kan",
    "placement",
)
"""What a decision gave up, one word each: dealing in that a fold would have saved; a win that was
folded; the rate of wins; what a win is worth; a safer tile; riichi or damaten; a call that was
made; one that was not; a kan made or not; a place that points do not show."""
Severity: TypeAlias = Literal["inaccuracy", "mistake", "blunder"]
SEVERITIES: Final[tuple[Severity, ...]] = ("inaccuracy", "mistake", "blunder")
"""By what was given up: from the margin, from twice and from four times the margin."""
FORECAST_ERROR: Final = 150.0
"""The standard error, in points, of the difference of two options where the forecast has none."""
MARGIN: Final = 200.0
COMMON: Final = 0.25


@dataclass(frozen=True, slots=True)
class Margins:
    """What must be given up to be flagged: ``points`` of expected value; ``common`` times as much
    where at least the share ``COMMON`` of strong players would choose the same."""

    points: float = MARGIN
    common: float = 2.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one decision gave up against its ``best`` option; ``taken`` is what was done.

    ``points`` of expected change of score, ``error`` its standard error; ``value`` of the placement
    under the payoff, None where no placement is known. Both are 0 where the best was done;
    ``points`` may be negative where the placement decides. ``severity`` is None where it is no
    mistake. ``plan``: the ``event`` of the earlier decision of the hand that carries the mistake,
    where this one only went on with its plan; such a one counts in no sum.
    """

    best: Outcome
    taken: Outcome
    points: float
    value: float | None
    error: float
    category: Category
    severity: Severity | None
    plan: int | None = None

    @property
    def agrees(self) -> bool:
        """Whether the best option was taken."""
        return self.best.option == self.taken.option

    @property
    def mistake(self) -> bool:
        """Whether it counts as a mistake of its own."""
        return self.severity is not None and self.plan is None


def verdict_of(decision: ReviewedDecision, margins: Margins = Margins()) -> Verdict | None:
    """The verdict of one decision by itself; None where nobody chose, or there are no outcomes."""
    taken = decision.taken
    if taken is None or decision.absent or len(decision.options) < 2:
        return None
    best = decision.options[0]
    points = best.points - taken.points
    value = None
    if best.placement is not None and taken.placement is not None:
        value = best.placement.value - taken.placement.value
    error = _error(best, taken)
    severity = _severity(points, error, taken.share, margins)
    return Verdict(best, taken, points, value, error, category_of(best, taken), severity)


def verdicts(
    review: Review, margins: Margins = Margins()
) -> Iterator[tuple[HandReview, ReviewedDecision, Verdict]]:
    """Every judged decision of a review with its hand, in the order of the game."""
    for hand in review.hands:
        for decision in hand.decisions:
            verdict = verdict_of(decision, margins)
            if verdict is not None:
                yield hand, decision, verdict


def _error(best: Outcome, taken: Outcome) -> float:
    if best.option == taken.option:
        return 0.0
    if best.error is None or taken.error is None:
        return FORECAST_ERROR
    return hypot(best.error, taken.error)


def _severity(
    points: float, error: float, share: float | None, margins: Margins
) -> Severity | None:
    margin = margins.points
    if share is not None and share >= COMMON:
        margin *= margins.common
    if points < margin or points < error:
        return None
    if points < 2 * margin:
        return "inaccuracy"
    return "mistake" if points < 4 * margin else "blunder"


def category_of(best: Outcome, taken: Outcome) -> Category:
    """What kind of option was missed."""
    acts = {best.option.act, taken.option.act}
    if acts & {"ankan", "kakan", "daiminkan"}:
        return "kan"
    if taken.option.act in ("chi", "pon"):
        return "call"
    if best.option.act in ("chi", "pon"):
        return "missed call"
    if len(acts & {"riichi", "discard"}) == 2:
        return "riichi"
    wins, deals = best.win - taken.win, taken.deal_in - best.deal_in
    if wins > 0 and deals < 0:
        return "folded"
    if wins < 0 and deals > 0:
        return "pushed"
    if best.points < taken.points:
        return "placement"
    return "efficiency" if wins >= deals else "safety order"
