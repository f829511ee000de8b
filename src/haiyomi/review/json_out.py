"""A review or an analysis as JSON values, whose keys are the names of ``analysis.value``.

The schema is described in the reference, *JSON formats*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from haiyomi.analysis.value import Analysis, DealInRisks, DiscardRisk, TileWaits
from haiyomi.dealin.answer import PointsRows, TileRisk, WaitShare
from haiyomi.events import AbortiveDraw, Event, ExhaustiveDraw, Win
from haiyomi.game.position import Position
from haiyomi.game.rounds import WINDS
from haiyomi.json_types import Json
from haiyomi.review.confirmed_text import confirmed_json
from haiyomi.review.decisions import (
    Aftermath,
    Beside,
    HandReview,
    Revealed,
    Review,
    ReviewedDecision,
)
from haiyomi.review.luck import Count
from haiyomi.review.outcomes_out import options_json
from haiyomi.review.score import ReviewScore
from haiyomi.review.sentences import reason_of, sentence
from haiyomi.review.summary import EVERY, Mistake, Shown, Summary, summary_of
from haiyomi.review.verdicts import USUAL, Margins, Verdict
from haiyomi.review.words import words_of
from haiyomi.tiles import format_counts, format_tiles, kind_name

if TYPE_CHECKING:
    from haiyomi.analysis.styles import StyleShares
    from haiyomi.reading.answer import HandReading

REVIEW_SCHEMA = "haiyomi-review"
RISK_SCHEMA = "haiyomi-risk"
TILE_SCHEMA = "haiyomi-risk-tile"
VERSION = 4
"""Raised when a field changes its meaning or goes; a new field does not raise it."""
MOST_LISTED = 10
"""Dangerous discards that a review lists."""


def review_json(
    review: Review,
    points: bool = True,
    margins: Margins = USUAL,
    shown: Shown = EVERY,
    language: str = "en",
) -> Json:
    """The value that ``haiyomi review --json`` prints and that the server answers with.

    ``points``: with the whole distributions of points, some fifty times the rest. ``shown`` says
    which mistakes are listed; ``language`` is that of their sentences.
    """
    summary = summary_of(review, margins)
    judged = {(hand.index, d.event): verdict for hand, d, verdict in summary.judged}
    hands = zip(review.hands, summary.by_hand, strict=True)
    return {
        "schema": REVIEW_SCHEMA,
        "version": VERSION,
        "summary": _summary(review, summary, margins),
        "mistakes": [_mistake(m, language) for m in shown.of(summary.mistakes)],
        "model": review.model,
        "names": list(review.names),
        "seat": int(review.seat),
        "hands": [_hand(review, hand, points, judged, score) for hand, score in hands],
        "most_dangerous": _most_dangerous(summary),
        "totals": asdict(summary.totals),
    }


def _summary(review: Review, summary: Summary, margins: Margins) -> Json:
    luck = summary.luck
    return {
        "place": review.place,
        "final": None if review.final is None else list(review.final),
        "margin": margins.points,
        "score": _score(summary.score),
        "luck": {
            "deal_ins": _count(luck.deal_ins),
            "wins": None if luck.wins is None else _count(luck.wins),
        },
    }


def _score(score: ReviewScore | None) -> Json | None:
    if score is None:
        return None
    return asdict(score) | {"interval": list(score.interval)}


def _count(count: Count) -> Json:
    return {"came": count.came, "expected": count.expected, "spread": count.spread}


def _mistake(mistake: Mistake, language: str) -> Json:
    decision, verdict = mistake.decision, mistake.verdict
    dealer = int(decision.position.dealer)
    reason = reason_of(decision, verdict)
    return {
        "hand": mistake.hand.index,
        "event": decision.event,
        "option": str(decision.done),
        "better": str(verdict.best.option),
        "cost": verdict.cost,
        "error": verdict.error,
        "severity": verdict.severity,
        "category": verdict.category,
        "cause": reason.cause,
        "sentence": sentence(reason, dealer, words_of(language)),
        "no_yaku": reason.no_yaku,
        "waits": [
            {
                "tile": str(tile),
                "on": [str(each) for each in wait.on],
                "left": wait.left,
                "furiten": wait.furiten,
                "ron": bool(wait.ron),
                "ron_on": [str(each) for each in wait.ron],
                "ron_left": wait.ron_left,
            }
            for tile, wait in reason.waits
        ],
    }


def _verdict(verdict: Verdict) -> Json:
    return {
        "better": str(verdict.best.option),
        "points": verdict.points,
        "value": verdict.value,
        "forecast": verdict.forecast,
        "cost": verdict.cost,
        "error": verdict.error,
        "severity": verdict.severity,
        "category": verdict.category,
        "plan": verdict.plan,
    }


def _most_dangerous(summary: Summary) -> list[Json]:
    return [
        {
            "hand": hand.index,
            "event": d.event,
            "tile": str(d.tile),
            "risk": d.chosen.risk,
            "expected_loss": d.chosen.expected_loss,
        }
        for hand, d in summary.most_dangerous[:MOST_LISTED]
    ]


def risk_json(
    analysis: Analysis, names: Sequence[str] = ("", "", "", ""), points: bool = True
) -> Json:
    """The value that ``haiyomi risk --json`` prints; ``names`` by absolute seat.

    ``points``: with the whole distributions of points, some fifty times the rest.
    """
    head: Json = {"schema": RISK_SCHEMA, "version": VERSION, "model": analysis.risks.model}
    return head | _analysis(analysis, names, points)


def tile_json(position: Position, risks: DealInRisks, waits: TileWaits) -> Json:
    """The value that ``haiyomi risk --tile --json`` prints: one tile's risk, and the waits that it
    is made of."""
    (choice,) = risks.choices
    opponents = [
        {
            "seat": int(position.absolute(risk.opponent)),
            "tenpai": tenpai,
            "probability": risk.probability,
            "reason": risk.reason,
            "waits": [_wait(w) for w in shares],
        }
        for risk, tenpai, shares in zip(
            choice.by_opponent, risks.tenpai, waits.by_opponent, strict=True
        )
    ]
    return {
        "schema": TILE_SCHEMA,
        "version": VERSION,
        "model": risks.model,
        "tile": str(choice.tile),
        "opponents": opponents,
    }


def _hand(
    review: Review,
    hand: HandReview,
    points: bool,
    judged: Mapping[tuple[int, int], Verdict],
    score: ReviewScore | None,
) -> Json:
    decisions = [
        _decision(d, review.names, points, judged.get((hand.index, d.event)))
        for d in hand.decisions
    ]
    return {
        "hand": hand.index,
        "name": hand.name,
        "kyoku": hand.kyoku,
        "honba": hand.honba,
        "sticks": hand.sticks,
        "scores": list(hand.scores),
        "indicator": str(hand.indicator),
        "needs": [
            {
                "place": need.place + 1,
                "off": need.payer,
                "points": list(need.points),
            }
            for need in hand.needs
        ],
        "score": _score(score),
        "decisions": decisions,
        "endings": [ending_json(event) for event in hand.endings],
    }


def _decision(
    decision: ReviewedDecision, names: Sequence[str], points: bool, verdict: Verdict | None
) -> Json:
    position, offer = decision.position, decision.offer
    out: Json = {
        "event": decision.event,
        "decision": decision.number,
        "turn": decision.turn,
        "option": str(decision.done),
        "offer": None if offer is None else {"tile": str(offer.tile), "seat": int(offer.seat)},
        "tsumogiri": decision.tsumogiri,
        "forced": decision.forced,
        "absent": decision.absent,
        "verdict": None if verdict is None or verdict.agrees else _verdict(verdict),
    }
    if decision.confirmed is not None:
        out["confirmed"] = confirmed_json(decision.confirmed)
    if decision.gives:
        out |= {"tile": str(decision.tile), "riichi": decision.riichi}
        out["outcome"] = outcome_json(decision.outcome, position)
    if decision.analysis.deal_in is not None:
        out |= _analysis(decision.analysis, names, points)
    elif decision.analysis.outcomes is not None:
        out |= _held(position)
        if decision.analysis.styles is not None:
            out["styles"] = _styles(decision.analysis.styles)
        out["outcomes"] = options_json(decision.analysis.outcomes)
    if decision.beside is not None:
        out["beside"] = _beside(decision.beside)
    if decision.revealed is not None:
        out["truth"] = _truth(decision.revealed, position)
    return out


def _beside(beside: Beside) -> Json:
    options = [
        {
            "action": option.action,
            "tile": None if option.tile is None else str(option.tile),
            "value": option.value,
            "share": option.share,
        }
        for option in beside.options
    ]
    return {"name": beside.name, "options": options}


def _held(position: Position) -> Json:
    """What the viewer holds."""
    return {
        "hand": format_tiles(position.hand),
        "drawn": None if position.drawn is None else str(position.drawn),
        "melds": [
            {"kind": meld.kind, "tiles": format_tiles(meld.tiles)}
            for meld in position.players[0].melds
        ],
        "draws_left": position.draws_left,
    }


def _analysis(analysis: Analysis, names: Sequence[str], points: bool) -> Json:
    """The parts that were computed; the others are left out."""
    position, risks = analysis.position, analysis.risks
    out: Json = _held(position) | {
        "opponents": [
            _who(position, r, names)
            | {
                "riichi": position.players[r].riichi,
                "open_melds": position.players[r].open_melds,
                "tenpai": risks.tenpai[r - 1],
            }
            for r in (1, 2, 3)
        ],
        "shanten": risks.shanten,
        "safest": str(risks.safest.tile),
        "safest_forward": str(risks.forward.tile),
        "tiles": [_tile(choice, analysis, points) for choice in risks.choices],
    }
    if risks.kans:
        out["kans"] = [_choice(choice, position, points) for choice in risks.kans]
    if analysis.hidden_hands is not None:
        out["hidden_hands"] = [_hidden_hand(each, position) for each in analysis.hidden_hands]
    if analysis.styles is not None:
        out["styles"] = _styles(analysis.styles)
    if analysis.outcomes is not None:
        out["outcomes"] = options_json(analysis.outcomes)
    return out


def _styles(styles: Sequence[StyleShares]) -> list[Json]:
    return [
        {"style": each.style, "shares": {str(option): share for option, share in each.shares}}
        for each in styles
    ]


def _tile(choice: DiscardRisk, analysis: Analysis, points: bool) -> Json:
    waits = None if analysis.waits is None else analysis.waits_of(choice.tile)
    out = _choice(choice, analysis.position, points, waits)
    if analysis.own_wins is not None:
        own = analysis.own_win(choice.tile)
        out["own_win"] = (
            None if own is None else {"win": own.win, "tenpai": own.tenpai, "points": own.points}
        )
    return out


def _choice(
    choice: DiscardRisk, position: Position, points: bool, waits: TileWaits | None = None
) -> Json:
    shares = ((), (), ()) if waits is None else waits.by_opponent
    return {
        "tile": str(choice.tile),
        "allowed": choice.allowed,
        "shanten": choice.shanten,
        "risk": choice.risk,
        "risk_sum": choice.risk_sum,
        "expected_loss": choice.expected_loss,
        **({"points": _rows(choice.points)} if points else {}),
        "opponents": [
            _risk(risk, share, position, points, named)
            for risk, share, named in zip(choice.by_opponent, choice.shares, shares, strict=True)
        ],
    }


def _risk(
    risk: TileRisk, share: float, position: Position, points: bool, waits: Sequence[WaitShare]
) -> Json:
    return {
        "seat": int(position.absolute(risk.opponent)),
        "probability": risk.probability,
        "share": share,
        "reason": risk.reason,
        "expected_loss": risk.expected_loss,
        "mean_points": risk.mean_points,
        **({"points": _rows(risk.rows)} if points else {}),
        **({"waits": [_wait(w) for w in waits]} if waits else {}),
    }


def _wait(wait: WaitShare) -> Json:
    return {
        "shape": wait.shape,
        "wins": [kind_name(k) for k in wait.wins],
        "held": [kind_name(k) for k in wait.held],
        "share": wait.share,
    }


def _hidden_hand(reading: HandReading, position: Position) -> Json:
    out: Json = {
        "seat": int(position.absolute(reading.opponent)),
        "concealed": reading.tiles,
        "expected": [round(float(n), 4) for n in reading.expected],
        "best": format_counts(reading.best.tolist()),
        "expected_agreement": reading.agreement,
    }
    if reading.published:
        out |= {"model": reading.model, "roulette": format_counts(reading.samples[0].tolist())}
    return out


def _rows(rows: PointsRows) -> list[list[float]]:
    # Arrays, since a game has about a hundred thousand; twelve decimals halve them again, and
    # some sixty rows are then off by less than 1e-10 together.
    rounded = ([r.han, r.fu, r.points, round(r.p, 12)] for r in rows)
    return [row for row in rounded if row[3] > 0]


def _who(position: Position, relative: int, names: Sequence[str]) -> Json:
    seat = position.absolute(relative)
    return {
        "seat": int(seat),
        "name": names[seat],
        "wind": WINDS[(relative - position.dealer) % 4],
    }


def outcome_json(outcome: Aftermath, position: Position) -> Json:
    """What came of a discard; seats absolute."""
    out: Json = {"kind": outcome.kind}
    if outcome.caller is not None:
        out |= {"call": outcome.call, "by": int(position.absolute(outcome.caller))}
    if outcome.wins:
        out["points"] = outcome.points
        out["wins"] = [
            {
                "by": int(position.absolute(won.by)),
                "points": won.points,
                "han": won.han,
                "fu": won.fu,
            }
            for won in outcome.wins
        ]
    return out


def _truth(revealed: Revealed, position: Position) -> list[Json]:
    return [
        {
            "seat": int(position.absolute(r)),
            "waits": [kind_name(k) for k in revealed.waits[r - 1]],
            "ron": [kind_name(k) for k in revealed.ron[r - 1]],
        }
        for r in (1, 2, 3)
    ]


def ending_json(event: Event) -> Json:
    """How a hand ended; seats absolute."""
    if isinstance(event, Win):
        kind = "tsumo" if event.tsumo else "ron"
        return {
            "kind": kind,
            "seat": int(event.seat),
            "target": int(event.target),
            "deltas": list(event.deltas),
        }
    if isinstance(event, ExhaustiveDraw):
        return {
            "kind": "exhaustive-draw",
            "tenpai": None if event.tenpai is None else list(event.tenpai),
            "nagashi": [int(s) for s in event.nagashi],
            "deltas": list(event.deltas),
        }
    assert isinstance(event, AbortiveDraw)
    return {"kind": "abortive-draw", "reason": event.reason}
