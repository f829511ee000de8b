"""What playing on says of a review's mistakes, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from haiyomi.review.catalogue import flat, section
from haiyomi.review.columns import Line
from haiyomi.review.confirmed import Confirmed, Finding
from haiyomi.review.decisions import Review
from haiyomi.review.words import words_of

_STYLE: Final[dict[Finding, str]] = {"confirmed": "good", "open": "dim", "contradicted": "bold"}


def confirmed_lines(review: Review, language: str) -> Iterator[Line]:
    """The decisions that were played on, in the order of the game; nothing where none was."""
    found = [(h, d, d.confirmed) for h, d in review.decisions if d.confirmed is not None]
    if not found:
        return
    texts, w = flat(language, "confirm"), words_of(language)
    findings = section(language, "confirm")["finding"]
    assert not isinstance(findings, str | tuple)
    yield ((texts["title"], "title"),)
    for hand, decision, confirmed in found:
        where = f"{w.short_hand(hand.kyoku, hand.honba)} {decision.turn}"
        text = texts["row"].format(
            where=where,
            better=confirmed.better,
            taken=decision.done,
            points=f"{confirmed.points:+.0f}",
            error=f"{confirmed.points_error:.0f}",
            worlds=confirmed.worlds,
        )
        yield ((text + " ", ""), (str(findings[confirmed.finding]), _STYLE[confirmed.finding]))
    yield ((texts["note"], "dim"),)


def confirmed_json(confirmed: Confirmed) -> dict[str, object]:
    """The JSON value of one."""
    return {
        "better": str(confirmed.better),
        "policy": confirmed.policy,
        "worlds": confirmed.worlds,
        "points": confirmed.points,
        "points_error": confirmed.points_error,
        "value": confirmed.value,
        "value_error": confirmed.value_error,
        "finding": confirmed.finding,
    }
