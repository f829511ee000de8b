"""A whole review as text, with its begin and end: score, costliest mistakes, dangerous discards."""

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
    wrap,
)
from haiyomi.review.confirmed_text import explained
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.score import ReviewScore
from haiyomi.review.sentences import Share, option_name
from haiyomi.review.summary import EVERY, Mistake, Shown, Summary, summary_of
from haiyomi.review.text import RULE, TextReport
from haiyomi.review.verdicts import USUAL, Margins, Verdict
from haiyomi.review.words import Words

TEXT_PARTS: tuple[Part, ...] = ("deal_in", "own_wins", "waits", "styles", "outcomes")
"""What is worked out for a text."""
WHERE = 19
"""Columns of the hand and the turn of a mistake."""
COSTLIEST = 3
"""Mistakes that a review begins with, and that are played on where this is asked."""
LISTED = 10
"""Mistakes, and dangerous discards, that it ends with."""
WORTH_LISTING = 0.01
"""Risk from which a discard stands among the most dangerous."""


def review_lines(
    review: Review,
    words: Words,
    margins: Margins = USUAL,
    shown: Shown = EVERY,
) -> Iterator[Line]:
    """A whole review as text: the summary, every hand, the mistakes and the dangerous discards."""
    report = TextReport(words, review.names)
    summary = summary_of(review, margins)
    if summary.totals.decisions:
        yield from opening_lines(report, review, summary, shown)
        yield ()
    yield from report.review(review, summary.judged)
    yield ()
    yield from closing_lines(report, summary, shown)


def opening_lines(
    report: TextReport, review: Review, summary: Summary, shown: Shown
) -> Iterator[Line]:
    """Result and place, the score, luck, the three costliest of the mistakes shown, and what
    playing on found to be none."""
    w = report.words
    yield RULE
    if review.final is not None and review.place is not None:
        place = w.places[review.place - 1]
        points = w.points.format(n=review.final[review.seat])
        yield ((w.result.format(place=place, points=points), "title"),)
    score = summary.score
    if score is not None:
        for part in break_text(score_text(score, w)):
            yield ((part, "bold"),)
    if score is not None and score.better_than is not None:
        yield ((better_text(score.better_than, w), ""),)
    luck, wins = summary.luck, summary.luck.wins
    text = w.luck_deal_ins.format(n=luck.deal_ins.came, expected=f"{luck.deal_ins.expected:.1f}")
    if wins is not None:
        text += w.and_ + w.luck_wins.format(n=wins.came, expected=f"{wins.expected:.1f}")
    yield ((text, ""),)
    away = [decision.absent for _, decision in review.decisions]
    if any(away):
        yield ((w.away.format(n=sum(away), all=len(away)), ""),)
    for mistake in shown.of(summary.mistakes)[:COSTLIEST]:
        yield from mistake_lines(report, mistake)
    for hand, decision, verdict in summary.judged:
        if decision.confirmed is not None and verdict.severity is None:
            yield from _explained(report, decision, verdict, _where(report, hand, decision))
    yield RULE


def score_text(score: ReviewScore, w: Words) -> str:
    """What was given up per decision, with its interval, and the agreement."""
    low, high = score.interval
    return w.score.format(
        cost=f"{score.cost:.0f}",
        interval=w.interval.format(low=f"{low:.0f}", high=f"{high:.0f}"),
        decisions=score.decisions,
        agreement=f"{100 * score.agreement:.0f}%",
    )


def better_text(share: float, w: Words) -> str:
    """The share of strong players' games that gave up more, in words at its two ends."""
    if share in (0, 1):
        return w.above_all if share else w.below_all
    return w.better_than.format(share=Share(min(max(share, 0.01), 0.99)))


def mistake_line(report: TextReport, mistake: Mistake) -> Iterator[Line]:
    """Which decision, what was done, what was better and by how much; on a line if it fits."""
    w, verdict = report.words, mistake.verdict
    where = _where(report, mistake.hand, mistake.decision)
    claimed = mistake.decision.claimed
    done, better = (option_name(o.option, w, claimed) for o in (verdict.taken, verdict.best))
    points, error = (w.points.format(n=round(n)) for n in (verdict.cost, verdict.error))
    named = w.severities[verdict.severity or "inaccuracy"], w.categories[verdict.category]
    items: list[Line] = [
        ((f"{done} -> {better}", ""),),
        ((w.cost.format(n=points, error=error), "bad"),),
        ((w.and_.join(named), "dim"),),
    ]
    yield from wrap(items[1:], ((where, "bold"), *items[0]), gap="  ")


def mistake_lines(report: TextReport, mistake: Mistake) -> Iterator[Line]:
    """The line of a mistake; then its sentences."""
    yield from mistake_line(report, mistake)
    yield from _explained(report, mistake.decision, mistake.verdict, " " * WHERE)


def _explained(
    report: TextReport, decision: ReviewedDecision, verdict: Verdict, where: str
) -> Iterator[Line]:
    """The sentences of a decision, the first after ``where`` it was."""
    for text in explained(decision, verdict, report.words):
        for part in break_text(text, WIDTH - WHERE):
            yield ((where, "bold"), (part, ""))
            where = " " * WHERE


def _where(report: TextReport, hand: HandReview, decision: ReviewedDecision) -> str:
    """The hand and the turn of a decision, in WHERE columns."""
    w = report.words
    name = w.short_hand(hand.kyoku, hand.honba)
    return fit(w.where.format(hand=name, n=decision.turn), WHERE)


def closing_lines(report: TextReport, summary: Summary, shown: Shown) -> Iterator[Line]:
    """The costliest mistakes, a line each, the most dangerous discards and the totals."""
    w = report.words
    if not summary.totals.decisions:
        yield ((w.no_hands, ""),)
        return
    mistakes = shown.of(summary.mistakes)[: LISTED if shown.worst is None else shown.worst]
    if mistakes:
        yield from _title(w.mistakes)
    for mistake in mistakes:
        yield from mistake_line(report, mistake)
    if not summary.judged:
        yield ((w.not_judged, ""),)
    if mistakes or not summary.judged:
        yield ()
    # A tile that dealt in is listed however safe it looked.
    worst = [
        (h, d)
        for i, (h, d) in enumerate(summary.most_dangerous)
        if d.outcome.kind == "dealt-in" or (i < LISTED and d.chosen.risk >= WORTH_LISTING)
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
    if hidden := len(summary.mistakes) - len(shown.of(summary.mistakes)):
        for part in break_text(w.not_shown.format(n=hidden)):
            yield ((part, "dim"),)


def _title(text: str) -> Iterator[Line]:
    yield RULE
    yield ((text, "title"),)
    yield RULE


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
    """The head of the table of dangerous discards."""
    widths = (11, 5, 5, 7, 9, 18, 12)
    *names, last = columns
    cells = [
        fit(name, n) if i in (0, 5, 6) else right(name, n)
        for i, (name, n) in enumerate(zip(names, widths, strict=True))
    ]
    return ((f"{' '.join(cells[:5])}  {' '.join(cells[5:])} {last}", "dim"),)
