"""A review or an assessment as JSON values; the schema is ``docs/reference/review-json.md``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from haiyomi.dealin.answer import PointsRows, TileRisk
from haiyomi.events import AbortiveDraw, Event, ExhaustiveDraw, Win
from haiyomi.game.position import Position
from haiyomi.game.rounds import WINDS
from haiyomi.review.assessment import (
    Assessment,
    Choice,
    Decision,
    HandReview,
    Outcome,
    Revealed,
    Review,
)
from haiyomi.review.win_columns import with_win
from haiyomi.tiles import format_tiles, kind_name

REVIEW_SCHEMA = "haiyomi-review"
RISK_SCHEMA = "haiyomi-risk"
VERSION = 1
"""Raised when a field changes its meaning or goes; a new field does not raise it."""

Json = dict[str, Any]


def review_json(review: Review) -> Json:
    """The value that ``haiyomi review --json`` prints."""
    decisions = [d for _, d in review.decisions]
    dealt = [d for d in decisions if d.outcome.kind == "dealt-in"]
    return {
        "schema": REVIEW_SCHEMA,
        "version": VERSION,
        "model": review.model,
        "names": list(review.names),
        "seat": int(review.seat),
        "hands": [_hand(review, hand) for hand in review.hands],
        "most_dangerous": [
            {
                "hand": hand.index,
                "event": d.event,
                "tile": str(d.tile),
                "any": d.chosen.any,
                "expected_loss": d.chosen.expected_loss,
            }
            for hand, d in review.most_dangerous()
        ],
        "totals": {
            "decisions": len(decisions),
            "expected_loss": sum(d.chosen.expected_loss for d in decisions),
            "dealt_in": len(dealt),
            "points_lost": sum(d.outcome.points for d in dealt),
        },
    }


def risk_json(
    assessment: Assessment, names: Sequence[str] = ("", "", "", ""), points: bool = True
) -> Json:
    """The value that ``haiyomi risk --json`` prints; ``names`` by absolute seat.

    ``points``: with the whole distributions of points, some fifty times the rest.
    """
    return {"schema": RISK_SCHEMA, "version": VERSION, "model": assessment.model} | _assessment(
        assessment, names, points
    )


def _hand(review: Review, hand: HandReview) -> Json:
    return {
        "hand": hand.index,
        "name": hand.name,
        "kyoku": hand.kyoku,
        "honba": hand.honba,
        "sticks": hand.sticks,
        "scores": list(hand.scores),
        "indicator": str(hand.indicator),
        "decisions": [_decision(d, review.names) for d in hand.decisions],
        "endings": [ending_json(event) for event in hand.endings],
    }


def _decision(decision: Decision, names: Sequence[str]) -> Json:
    position = decision.assessment.position
    out: Json = {
        "event": decision.event,
        "decision": decision.number,
        "turn": decision.turn,
        "action": decision.action,
        "tile": str(decision.tile),
        "tsumogiri": decision.tsumogiri,
        "riichi": decision.riichi,
        "forced": decision.forced,
    }
    out |= _assessment(decision.assessment, names)
    out["outcome"] = outcome_json(decision.outcome, position)
    if decision.revealed is not None:
        out["truth"] = _truth(decision.revealed, position)
    return out


def _assessment(assessment: Assessment, names: Sequence[str], points: bool = True) -> Json:
    position = assessment.position
    return {
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
                "tenpai": assessment.tenpai[r - 1],
            }
            for r in (1, 2, 3)
        ],
        "shanten": assessment.shanten,
        "safest": str(assessment.safest.tile),
        "safest_forward": str(assessment.forward.tile),
        "tiles": with_win(assessment, [_choice(c, position, points) for c in assessment.choices]),
    }


def _choice(choice: Choice, position: Position, points: bool) -> Json:
    rows = {"points": _rows(choice.rows)} if points else {}
    return {
        "tile": str(choice.tile),
        "allowed": choice.allowed,
        "shanten": choice.shanten,
        "probability": choice.total,
        "any": choice.any,
        "expected_loss": choice.expected_loss,
        **rows,
        "opponents": [
            _risk(risk, share, position, points)
            for risk, share in zip(choice.risks, choice.shares, strict=True)
        ],
    }


def _risk(risk: TileRisk, share: float, position: Position, points: bool) -> Json:
    rows = {"points": _rows(risk.rows)} if points else {}
    return {
        "seat": int(position.absolute(risk.opponent)),
        "probability": risk.probability,
        "share": share,
        "reason": risk.reason,
        "expected_loss": risk.expected_loss,
        "mean_points": risk.mean_points,
        **rows,
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


def outcome_json(outcome: Outcome, position: Position) -> Json:
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
