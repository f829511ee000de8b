"""The part of an option that is known without playing on: its tile is won on at once.

The deal-in model says how likely that is, and for how much. Playing on is left with the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from haiyomi.analysis.deal_in import risks_of
from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import risks_by_option
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.at_once import WinsAtOnce, at_once
from haiyomi.outcomes.forecast import BlockForecast
from haiyomi.outcomes.mixture import mixture
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.places import placements
from haiyomi.play.decision import Decision


@dataclass(frozen=True, slots=True)
class WonOn:
    """``p``: the probability that the option's tile is won on at once; ``outcome`` given that."""

    p: float
    outcome: Outcome


def won_on(
    decision: Decision, options: Sequence[Option], models: Models, payoff: Payoff
) -> list[WonOn | None]:
    """Of each option; None where its tile cannot be won on."""
    found: list[WonOn | None] = [None] * len(options)
    if decision.offer is not None:
        return found
    (risks,) = risks_of(models.deal_in, models.deal_in.read([decision.position]))
    block = OptionBlock.of([decision], [options])
    once = at_once(block, risks_by_option(options, risks))
    p = 1 - once.nobody
    at = np.flatnonzero(p > 0)
    if not len(at):
        return found
    given = WinsAtOnce(
        once.first[at] / p[at, None], once.lost[at], once.classes[at], once.aborted[at] / p[at]
    )
    named = [options[i] for i in at.tolist()]
    forecast = BlockForecast.without_later(OptionBlock.of([decision], [named]), given)
    outcomes = forecast.outcomes("", placements(forecast, payoff, models.placement))
    for i, outcome in zip(at.tolist(), outcomes, strict=True):
        found[i] = WonOn(float(p[i]), outcome)
    return found


def mixed(later: Outcome, once: WonOn | None) -> Outcome:
    """An outcome given that the tile is not won on at once, with the part where it is."""
    if once is None:
        return later
    both = mixture(later, (1 - once.p, once.p), (later, once.outcome))
    return replace(both, deal_in_now=once.p * once.outcome.deal_in, no_yaku=later.no_yaku)
