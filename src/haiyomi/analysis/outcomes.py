"""What will come of each option of a decision: the forecast, with the deal-in model's risks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from haiyomi.analysis.calls import Call, by_discards, calls_of
from haiyomi.analysis.deal_in import Known, risks_of
from haiyomi.analysis.models import Models
from haiyomi.analysis.value import DealInRisks
from haiyomi.arrays import Floats
from haiyomi.errors import HaiyomiError
from haiyomi.game.decision_record import without_tedashi
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.at_once import Risks
from haiyomi.outcomes.forecast import BlockForecast, block_forecast
from haiyomi.outcomes.later import Trunk
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.option_inputs import trunk_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.places import placements
from haiyomi.outcomes.standing import Standing
from haiyomi.play.decision import Decision
from haiyomi.rules import Ruleset

STAKE: Final = 1000
"""Points that each opponent pays where a point's value is measured."""


def outcomes_of(
    models: Models, decisions: Sequence[Decision], payoff: str
) -> list[tuple[Outcome, ...]]:
    """The outcome of every option of each decision, best first; the rules are the same for all.

    Raises HaiyomiError for the payoff.
    """
    return forecasts_of(models, asked_of(models, decisions, known_of(models, decisions)), payoff)


class AskedDecisions(NamedTuple):
    """Decisions, and behind them those that follow the ``calls`` among their options: every option
    as a ``block``, and what ``known_of`` says of each decision."""

    block: OptionBlock
    known: list[Known | None]
    calls: list[Call]

    @property
    def n(self) -> int:
        """How many decisions were asked about."""
        return len(self.known) - len(self.calls)


def asked_of(
    models: Models, decisions: Sequence[Decision], known: Sequence[Known | None]
) -> AskedDecisions:
    """Decisions with those that follow their calls; ``known``: what ``known_of`` says of them."""
    calls = calls_of(decisions)
    after = [call.after for call in calls]
    known = [*known, *known_of(models, after)]
    return AskedDecisions(block_of([*decisions, *after], known), known, calls)


def known_of(models: Models, decisions: Sequence[Decision]) -> list[Known | None]:
    """What the deal-in model says at each decision in the own turn; None at one on another's
    tile."""
    turns = [decision.position for decision in decisions if decision.offer is None]
    read = models.deal_in.read(turns) if turns else []
    risks = risks_of(models.deal_in, read) if turns else []
    own = map(Known, (each.seen for each in read), risks)
    return [None if decision.offer is not None else next(own) for decision in decisions]


def block_of(decisions: Sequence[Decision], known: Sequence[Known | None]) -> OptionBlock:
    """Every option of some decisions, of which ``known`` is what ``known_of`` says."""
    seen = [None if each is None else each.seen for each in known]
    packed = [
        None if each is None or each.observations["forgets"][0] else each.observations[:1].tobytes()
        for each in seen
    ]
    return OptionBlock.of(decisions, observations=packed)


def pooled_trunk(models: Models, block: OptionBlock) -> Trunk:
    """What the policy of all players says of the decisions of a block."""
    records = without_tedashi(block.records) if models.forgets else block.records
    return Trunk(models.policy.network, trunk_of(records, models.policy), models.forgets)


def forecasts_of(
    models: Models, asked: AskedDecisions, payoff: str, trunk: Trunk | None = None
) -> list[tuple[Outcome, ...]]:
    """``outcomes_of`` decisions. ``trunk``: what the policy's network has said of the block."""
    block = asked.block
    if not block.decisions:
        return []
    forecast = forecast_of(models, block, asked.known, trunk, asked.calls)
    worth = Payoff.parse(payoff, block.decisions[0].position.rules)
    placed = placements(forecast, worth, models.placement)
    found = iter(forecast.outcomes(models.later.policy, placed))
    answers = [list(islice(found, len(options))) for options in block.options]
    by_discards(answers, asked.calls, [best_first(each) for each in answers[asked.n :]])
    return [best_first(each) for each in answers[: asked.n]]


def forecast_of(
    models: Models,
    block: OptionBlock,
    known: Sequence[Known | None],
    trunk: Trunk | None = None,
    calls: Sequence[Call] = (),
) -> BlockForecast:
    """How the hand may end after every option of the decisions of a block, of which ``known`` is
    what ``known_of`` says. ``trunk``: what the policy's network has said of them. ``calls``: those
    that the last decisions follow."""
    read = [None if each is None else each.seen for each in known]
    # The opponents were read after each call: the first reading serves for the offer too.
    for number, call in enumerate(calls, len(known) - len(calls)):
        if read[call.decision] is None:
            read[call.decision] = read[number]
    later = models.later.later(block, read, trunk)
    risks = [
        risk
        for options, each in zip(block.options, known, strict=True)
        for risk in risks_by_option(options, None if each is None else each.risks)
    ]
    made = None
    if later.share is not None and calls:
        made = np.ones(len(block.decisions))
        at = [block.begins[call.decision] + call.option for call in calls]
        made[-len(calls) :] = later.share[at]
    return block_forecast(block, later, risks, made, tenpai_now(known, calls))


def tenpai_now(known: Sequence[Known | None], calls: Sequence[Call]) -> Floats:
    """(n, 3) P(tenpai) of each opponent at decisions, of which the last follow ``calls``: at one on
    another's tile what the reading says after one of its calls, NaN where it says nothing."""
    out = np.full((len(known), 3), np.nan)
    for number, each in enumerate(known):
        if each is not None:
            out[number] = each.risks.tenpai
    for number, call in enumerate(calls, len(known) - len(calls)):
        out[call.decision] = out[number]
    return out


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


def best_first(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """The outcomes of a decision by their value."""
    return tuple(sorted(outcomes, key=lambda outcome: outcome.preference, reverse=True))


def risks_by_option(options: Sequence[Option], risks: DealInRisks | None) -> list[Risks | None]:
    """The risks of the options that discard a tile or add one to a triplet; None of others."""
    if risks is None:
        return [None] * len(options)
    by_code = {choice.tile.code: choice.by_opponent for choice in risks.choices}
    found: list[Risks | None] = []
    for option in options:
        if option.act in ("discard", "riichi"):
            found.append(by_code[option.tiles[0].code])
        elif option.act == "kakan":
            found.append(risks.kan(option.tiles[0]).by_opponent)
        else:
            found.append(None)
    return found
