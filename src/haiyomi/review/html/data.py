"""What a page is drawn from: a Review or an Assessment as compact JSON values.

Keys are short since a game has some two hundred decisions; docs/reference/page-data.md names each.
Seats are relative to the viewer (0 = the viewer) except where a key says otherwise. What a
room adds to a decision stands under ``x``, by the section's name (see ``sections``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from haiyomi.dealin.answer import TileRisk
from haiyomi.game.player_view import Meld, PlayerView, RiverTile
from haiyomi.game.position import Position
from haiyomi.review.assessment import Assessment, Choice, Decision, HandReview, Review
from haiyomi.review.balance import MARGIN as BALANCE_MARGIN
from haiyomi.review.html.sections import Section
from haiyomi.review.json_out import ending_json, outcome_json
from haiyomi.review.mistakes import MARGIN, by_balance, by_risk
from haiyomi.review.reviewer import shown_by
from haiyomi.review.text import without_common_word
from haiyomi.tiles import kind_name

VERSION = 1
POINT_STEPS = (2000, 3900, 7700, 12000, 16000, 32000)
"""The points distribution is shown in these classes: below 2,000, 2,000-3,899, ..."""
WORTH_SHOWING = 5e-4
"""A distribution of points is left out below this probability."""

Json = dict[str, Any]


def review_data(review: Review, sections: Sequence[Section] = ()) -> Json:
    """The data of a whole review; ``sections`` are asked about decisions that were not shown
    to any yet."""
    return {
        "kind": "review",
        "v": VERSION,
        "model": review.model,
        "names": list(without_common_word(review.names)),
        "seat": int(review.seat),
        "steps": list(POINT_STEPS),
        "margin": MARGIN,
        "balance_margin": BALANCE_MARGIN,
        "hands": [_hand(hand, sections) for hand in review.hands],
        "worst": [
            [_place(review, hand), hand.decisions.index(d)]
            for hand, d in review.most_dangerous(15)
            if d.chosen.any >= 0.01
        ],
    }


def position_data(
    assessment: Assessment,
    names: Sequence[str] = ("", "", "", ""),
    sections: Sequence[Section] = (),
) -> Json:
    """The data of one position; ``names`` by absolute seat."""
    return {
        "kind": "position",
        "v": VERSION,
        "model": assessment.model,
        "names": list(names),
        "seat": int(assessment.position.seat),
        "steps": list(POINT_STEPS),
        "margin": MARGIN,
        "decision": _assessment(assessment, sections),
    }


def _place(review: Review, hand: HandReview) -> int:
    return next(i for i, h in enumerate(review.hands) if h.index == hand.index)


def _hand(hand: HandReview, sections: Sequence[Section]) -> Json:
    return {
        "i": hand.index,
        "k": hand.kyoku,
        "h": hand.honba,
        "s": hand.sticks,
        "sc": list(hand.scores),
        "en": [ending_json(event) for event in hand.endings],
        "d": [_decision(d, sections) for d in hand.decisions],
    }


def _decision(decision: Decision, sections: Sequence[Section]) -> Json:
    position = decision.assessment.position
    out: Json = {
        "e": decision.event,
        "n": decision.number,
        "u": decision.turn,
        "a": decision.action,
        "t": str(decision.tile),
        "g": int(decision.tsumogiri),
        "r": int(decision.riichi),
        "f": int(decision.forced),
        "o": outcome_json(decision.outcome, position),
    }
    out |= _assessment(decision.assessment, sections, decision.shown)
    rows = out.get("x", {}).get("win", {}).get("d")
    better = by_balance(decision, [(row[0], row[5]) for row in rows]) if rows else by_risk(decision)
    if rows and not decision.forced and decision.action == "discard":
        out["mb"] = 1
    if better is not None:
        out["m"] = [str(better.tile), _short(better.saved) if better.by == "risk" else better.saved]
    if decision.revealed is not None:
        told = decision.revealed
        out["z"] = [
            [[kind_name(k) for k in kinds] for kinds in three]
            for three in zip(told.waits, told.ron, told.held, strict=True)
        ]
    return out


def _assessment(
    assessment: Assessment, sections: Sequence[Section], shown: Mapping[str, Any] | None = None
) -> Json:
    position = assessment.position
    out: Json = {
        "b": table_data(position),
        "p": [_short(p) for p in assessment.tenpai],
        "c": _choices(assessment.choices),
    }
    if assessment.choices:
        out |= {"s": str(assessment.safest.tile), "w": str(assessment.forward.tile)}
    extra = shown_by(sections, [assessment])[0] if shown is None else dict(shown)
    if extra:
        out["x"] = extra
    return out


def _choices(choices: Sequence[Choice]) -> list[Json]:
    risks = [risk for choice in choices for risk in choice.risks]
    shown = iter(_classes([risk for risk in risks if risk.probability >= WORTH_SHOWING]))
    out = []
    for choice in choices:
        row: Json = {
            "t": str(choice.tile),
            "p": _short(choice.any),
            "l": _short(choice.expected_loss),
            "r": [_risk(risk, shown) for risk in choice.risks],
        }
        if choice.shanten is not None:
            row["n"] = choice.shanten
        if not choice.allowed:
            row["no"] = 1
        out.append(row)
    return out


def _risk(risk: TileRisk, shown: Iterator[list[int]]) -> list[Any]:
    """[p, mean points, reason or 0, thousandths of p in each class of points]."""
    out: list[Any] = [_short(risk.probability), round(risk.mean_points), risk.reason or 0]
    if risk.probability >= WORTH_SHOWING:
        out.append(next(shown))
    return out


def _classes(risks: Sequence[TileRisk]) -> list[list[int]]:
    """Thousandths of each risk in each class of points."""
    import numpy as np

    if not risks:
        return []
    classes = len(POINT_STEPS) + 1
    cells = np.concatenate([risk.rows.cells for risk in risks])
    of = np.repeat(np.arange(len(risks)), [len(risk.rows) for risk in risks])
    which = classes * of + np.searchsorted(POINT_STEPS, cells[:, 2], side="right")
    sums = np.bincount(which, cells[:, 3], classes * len(risks)).reshape(-1, classes)
    total = np.array([risk.probability for risk in risks])
    thousandths: list[list[int]] = np.rint(1000 * (sums / total[:, None])).astype(int).tolist()
    return thousandths


def _short(value: float) -> float:
    """Four significant digits."""
    return float(f"{value:.4g}")


# -- the table -------------------------------------------------------------------------------


def table_data(position: Position) -> Json:
    """What lies on the table, and the viewer's hand."""
    hand = list(position.hand)
    if position.drawn is not None:
        hand.remove(position.drawn)
    return {
        "k": position.kyoku,
        "h": position.honba,
        "s": position.sticks,
        "d": int(position.dealer),
        "i": [str(t) for t in position.indicators],
        "hand": [str(t) for t in hand],
        "drawn": None if position.drawn is None else str(position.drawn),
        "left": position.draws_left,
        "p": [_player(p) for p in position.players],
        "seen": "".join(map(str, position.seen)),
    }


def _player(player: PlayerView) -> Json:
    out: Json = {"sc": player.score, "n": player.concealed}
    if player.river:
        out["v"] = " ".join(_river_tile(t) for t in player.river)
    if player.melds:
        out["m"] = [_meld(m) for m in player.melds]
    if player.riichi:
        out["r"] = 1
    # Not everything let pass can be told from the rivers, and the models look at it.
    out["f"] = _kinds(player.passed_mask)
    if player.riichi:
        out["fr"] = _kinds(player.riichi_mask)
    return out


def _kinds(mask: int) -> str:
    return "".join(kind_name(k) for k in range(34) if mask >> k & 1)


def _river_tile(tile: RiverTile) -> str:
    """``5m``, then ``*`` tsumogiri, ``!`` riichi, ``^2`` called by relative seat 2."""
    called = "" if tile.called_by is None else f"^{tile.called_by}"
    return f"{tile.tile}{'*' * tile.tsumogiri}{'!' * tile.riichi}{called}"


def _meld(meld: Meld) -> list[Any]:
    """[kind, tiles, the called tile or None, from which relative seat or None]."""
    return [
        meld.kind,
        [str(t) for t in meld.tiles],
        None if meld.called is None else str(meld.called),
        None if meld.target is None else int(meld.target),
    ]
