"""A whole review as text, with its end: costliest mistakes, most dangerous discards, totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from haiyomi.analysis.value import Part
from haiyomi.review.columns import (
    WIDTH,
    Line,
    Span,
    break_text,
    fit,
    percent,
    right,
    risk_style,
)
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.summary import Summary, summary_of
from haiyomi.review.text import RULE, TextReport
from haiyomi.review.words import Words

TEXT_PARTS: tuple[Part, ...] = ("deal_in", "own_wins", "balance", "waits")
"""What is worked out for a text."""
WORTH_LISTING = 0.01
"""Risk from which a discard stands among the most dangerous."""


def review_lines(review: Review, words: Words) -> Iterator[Line]:
    """A whole review as text."""
    report = TextReport(words, review.names)
    yield from report.review(review)
    yield ()
    yield from closing_lines(report, review)


def closing_lines(report: TextReport, review: Review, count: int = 10) -> Iterator[Line]:
    """The costliest mistakes, the most dangerous discards and the totals."""
    w = report.words
    summary = summary_of(review)
    if not summary.totals.decisions:
        yield ((w.no_hands, ""),)
        return
    yield from _mistakes(report, summary, count)
    # A tile that dealt in is listed however safe it looked.
    worst = [
        (h, d)
        for i, (h, d) in enumerate(summary.most_dangerous)
        if d.outcome.kind == "dealt-in" or (i < count and d.chosen.risk >= WORTH_LISTING)
    ]
    yield from _title(w.closing)
    if not worst:
        yield ((w.none_dangerous, ""),)
    else:
        yield _head(w.columns)
    for hand, decision in worst:
        yield _dangerous_row(report, hand, decision)
    yield ()
    t = summary.totals
    text = w.summary.format(
        decisions=t.decisions,
        expected=w.points.format(n=round(t.expected_loss)),
        least=w.points.format(n=round(t.least_loss)),
        times=t.dealt_in,
        points=w.points.format(n=t.points_lost),
        mistakes=t.mistakes,
        cost=w.points.format(n=round(t.mistake_cost)),
    )
    for line in text.splitlines():
        for part in break_text(line):
            yield ((part, "bold"),)


def _title(text: str) -> Iterator[Line]:
    yield RULE
    yield ((text, "title"),)
    yield RULE


def _mistakes(report: TextReport, summary: Summary, count: int) -> Iterator[Line]:
    """The costliest mistakes; nothing where there is none."""
    w = report.words
    if not summary.mistakes:
        return
    yield from _title(w.mistakes)
    yield _head(w.mistake_columns)
    for mistake in summary.mistakes[:count]:
        decision, better = mistake.decision, mistake.better
        saved = w.saved[better.by].format(n=w.points.format(n=round(better.saved)))
        came, style = report.outcome(decision.outcome, decision.position, short=True)
        yield (
            *_place(report, mistake.hand, decision),
            (" " + right(w.tile(better.tile), 8) + "  ", "good"),
            (fit(saved, 22) + " ", ""),
            (fit(came, WIDTH - 68).rstrip(), style),
        )
    yield ()


def _place(report: TextReport, hand: HandReview, decision: ReviewedDecision) -> tuple[Span, ...]:
    """Which decision, its tile and its risk: the first 33 columns of a closing row."""
    w, chosen = report.words, decision.chosen
    where = fit(w.short_hand(hand.kyoku, hand.honba), 11) + " "
    return (
        (where + right(str(decision.turn), 5) + " ", ""),
        (right(w.tile(decision.tile), 5) + " ", "bold"),
        (right(percent(chosen.risk), 7), risk_style(chosen.risk)),
    )


def _dangerous_row(report: TextReport, hand: HandReview, decision: ReviewedDecision) -> Line:
    w, chosen = report.words, decision.chosen
    position = decision.position
    best = decision.analysis.risks.safest
    share = max(range(3), key=lambda i: chosen.shares[i])
    to = f"{report.player(position, share + 1, 10)} {100 * chosen.shares[share]:.0f}%"
    if best.tile == chosen.tile:
        safer: Span = (fit("=", 12), "dim")
    else:
        safer = (fit(f"{w.tile(best.tile)} {percent(best.risk)}", 12), "good")
    came, style = report.outcome(decision.outcome, position, short=True)
    return (
        *_place(report, hand, decision),
        (" " + right(w.points.format(n=round(chosen.expected_loss)), 9) + "  ", ""),
        (fit(to, 18) + " ", ""),
        safer,
        (" ", ""),
        (fit(came, WIDTH - 74).rstrip(), style),
    )


def _head(columns: Sequence[str]) -> Line:
    """The head of a closing table: eight columns, or seven without the last but one."""
    widths = (11, 5, 5, 7, 9, 18, 12) if len(columns) == 8 else (11, 5, 5, 7, 8, 22)
    *names, last = columns
    cells = [
        fit(name, n) if i in (0, 5, 6) else right(name, n)
        for i, (name, n) in enumerate(zip(names, widths, strict=True))
    ]
    return ((f"{' '.join(cells[:5])}  {' '.join(cells[5:])} {last}", "dim"),)
