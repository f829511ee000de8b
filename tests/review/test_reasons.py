"""Which cause a reason names."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pytest
from review.made_decisions import decided, outcome, with_shanten

from haiyomi.analysis.value import DealInRisks
from haiyomi.dealin.answer import PointsRow, PointsRows, TileRisk
from haiyomi.outcomes.answer import Endings, EndingShare, Outcome
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.sentences import reason_of, sentence
from haiyomi.review.verdicts import Margins, verdict_of
from haiyomi.review.words import words_of
from haiyomi.tiles import Seat


@pytest.mark.parametrize("win", [0.34, 0.36])
def test_wins_that_are_worth_more_are_the_cause_even_where_they_are_fewer(win: float) -> None:
    """A named case: "discarding 9s changes the score by 590 points on average, discarding 7p by
    190", where the one wins for 5,000 points and the other, a little more often, for 3,900."""
    decision = decided(
        outcome("discard 9s", 0.35, 0.1, 5000), outcome("discard 7p", win, 0.1, 3900)
    )
    verdict = verdict_of(decision)
    assert verdict is not None
    assert verdict.category == "value"
    assert sentence(reason_of(decision, verdict), 0, words_of("en")) == (
        "Discarding 9s wins 35% of hands, for 5,000 points; discarding 7p wins "
        f"{win:.0%}, for 3,900"
    )


@pytest.mark.parametrize(
    ("worth", "said"),
    [
        (11000, "wins 55% of hands, for 7,200 points; discarding 7p wins 35%, for 11,000"),
        (8000, "wins 55% of hands, discarding 7p 35%"),
    ],
)
def test_more_wins_do_not_hide_that_the_fewer_are_worth_much_more(worth: float, said: str) -> None:
    """A named case: of a wait on dora the sentence said only that it wins less often."""
    decision = decided(
        outcome("discard 7m", 0.55, 0.1, 7200), outcome("discard 7p", 0.35, 0.1, worth)
    )
    verdict = verdict_of(decision)
    assert verdict is not None
    assert verdict.category == "efficiency"
    text = sentence(reason_of(decision, verdict), 0, words_of("en"))
    assert text == f"Discarding 7m {said}"


def test_scores_that_are_nearly_alike_are_written_apart() -> None:
    """A named case: "changes the score by -1,900 points on average, discarding the South tile by
    -1,900", where the one was better by 33."""
    decision = decided(*(
        Outcome(Option.parse(text), "pooled", Endings([EndingShare(Ending.DRAW_NOTEN, 1, points)]))
        for text, points in (("discard 9s", -1868), ("discard 7p", -1901))
    ))  # fmt: skip
    verdict = verdict_of(decision, Margins(20))
    assert verdict is not None
    assert sentence(reason_of(decision, verdict), 0, words_of("en")) == (
        "Discarding 9s changes the score by -1,870 points on average, discarding 7p by -1,900"
    )


def risking(decision: ReviewedDecision, *risks: float) -> ReviewedDecision:
    """The decision where the tile that was taken deals in to each opponent with these risks, for
    6,000 points."""
    risk = 1 - prod(1 - p for p in risks)
    opponents = [
        TileRisk(decision.tile, Seat(seat), p, PointsRows([PointsRow(3, 40, 6000, p)]))
        for seat, p in enumerate(risks, 1)
    ]
    choices = tuple(
        replace(c, by_opponent=tuple(opponents), risk=risk, expected_loss=6000 * risk)
        if c.tile == decision.tile
        else c
        for c in decision.analysis.risks.choices
    )
    found = DealInRisks("none", (0.0, 0.0, 0.0), choices)
    return replace(decision, analysis=replace(decision.analysis, deal_in=found))


@pytest.mark.parametrize(
    ("risks", "said"),
    [
        ((0.012, 0.01, 0.009), "in 3% of the time"),
        ((0.019, 0.006, 0.006), "in to South 2% of the time"),
    ],
)
def test_a_risk_that_is_mostly_that_of_others_is_told_of_all(
    risks: tuple[float, float, float], said: str
) -> None:
    """A named case: "deals in to West 1% of the time" of a tile that dealt in to one of two riichi
    more often."""
    taken = replace(outcome("discard 2p", 0.1, 0.2), deal_in_now=sum(risks))
    decision = decided(outcome("discard 6z", 0.1, 0.1), taken)
    decision = risking(with_shanten(decision, z6=2, p2=2), *risks)
    verdict = verdict_of(decision)
    assert verdict is not None
    text = sentence(reason_of(decision, verdict), 0, words_of("en"))
    assert text.startswith(f"Discarding 2p deals {said}, for 6,000 points; discarding Green")


@pytest.mark.parametrize(("win", "told"), [(0.33, True), (0.09, False)])
def test_a_tile_that_deals_in_is_also_said_to_win_more_often(win: float, told: bool) -> None:
    """A named case: of a push that won 33% of hands against 6% the sentence told the deal-in
    alone."""
    taken = replace(outcome("discard 6m", win, 0.3), deal_in_now=0.24)
    decision = decided(outcome("discard 4m", 0.06, 0.04), taken)
    decision = risking(with_shanten(decision, m4=2, m6=0), 0.24, 0.0, 0.0)
    verdict = verdict_of(decision)
    assert verdict is not None
    text = sentence(reason_of(decision, verdict), 0, words_of("en"))
    wins = ". Discarding 4m wins 6% of hands, discarding 6m 33%"
    assert text == (
        "Discarding 6m deals in to South 24% of the time, for 6,000 points; discarding 4m cannot "
        f"deal in now{wins * told}"
    )
