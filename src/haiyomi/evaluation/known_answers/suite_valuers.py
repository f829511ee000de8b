"""What can value options, for the positions beyond dispute."""

from __future__ import annotations

from collections.abc import Mapping

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of, value_of
from haiyomi.evaluation.known_answers.suite import Judged
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.later import LaterModel
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import Decision


class OutcomeValuer:
    """The outcomes of every option by a model of what comes later; the value under the payoff."""

    def __init__(self, later: LaterModel | None) -> None:
        self._models = Models(later=later)

    def __call__(self, decision: Decision, payoff: Payoff) -> Mapping[Option, Judged]:
        """Every option; points where a position has no placement."""
        (found,) = outcomes_of(self._models, [decision], str(payoff))
        return {
            outcome.option: Judged(
                value_of(outcome),
                outcome.win,
                outcome.probability(Ending.RON),
                None if outcome.placement is None else outcome.placement.places,
            )
            for outcome in found
        }
