"""Which cause a reason names."""

from __future__ import annotations

import pytest
from review.made_decisions import decided, outcome

from haiyomi.review.sentences import reason_of, sentence
from haiyomi.review.verdicts import verdict_of
from haiyomi.review.words import words_of


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
