"""What each style would likeliest do at a decision, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from haiyomi.review.columns import Line, percent, wrap
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.sentences import option_name
from haiyomi.review.verdicts import Verdict
from haiyomi.review.words import Words


def style_lines(
    decision: ReviewedDecision, verdict: Verdict | None, words: Words
) -> Iterator[Line]:
    """Of a mistake, and where a style differs from the pooled policy, which is left out."""
    styles, claimed = decision.analysis.styles or (), decision.claimed
    likeliest = [each.shares[0] for each in styles]
    flagged = verdict is not None and verdict.mistake
    if flagged or len({option for option, _ in likeliest}) > 1:
        items = [
            f"{words.style(each.style)}: {option_name(option, words, claimed)} {percent(share)}"
            for each, (option, share) in zip(styles[1:], likeliest[1:], strict=True)
        ]
        first = (("     " + words.by_style, "dim"),)
        yield from wrap([((text, "dim"),) for text in items], first)
