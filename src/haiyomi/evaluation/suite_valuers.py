"""What can value options, for the positions beyond dispute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of, value_of
from haiyomi.analysis.value import Part
from haiyomi.evaluation.suite import Judged
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.later import LaterModel
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import Decision

_PARTS: Final[tuple[Part, ...]] = ("balance",)


class BalanceValuer:
    """The balance of each discard, in points whatever the payoff; nothing of any other option."""

    def __init__(self) -> None:
        self._analyzer = Analyzer(parts=_PARTS)

    def __call__(self, decision: Decision, payoff: Payoff) -> Mapping[Option, Judged]:
        """The discards that the rules allow. ``payoff`` is not used: a balance has no places."""
        if decision.offer is not None:
            return {}
        (analysis,) = self._analyzer.analyze([decision.position])
        return {
            Option("discard", (balance.tile,)): Judged(balance.value, balance.win)
            for balance in analysis.balance or ()
            if balance.allowed
        }


class OutcomeValuer:
    """The outcomes of every option by a model of what comes later; the value under the payoff."""

    def __init__(self, later: LaterModel) -> None:
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
