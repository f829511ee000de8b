"""The score of a game, its error and its place among strong players; which mistakes are listed."""

from __future__ import annotations

import json
from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest
from review.made_decisions import decided, outcome

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.play.demo import demo_game
from haiyomi.review.confirmed_part import TYPICAL_WIN, confirmed_parts
from haiyomi.review.decisions import HandReview
from haiyomi.review.review_text import better_text, score_text
from haiyomi.review.reviewer import review_game
from haiyomi.review.score import (
    TABLE,
    Judged,
    ReviewScore,
    better_than,
    hand_spread,
    houou,
    score_of,
)
from haiyomi.review.stats import GivenUpSums
from haiyomi.review.stats_out import work_on_lines
from haiyomi.review.summary import Mistake, Shown, summary_of
from haiyomi.review.verdicts import verdict_of
from haiyomi.review.words import words_of
from haiyomi.tiles import Tile


def judged(hand: int, *rates: float) -> list[Judged]:
    """Decisions of a hand, each of which gave up 4,000 points times a rate by dealing in."""
    best = outcome("discard 1z", TYPICAL_WIN, 0.1)
    found = []
    for event, rate in enumerate(rates):
        other = outcome("discard 5p", TYPICAL_WIN, 0.1 + rate / 1.5)
        decision = decided(best, other, done=int(rate > 0))
        verdict = verdict_of(decision)
        assert verdict is not None
        review = HandReview(hand, hand, 0, 0, (25000,) * 4, Tile.parse("1m"), (), ())
        found.append((review, replace(decision, event=event), verdict))
    return found


def test_a_score_is_what_was_given_up_a_decision_with_the_error_of_hands() -> None:
    score = score_of([*judged(0, 0.1, 0.0), *judged(1, 0.0, 0.0), *judged(2, 0.05, 0.05)])
    assert score is not None
    assert score.decisions == 6
    table = confirmed_parts()
    part = table.parts["safer tile"] + table.slopes["rarer_by_risk"] * log(10)
    smaller = part - table.slopes["larger"] * log(2)
    hands = 400 * table.own_turn_factor * np.array([part, 0, smaller])
    assert score.cost == pytest.approx(hands.sum() / 6)
    assert score.agreement == pytest.approx(3 / 6)
    spread = max(hands.std(ddof=1), hand_spread())
    assert score.error == pytest.approx(spread * 3**0.5 / 6)
    worse = score_of([*judged(0, 0.45, 0.45), *judged(1, 0.0, 0.0), *judged(2, 0.05, 0.05)])
    assert worse is not None
    assert worse.error > score.error
    low, high = score.interval
    assert low == max(0, score.cost - 1.96 * score.error)
    assert high == pytest.approx(score.cost + 1.96 * score.error)


def test_a_pass_that_nobody_would_call_is_no_choice() -> None:
    best = replace(outcome("pass", 0.3, 0.1), share=0.99)
    other = replace(outcome("pon 55z", 0.2, 0.1), share=0.01)
    decision = decided(best, other, done=0)
    verdict = verdict_of(decision)
    assert verdict is not None
    hand = judged(0, 0.1)[0][0]
    assert score_of([(hand, decision, verdict)]) is None


def test_fewer_points_given_up_are_better_than_more_games() -> None:
    for rounds, quantiles in houou().items():
        shares = [better_than(cost, rounds) for cost in (0.0, *quantiles, 1e6)]
        assert all(share is not None for share in shares)
        assert shares == sorted(shares, key=lambda share: -(share or 0))
        assert (shares[0], shares[-1]) == (1.0, 0.0)
        assert better_than(quantiles[len(quantiles) // 2], rounds) == pytest.approx(0.5)
    assert better_than(50.0, 7) is None


def test_some_hands_of_a_game_are_not_compared_with_whole_games() -> None:
    """A named case: one hand was "better than all of Houou players' games"."""
    game, analyzer = demo_game(), Analyzer(parts=("deal_in", "outcomes"))
    found = [summary_of(review_game(game, 0, analyzer, hands)).score for hands in ((0,), None)]
    assert [score is not None and score.better_than is None for score in found] == [True, False]


def test_the_list_of_mistakes_is_filtered_by_severity_category_and_number() -> None:
    mistakes = [Mistake(*each) for each in judged(0, 0.5, 0.26, 0.13)]
    assert [m.verdict.severity for m in mistakes] == ["blunder", "mistake", "inaccuracy"]
    assert len(Shown().of(mistakes)) == 3
    assert len(Shown(severity="mistake").of(mistakes)) == 2
    assert Shown(worst=1).of(mistakes) == (mistakes[0],)
    category = mistakes[0].verdict.category
    assert Shown(categories=[category]).of(mistakes) == tuple(mistakes)
    assert Shown(categories=["kan"]).of(mistakes) == ()


def test_the_manual_states_the_reliability_of_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "review.md").read_text(encoding="utf-8")
    table = json.loads(TABLE.read_text(encoding="utf-8"))["reliability"]
    for found in table.values():
        low, high = found["interval"]
        assert f"{found['value']:.2f} [{low:.2f}, {high:.2f}] over" in page
        assert f"{found['seats']} seats of" in page


def test_a_score_of_one_is_said_without_a_plural() -> None:
    """A named case: "1 points a decision" over "1 decisions"."""
    said = score_text(ReviewScore(1, 1.0, 1.0, None, 1.0), words_of("en"))
    assert said == (
        "Points given up per decision: 1 (95% interval 0 to 3); decisions: 1; "
        "the best option taken 100% of the time"
    )
    (line,) = work_on_lines(GivenUpSums(1, 1.0, 1), "en")
    assert line[0][0] == (
        "Points given up per decision: 1; decisions: 1; the best option taken 100% of the time"
    )


def test_the_ends_of_the_comparison_are_said_in_words() -> None:
    """A named case: "Better than 0% of Houou players' games"."""
    words = words_of("en")
    assert better_text(0.0, words) == "Worse than every Houou player's game in the comparison"
    assert better_text(1.0, words) == "Better than every Houou player's game in the comparison"
    assert better_text(0.003, words) == "Better than 1% of Houou players' games"
    assert better_text(0.997, words) == "Better than 99% of Houou players' games"
    assert better_text(0.11, words) == "Better than 11% of Houou players' games"
