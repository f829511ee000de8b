"""The output ``action-recommendation``: what haiyomi would do, and numbers of each candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.seat_history import SeatHistory
from haiyomi.apps.engine.candidates import (
    REACH,
    Candidate,
    is_other_copy,
    matching,
)
from haiyomi.apps.engine.contracts import METRIC_IDS
from haiyomi.apps.engine.predictions import average_place, probability
from haiyomi.apps.engine.rpc import refused
from haiyomi.json_types import Json
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.improved import ImprovedPolicy
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.places import not_placed
from haiyomi.play.actions import legal_mask
from haiyomi.play.decision import Decision

NOTHING: dict[str, float | None] = dict.fromkeys(METRIC_IDS)
"""The metrics of a candidate of which haiyomi knows nothing."""


@dataclass(frozen=True, slots=True)
class _Options:
    """What is known of each option of a decision, best first: outcomes and recommended shares."""

    decision: Decision
    outcomes: Mapping[Option, Outcome]
    recommended: Mapping[Option, float]


def recommendation(
    history: SeatHistory,
    candidates: Sequence[Candidate],
    analyzer: Analyzer,
    improved: ImprovedPolicy,
) -> Json:
    """The payload. Raises RpcError with INVALID_CANDIDATES where the seat has none of several
    actions."""
    metrics = [NOTHING] * len(candidates)
    if history.decides:
        known = _options(history.decisions[0], analyzer, improved)
        metrics = [_metrics(candidate, known) for candidate in candidates]
    strengths = [each["recommendation"] for each in metrics]
    if len(candidates) > 1 and all(strength is None for strength in strengths):
        raise refused("INVALID_CANDIDATES", "the seat can do none of these actions now")
    best = max(range(len(candidates)), key=lambda i: -1.0 if (s := strengths[i]) is None else s)
    return {
        "bestCandidateId": candidates[best].id,
        "candidates": [
            {"candidateId": candidate.id, "metrics": each}
            for candidate, each in zip(candidates, metrics, strict=True)
        ],
    }


def _options(decision: Decision, analyzer: Analyzer, improved: ImprovedPolicy) -> _Options:
    (found,) = analyzer.outcomes([decision])
    outcomes = {outcome.option: outcome for outcome in found}
    return _Options(decision, outcomes, recommended_shares(decision, outcomes, improved))


def recommended_shares(
    decision: Decision, outcomes: Mapping[Option, Outcome], improved: ImprovedPolicy
) -> dict[Option, float]:
    """How often haiyomi takes each option: players' shares, reweighted by the places at the game's
    end. Where these are unknown, players' shares."""
    if not_placed(decision.position) is not None:
        return {option: outcome.share or 0.0 for option, outcome in outcomes.items()}
    block = OptionBlock.of([decision])
    legal = legal_mask(decision.choices)[None]
    options, shares = improved.shares(block.records, legal, decision.position.rules)
    actions = zip(options.first.tolist(), options.second.tolist(), strict=True)
    by_action = dict(zip(actions, shares.tolist(), strict=True))
    named = zip(block.actions.first.tolist(), block.actions.second.tolist(), strict=True)
    return {option: by_action[action] for option, action in zip(block.flat, named, strict=True)}


def _metrics(candidate: Candidate, known: _Options) -> dict[str, float | None]:
    """Of one candidate. Riichi has the numbers of the discard that haiyomi would declare it with,
    and the shares of all."""
    options = matching(candidate, list(known.outcomes))
    drawn = (known.decision.position.drawn,)
    if not options or (candidate.tsumogiri and options[0].tiles != drawn):
        return NOTHING
    best = max(options, key=lambda option: known.recommended[option])
    outcome = known.outcomes[best]
    placement = outcome.placement
    shares = [known.outcomes[option].share for option in options]
    strength = sum(known.recommended[option] for option in options)
    players = None if None in shares else sum(share or 0.0 for share in shares)
    if candidate.option != REACH and is_other_copy(candidate, known.decision):
        strength, players = 0.0, None
    return {
        "recommendation": probability(strength),
        "value": None if placement is None else placement.value,
        "points": outcome.points,
        "average-place": None if placement is None else average_place(placement.places),
        "players": None if players is None else probability(players),
        "win": probability(outcome.win),
        "deal-in": probability(outcome.deal_in),
        "deal-in-now": probability(outcome.deal_in_now),
    }
