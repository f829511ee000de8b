"""What a decision gave up: against the best option, by kind, by margin."""

from __future__ import annotations

from dataclasses import replace

import pytest
from review.made_games import made_game

from haiyomi.analysis.value import Analysis
from haiyomi.game.position import positions
from haiyomi.outcomes.answer import EndingShare, Outcome
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.review.decisions import Aftermath, ReviewedDecision
from haiyomi.review.verdicts import Category, Margins, category_of, verdict_of
from haiyomi.tiles import Seat


def outcome(text: str, win: float, deal_in: float, worth: float = 4000) -> Outcome:
    """An option with a chance to win ``worth``, one to lose 6,000 points, and a draw else."""
    shares = (
        EndingShare(Ending.RON, win, worth),
        EndingShare(Ending.DEAL_IN_LEFT, deal_in, -6000),
        EndingShare(Ending.DRAW_NOTEN, 1 - win - deal_in, 0),
    )
    return Outcome(Option.parse(text), "pooled", shares)


@pytest.mark.parametrize(
    ("best", "taken", "category"),
    [
        (outcome("discard 1z", 0.0, 0.05), outcome("discard 5p", 0.1, 0.3), "pushed"),
        (outcome("discard 5p", 0.4, 0.15), outcome("discard 1z", 0.1, 0.1), "folded"),
        (outcome("discard 1z", 0.3, 0.1), outcome("discard 5p", 0.2, 0.1), "efficiency"),
        (outcome("discard 1z", 0.01, 0.02), outcome("discard 5p", 0.01, 0.2), "safety order"),
        (outcome("riichi 1z", 0.4, 0.1), outcome("discard 1z", 0.38, 0.1), "riichi"),
        (outcome("pass", 0.2, 0.1), outcome("pon 55z", 0.1, 0.1), "call"),
        (outcome("chi 46p", 0.2, 0.1), outcome("pass", 0.1, 0.1), "missed call"),
        (outcome("discard 1z", 0.2, 0.1), outcome("ankan 5p", 0.1, 0.1), "kan"),
    ],
)
def test_the_category_is_what_the_numbers_show(
    best: Outcome, taken: Outcome, category: Category
) -> None:
    assert category_of(best, taken) == category


def decided(*options: Outcome, done: int = 1) -> ReviewedDecision:
    """A decision with these options, best first, of which the one numbered ``done`` was taken."""
    game = made_game(1, 1)
    position = next(p for _, _, p in positions(game.hands[0].events, Seat(0)))
    analysis = Analysis(position, outcomes=options)
    return ReviewedDecision(0, 5, 0, 1, options[done].option, analysis, Aftermath("none"))


def test_severity_grows_with_the_margin_passed_and_common_choices_have_a_wider_one() -> None:
    best = outcome("discard 1z", 0.30, 0.1)
    margins = Margins(200, 2)
    for rate, severity in [
        (0.27, None),
        (0.24, "inaccuracy"),
        (0.19, "mistake"),
        (0.05, "blunder"),
    ]:
        verdict = verdict_of(decided(best, outcome("discard 5p", rate, 0.1)), margins)
        assert verdict is not None
        assert verdict.points == pytest.approx(4000 * (0.30 - rate))
        assert verdict.severity == severity
    common = replace(outcome("discard 5p", 0.24, 0.1), share=0.3)
    verdict = verdict_of(decided(best, common), margins)
    assert verdict is not None
    assert verdict.severity is None


def test_what_is_within_the_forecast_s_error_is_no_mistake() -> None:
    best = replace(outcome("discard 1z", 0.30, 0.1), error=400.0)
    taken = replace(outcome("discard 5p", 0.20, 0.1), error=300.0)
    verdict = verdict_of(decided(best, taken), Margins(200, 2))
    assert verdict is not None
    assert verdict.error == pytest.approx(500)
    assert verdict.severity is None


def test_the_best_gives_up_nothing_and_a_forced_discard_is_not_judged() -> None:
    best, other = outcome("discard 1z", 0.30, 0.1), outcome("discard 5p", 0.2, 0.1)
    verdict = verdict_of(decided(best, other, done=0))
    assert verdict is not None
    assert (verdict.points, verdict.error, verdict.severity) == (0, 0, None)
    assert verdict_of(decided(best, done=0)) is None
    assert verdict_of(replace(decided(best, other), absent=True)) is None
