"""Some options of a decision, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from haiyomi.review.columns import Line, chance, fit, width
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.discard_table import behind_for_the_place, share_text
from haiyomi.review.sentences import option_name
from haiyomi.review.verdicts import doubted
from haiyomi.review.words import Words

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome


def option_lines(
    decision: ReviewedDecision, listed: Sequence[Outcome], words: Words
) -> Iterator[Line]:
    """The expected points of each, how far it is behind for the place, P(win) and how many strong
    players choose it; the one that was taken in bold."""
    rare = doubted(decision.options)
    behind = behind_for_the_place(decision.analysis, decision.rate)
    names = [option_name(each.option, words, decision.claimed) for each in listed]
    room = max(map(width, names), default=0)
    for each, name in zip(listed, names, strict=True):
        text = f"{words.ev} {each.points:+z.0f}"
        if behind:
            text += f"  {words.place} {behind[each.option]:z.0f}"
        text += f"  {words.win} {chance(each.win)}"
        if each.share is not None:
            text += f"  {words.strong} {share_text(each, rare)}"
        style = "bold" if each.option == decision.done else ""
        yield (f"     {fit(name, room)}  ", style), (text, "")
