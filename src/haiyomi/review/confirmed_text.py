"""What playing on says of a mistake, as a sentence and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from haiyomi.analysis.value import PAYOFF
from haiyomi.review.catalogue import flat, section
from haiyomi.review.confirmed import CLEAR, Confirmed
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.sentences import option_said, reason_of, sentence
from haiyomi.review.verdicts import Verdict
from haiyomi.review.words import Words

if TYPE_CHECKING:
    from haiyomi.outcomes.option import Option
    from haiyomi.tiles import Tile


def explained(decision: ReviewedDecision, verdict: Verdict, words: Words) -> Iterator[str]:
    """The sentence of a mistake, and what playing on says of the decision where it was asked, also
    where it is no mistake then."""
    if verdict.severity is not None:
        yield sentence(reason_of(decision, verdict), int(decision.position.dealer), words)
    if decision.confirmed is not None:
        yield confirmed_text(decision.confirmed, decision.done, words, decision.claimed)
        if verdict.severity is None and decision.confirmed.finding != "contradicted":
            cost = words.points.format(n=round(verdict.cost))
            yield flat(words.language, "confirm")["no-mistake"].format(n=cost) + "."


def confirmed_text(
    confirmed: Confirmed, taken: Option, words: Words, claimed: Tile | None = None
) -> str:
    """The difference from the option that was taken, in points and of the placement where it is
    known, with its standard errors, and the finding. ``claimed``: as in ``option_name``."""
    texts, findings = flat(words.language, "confirm"), section(words.language, "confirm")["finding"]
    assert not isinstance(findings, str | tuple)
    points, error = f"{confirmed.points:+z,.0f}", f"{confirmed.points_error:,.0f}"
    # Where all worlds go on alike, only the risk of the tile is left, which is not played on.
    alike = confirmed.points_error == 0
    gain = texts["gain-alike" if alike else "gain"].format(points=points, error=error)
    if not alike and confirmed.value is not None and confirmed.value_error is not None:
        value, error = f"{confirmed.value:+z.1f}", f"{confirmed.value_error:.1f}"
        place = "place-ranking" if _ranking(confirmed.payoff) else "place"
        gain += texts[place].format(value=value, error=error)
        if confirmed.at_start is not None:
            gain += texts["at-start"].format(points=f"{confirmed.at_start[0]:+z,.0f}")
    done = option_said(taken, words, confirmed.better, claimed)
    return texts["row"].format(
        worlds=f"{confirmed.worlds:,}",
        better=option_said(confirmed.better, words, taken, claimed),
        taken=done,
        gain=gain,
        finding=str(findings[_finding(confirmed)]).format(taken=done),
    )


def _ranking(payoff: str | None) -> bool:
    """Whether a payoff counts ranking points, as the usual one does."""
    return payoff is not None and (
        payoff == PAYOFF or payoff.startswith(("tenhou:", "mahjong-soul:"))
    )


def _finding(confirmed: Confirmed) -> str:
    """The finding by its name in the catalogue: one that is open for the placement alone says what
    the points are."""
    points, error = confirmed.points, confirmed.points_error
    if confirmed.finding != "open" or abs(points) < CLEAR * error or points == 0:
        return confirmed.finding
    return "open-for" if points > 0 else "open-against"


def confirmed_json(confirmed: Confirmed) -> dict[str, object]:
    """The JSON value of one."""
    return {
        "better": str(confirmed.better),
        "policies": list(confirmed.policies),
        "worlds": confirmed.worlds,
        "points": confirmed.points,
        "points_error": confirmed.points_error,
        "value": confirmed.value,
        "value_error": confirmed.value_error,
        "rate": confirmed.rate,
        "finding": confirmed.finding,
    }
