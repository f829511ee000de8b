"""What can value options today, for the positions beyond dispute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.value import Part
from haiyomi.evaluation.suite import Judged
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
