"""What will come of each option of a decision: the forecast, with the deal-in room's risks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from haiyomi.analysis.deal_in import risks_of
from haiyomi.analysis.models import Models
from haiyomi.analysis.value import DealInRisks
from haiyomi.errors import HaiyomiError
from haiyomi.game.position import Position
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.forecast import Risks, hand_forecast
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.places import place
from haiyomi.outcomes.standing import Standing
from haiyomi.play.decision import Decision
from haiyomi.play.stated_decision import decision_at
from haiyomi.rules import Ruleset

STAKE: Final = 1000
"""Points that each opponent pays where a point's value is measured."""


def outcomes_of(
    models: Models, decisions: Sequence[Decision], payoff: str
) -> list[tuple[Outcome, ...]]:
    """The outcome of every option of each decision, best first; the rules are the same for all.

    Raises HaiyomiError for the payoff.
    """
    turns = [decision.position for decision in decisions if decision.offer is None]
    read = models.deal_in.read(turns) if turns else []
    own = iter(risks_of(models.deal_in, read) if turns else [])
    risks = [None if decision.offer is not None else next(own) for decision in decisions]
    return forecasts_of(models, decisions, risks, payoff)


def outcomes_of_turns(
    models: Models, positions: Sequence[Position], risks: Sequence[DealInRisks], payoff: str
) -> list[tuple[Outcome, ...]]:
    """``outcomes_of`` positions whose risks are known; empty where the viewer has no choice."""
    decided = {i: decision_at(p) for i, p in enumerate(positions) if p.to_act}
    free = [i for i, decision in decided.items() if len(decision.choices) > 1]
    decisions = [decided[i] for i in free]
    found = forecasts_of(models, decisions, [risks[i] for i in free], payoff)
    by_position = dict(zip(free, found, strict=True))
    return [by_position.get(i, ()) for i in range(len(positions))]


def forecasts_of(
    models: Models,
    decisions: Sequence[Decision],
    risks: Sequence[DealInRisks | None],
    payoff: str,
) -> list[tuple[Outcome, ...]]:
    """``outcomes_of`` decisions with the risks of those in the own turn."""
    if not decisions:
        return []
    options = [tuple(options_of(decision)) for decision in decisions]
    later = models.later.later(list(zip(decisions, options, strict=True)))
    forecasts = [
        hand_forecast(decision, every, each, risks_by_option(every, risk))
        for decision, every, each, risk in zip(decisions, options, later, risks, strict=True)
    ]
    found = [forecast.outcomes(models.later.policy) for forecast in forecasts]
    worth = Payoff.parse(payoff, decisions[0].position.rules)
    placed = place(forecasts, found, worth, models.placement)
    return [tuple(sorted(each, key=value_of, reverse=True)) for each in placed]


def point_value(models: Models, rules: Ruleset, payoff: str) -> float | None:
    """What a point is worth at the start of a game, on the mean over the seats; None for rules
    that have no placement. Raises HaiyomiError for the payoff."""
    worth = Payoff.parse(payoff, rules)
    start = rules.start_points
    gains = []
    try:
        even = Standing(rules, 0, 0, 0, (start,) * 4).placements(models.placement, worth)
        for seat in range(4):
            a, b, c, d = (start + (3 * STAKE if s == seat else -STAKE) for s in range(4))
            ahead = Standing(rules, 0, 0, 0, (a, b, c, d)).placements(models.placement, worth)
            gains.append(ahead[seat].value - even[seat].value)
    except HaiyomiError:
        return None
    return sum(gains) / (4 * 3 * STAKE)


def value_of(outcome: Outcome) -> float:
    """What options are ordered by: the value under the payoff, else the points."""
    return outcome.points if outcome.placement is None else outcome.placement.value


def risks_by_option(options: Sequence[Option], risks: DealInRisks | None) -> dict[Option, Risks]:
    """The risks of the options that discard a tile or add one to a triplet."""
    if risks is None:
        return {}
    found: dict[Option, Risks] = {}
    for option in options:
        if option.act in ("discard", "riichi"):
            found[option] = risks[option.tiles[0]].by_opponent
        elif option.act == "kakan":
            found[option] = risks.kan(option.tiles[0]).by_opponent
    return found
