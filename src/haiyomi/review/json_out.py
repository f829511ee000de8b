"""A review or an analysis as JSON values, whose keys are the names of ``analysis.value``.

The schema is described in the reference, *JSON formats*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from haiyomi.analysis.value import Analysis, DealInRisks, DiscardRisk, TileWaits
from haiyomi.dealin.answer import PointsRows, TileRisk, WaitShare
from haiyomi.events import AbortiveDraw, Event, ExhaustiveDraw, Win
from haiyomi.game.position import Position
from haiyomi.game.rounds import WINDS
from haiyomi.review.confirmed_text import confirmed_json
from haiyomi.review.decisions import (
    Aftermath,
    Beside,
    HandReview,
    Revealed,
    Review,
    ReviewedDecision,
)
from haiyomi.review.mistakes import better_tile
from haiyomi.review.outcomes_out import options_json
from haiyomi.review.summary import Mistake, Summary, summary_of
from haiyomi.tiles import format_counts, format_tiles, kind_name

if TYPE_CHECKING:
    from haiyomi.reading.answer import HandReading

REVIEW_SCHEMA = "haiyomi-review"
RISK_SCHEMA = "haiyomi-risk"
TILE_SCHEMA = "haiyomi-risk-tile"
VERSION = 2
"""Raised when a field changes its meaning or goes; a new field does not raise it."""
MOST_LISTED = 10
"""Mistakes and dangerous discards that a review lists."""

Json = dict[str, object]


def review_json(review: Review, points: bool = True) -> Json:
    """The value that ``haiyomi review --json`` prints and that the server answers with.

    ``points``: with the whole distributions of points, some fifty times the rest.
    """
    summary = summary_of(review)
    return {
        "schema": REVIEW_SCHEMA,
        "version": VERSION,
        "model": review.model,
        "names": list(review.names),
        "seat": int(review.seat),
        "hands": [_hand(review, hand, points) for hand in review.hands],
        "mistakes": [_mistake(m) for m in summary.mistakes],
        "most_dangerous": _most_dangerous(summary),
        "totals": asdict(summary.totals),
    }


def _mistake(mistake: Mistake) -> Json:
    decision, better = mistake.decision, mistake.better
    return {
        "hand": mistake.hand.index,
        "event": decision.event,
        "tile": str(decision.tile),
        "better": str(better.tile),
        "saved": better.saved,
        "by": better.by,
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


def _hand(review: Review, hand: HandReview, points: bool) -> Json:
    return {
        "hand": hand.index,
        "name": hand.name,
        "kyoku": hand.kyoku,
        "honba": hand.honba,
        "sticks": hand.sticks,
        "scores": list(hand.scores),
        "indicator": str(hand.indicator),
        "decisions": [_decision(d, review.names, points) for d in hand.discards],
        "endings": [ending_json(event) for event in hand.endings],
    }


def _decision(decision: ReviewedDecision, names: Sequence[str], points: bool) -> Json:
    position = decision.position
    better = better_tile(decision)
    out: Json = {
        "event": decision.event,
        "decision": decision.number,
        "turn": decision.turn,
        "action": decision.action,
        "tile": str(decision.tile),
        "tsumogiri": decision.tsumogiri,
        "riichi": decision.riichi,
        "forced": decision.forced,
        "better": None
        if better is None
        else {
            "tile": str(better.tile),
            "saved": better.saved,
            "by": better.by,
            "mistake": better.mistake,
        },
    }
    out |= _analysis(decision.analysis, names, points)
    out["outcome"] = outcome_json(decision.outcome, position)
    if decision.beside is not None:
        out["beside"] = _beside(decision.beside)
    if decision.confirmed is not None:
        out["confirmed"] = confirmed_json(decision.confirmed)
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


def _analysis(analysis: Analysis, names: Sequence[str], points: bool) -> Json:
    """The parts that were computed; the others are left out."""
    position, risks = analysis.position, analysis.risks
    out: Json = {
        "hand": format_tiles(position.hand),
        "drawn": None if position.drawn is None else str(position.drawn),
        "melds": [
            {"kind": meld.kind, "tiles": format_tiles(meld.tiles)}
            for meld in position.players[0].melds
        ],
        "draws_left": position.draws_left,
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
        out["styles"] = [
            {
                "style": each.style,
                "shares": {kind_name(kind): share for kind, share in each.shares},
                "riichi": each.riichi,
            }
            for each in analysis.styles
        ]
    if analysis.outcomes is not None:
        out["outcomes"] = options_json(analysis.outcomes)
    return out


def _tile(choice: DiscardRisk, analysis: Analysis, points: bool) -> Json:
    waits = None if analysis.waits is None else analysis.waits_of(choice.tile)
    out = _choice(choice, analysis.position, points, waits)
    if analysis.own_wins is not None:
        own = analysis.own_win(choice.tile)
        out["own_win"] = (
            None if own is None else {"win": own.win, "tenpai": own.tenpai, "points": own.points}
        )
    if analysis.balance is not None:
        b = analysis.balance_of(choice.tile)
        out["balance"] = (
            None if b is None else {"win": b.win, "gain": b.gain, "loss": b.loss, "value": b.value}
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
    return {
        "seat": int(position.absolute(reading.opponent)),
        "concealed": reading.tiles,
        "expected": [round(float(n), 4) for n in reading.expected],
        "best": format_counts(reading.best.tolist()),
        "expected_agreement": reading.agreement,
    }


def _rows(rows: PointsRows) -> list[list[float]]:
    # Arrays, since a game has some hundred thousand; twelve decimals halve them again, and
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
