"""A review without outcomes: no mistakes, and every output says that nothing was judged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from review.fake_model import fake_analyzer
from review.made_games import made_game

from haiyomi.errors import ArgumentError
from haiyomi.review.catalogue import LANGUAGES
from haiyomi.review.columns import WIDTH, line_width, plain
from haiyomi.review.html.data import review_data
from haiyomi.review.json_out import review_json
from haiyomi.review.review_text import review_lines
from haiyomi.review.reviewer import review_game
from haiyomi.review.stats import game_stats, player_stats
from haiyomi.review.stats_out import stats_lines
from haiyomi.review.summary import mistakes_of
from haiyomi.review.verdicts import verdicts
from haiyomi.review.words import words_of

REVIEW = review_game(made_game(3, 5), 1, fake_analyzer("deal_in"))


def test_its_verdicts_are_refused() -> None:
    with pytest.raises(LookupError, match=r"^this review has no outcomes: ask Analyzer"):
        verdicts(REVIEW)
    with pytest.raises(ArgumentError, match="Review"):
        verdicts(None)  # type: ignore[arg-type]
    assert not REVIEW.judged
    assert mistakes_of(REVIEW) == ()
    empty = replace(REVIEW, hands=())
    assert empty.judged
    assert list(verdicts(empty)) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_text_and_the_statistics_say_so(lang: str) -> None:
    words = words_of(lang)
    stats = player_stats("A", "fake", [game_stats("game", REVIEW)])
    for lines in (list(review_lines(REVIEW, words)), list(stats_lines(stats, lang))):
        assert words.not_judged in map(plain, lines)
        assert max(map(line_width, lines)) <= WIDTH


def test_the_data_and_the_notebook_have_no_score() -> None:
    assert review_json(REVIEW)["summary"]["score"] is None
    assert review_json(REVIEW)["mistakes"] == []
    assert review_data(REVIEW)["score"] is None
    assert "no decision was judged" in REVIEW._repr_html_()
