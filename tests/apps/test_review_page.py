"""The analyzer of pages: what it leaves out, no page shows."""

from __future__ import annotations

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.apps.review_page import page_analyzer
from haiyomi.play.demo import demo_game
from haiyomi.review.html.data import review_data
from haiyomi.review.reviewer import review_game


def test_a_page_shows_the_same_as_of_an_analysis_with_every_detail() -> None:
    game, models = demo_game(), Models()
    hands = (2, 7)
    whole = review_game(game, 1, Analyzer(models), hands)
    lean = review_game(game, 1, page_analyzer(models), hands)
    assert {d.forced for _, d in lean.decisions} == {True, False}
    assert review_data(lean) == review_data(whole)
