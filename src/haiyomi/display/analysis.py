"""An Analysis and a Review as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from haiyomi.counted import counted
from haiyomi.display.answers import readings_table
from haiyomi.display.page import Html, bar, heading, page, percent, table, tiles
from haiyomi.display.position import SEATS, position_parts
from haiyomi.display.tile_row import upright
from haiyomi.review.summary import Summary, summary_of

if TYPE_CHECKING:
    from haiyomi.analysis.value import Analysis
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
    from haiyomi.tiles import Tile

LISTED = 10
"""How many mistakes and dangerous discards of a review are shown."""
LIKELY = 3
"""How many options of each style are shown."""
Row = list[object]


def analysis_html(analysis: Analysis) -> str:
    """The position, then each part that was computed."""
    parts = list(position_parts(analysis.position))
    discards = sorted(_discards(analysis), key=lambda tile: _order(analysis, tile))
    if discards:
        parts += [heading("Discards", _tenpai(analysis)), _discard_table(analysis, discards)]
    if analysis.hidden_hands:
        parts += [heading("Hidden hands"), readings_table(analysis.hidden_hands)]
    if analysis.styles:
        rows = [
            [each.style, ", ".join(f"{option} {percent(p)}" for option, p in each.shares[:LIKELY])]
            for each in analysis.styles
        ]
        parts += [heading("What players would do"), table(("style", "likeliest"), rows)]
    return page(*parts)


def review_html(review: Review) -> str:
    """The totals of a review, its costliest mistakes and its most dangerous discards."""
    played = f"seat {review.seat}, {counted(len(review.hands), 'hand')}, model {review.model}"
    head = heading(f"Review of {review.name(0) or 'an unnamed player'}", played)
    analyses = [decision.analysis for _, decision in review.discards]
    if any(a.deal_in is None for a in analyses):
        count = f"{counted(len(analyses), 'decision')}, analysed without risks"
        return page(head, Html(f"<div>{count}</div>"))
    summary = summary_of(review)
    return page(head, *_summary(summary))


def _summary(summary: Summary) -> Iterator[Html]:
    t = summary.totals
    yield table(
        ("decisions", "dealt in", "points lost", "expected loss", "loss if safest", "mistakes",
         "cost of mistakes"),
        [[t.decisions, t.dealt_in, t.points_lost, round(t.expected_loss), round(t.least_loss),
          t.mistakes, round(t.mistake_cost)]],
    )  # fmt: skip
    yield heading("Costliest mistakes", "" if summary.judged else "no decision was judged")
    yield table(
        ("hand", "turn", "hand held", "done", "better", "cost", "kind"),
        [
            [
                m.hand.name,
                m.decision.turn,
                _held(m.decision),
                str(m.decision.done),
                str(m.verdict.best.option),
                round(m.verdict.cost),
                m.verdict.category,
            ]
            for m in summary.mistakes[:LISTED]
        ],
    )
    yield heading("Most dangerous discards")
    yield table(
        ("hand", "turn", "hand held", "discarded", "risk", "expected loss", "outcome"),
        [
            [*_place(hand, decision), bar(decision.chosen.risk),
             round(decision.chosen.expected_loss), _outcome(decision)]
            for hand, decision in summary.most_dangerous[:LISTED]
        ],
    )  # fmt: skip


def _place(hand: HandReview, decision: ReviewedDecision) -> Row:
    return [hand.name, decision.turn, _held(decision), _tile(decision.tile)]


def _held(decision: ReviewedDecision) -> Html:
    return tiles(upright(decision.position.hand), 24)


def _outcome(decision: ReviewedDecision) -> str:
    points = decision.outcome.points
    return decision.outcome.kind + (f", {points:,} points" if points else "")


def _tile(tile: Tile) -> Html:
    return tiles(upright([tile]), 24)


def _discards(analysis: Analysis) -> set[Tile]:
    """The tiles about which a part says something."""
    risks = analysis.deal_in.choices if analysis.deal_in is not None else ()
    parts = (risks, analysis.own_wins or ())
    return {row.tile for part in parts for row in part} | set(_outcomes(analysis))


def _outcomes(analysis: Analysis) -> dict[Tile, Outcome]:
    """The outcome of each discard without riichi, if the part was computed."""
    found = analysis.outcomes or ()
    return {each.option.tiles[0]: each for each in found if each.option.act == "discard"}


def _order(analysis: Analysis, tile: Tile) -> tuple[float, Tile]:
    """By expected points, else by expected loss, else by win by own draws: the best first."""
    outcome = _outcomes(analysis).get(tile)
    if outcome is not None:
        return -outcome.points, tile
    if analysis.deal_in is not None:
        return analysis.deal_in[tile].expected_loss, tile
    own = analysis.own_win(tile)
    return (-own.win if own else 0.0), tile


def _tenpai(analysis: Analysis) -> str:
    if analysis.deal_in is None:
        return ""
    shares = zip(SEATS[1:], analysis.deal_in.tenpai, strict=True)
    return "tenpai: " + ", ".join(f"{name} {percent(p)}" for name, p in shares)


def _discard_table(analysis: Analysis, discards: list[Tile]) -> Html:
    heads = ["discard"]
    if analysis.deal_in is not None:
        heads += ["shanten", "risk", *SEATS[1:], "expected loss"]
    if analysis.outcomes:
        heads += ["win", "deal-in", "expected points"]
    if analysis.own_wins is not None:
        heads += ["win by own draws", "tenpai by own draws", "points by own draws"]
    return table(heads, [_discard_row(analysis, tile) for tile in discards])


def _discard_row(analysis: Analysis, tile: Tile) -> Row:
    row: Row = [_tile(tile)]
    if analysis.deal_in is not None:
        choice = analysis.deal_in[tile]
        row += ["-" if choice.shanten is None else choice.shanten, bar(choice.risk)]
        row += [
            percent(r.probability) if r.reason is None else f"0 ({r.reason})"
            for r in choice.by_opponent
        ]
        row.append(round(choice.expected_loss))
    if analysis.outcomes:
        found = _outcomes(analysis).get(tile)
        row += (
            ["-"] * 3
            if found is None
            else [percent(found.win), percent(found.deal_in), round(found.points)]
        )
    if analysis.own_wins is not None:
        own = analysis.own_win(tile)
        points = None if own is None else own.points
        tenpai = None if own is None else own.tenpai
        row.append("-" if own is None else percent(own.win))
        row.append("-" if tenpai is None else percent(tenpai))
        row.append("-" if points is None else round(points))
    return row
