"""A player's figures: sums that add up, luck with the spread that chance alone would give."""

from __future__ import annotations

import csv
import io
import json
import math
import pathlib
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from review.fake_model import fake_analyzer
from review.made_games import made_game

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.logs.load import parse
from haiyomi.review.career import Career
from haiyomi.review.columns import plain
from haiyomi.review.decisions import Review
from haiyomi.review.json_out import review_json
from haiyomi.review.reviewer import review_game
from haiyomi.review.stats import (
    THREATS,
    Costly,
    PlayerStats,
    Tally,
    game_stats,
    player_stats,
    threat_of,
)
from haiyomi.review.stats_out import points, stats_csv, stats_json, stats_lines, work_on_lines
from haiyomi.review.stats_store import game_from_json, game_to_json
from haiyomi.review.summary import summary_of
from haiyomi.review.words import words_of
from haiyomi.tiles import Seat

SAMPLES = pathlib.Path(__file__).parents[1] / "samples"


def _reviews() -> list[Review]:
    return [review_game(made_game(seed), Seat(0), fake_analyzer()) for seed in (1, 2, 3)]


@lru_cache(maxsize=1)
def _judged() -> list[Review]:
    """Reviews of self-played hands with verdicts: made hands need not be possible."""
    analyzer = Analyzer(parts=["deal_in", "outcomes"], details=())
    game = parse((SAMPLES / "haiyomi-7-00000.mjlog").read_bytes())
    return [review_game(game, Seat(seat), analyzer) for seat in (1, 2)]


@pytest.fixture(scope="module")
def judged() -> PlayerStats:
    games = [game_stats(f"game {i}", review) for i, review in enumerate(_judged())]
    return player_stats("Aoi", "shipped", games)


@pytest.fixture(scope="module")
def stats() -> PlayerStats:
    games = [game_stats(f"game {i}", review) for i, review in enumerate(_reviews())]
    return player_stats("Aoi", "fake", games)


def test_sums_are_those_of_the_reviews(stats: PlayerStats) -> None:
    decisions = [d for review in _reviews() for _, d in review.discards]
    total = stats.total
    assert total.discards == len(decisions)
    assert total.expected == pytest.approx(math.fsum(d.chosen.risk for d in decisions))
    assert total.expected_loss == pytest.approx(
        math.fsum(d.chosen.expected_loss for d in decisions)
    )
    assert total.dealt_in == sum(d.outcome.kind == "dealt-in" for d in decisions)
    assert total.lost == sum(d.outcome.points for d in decisions)
    over = sum((stats.by_threat[t] for t in THREATS), Tally())
    assert (over.discards, over.dealt_in, over.lost) == (total.discards, total.dealt_in, total.lost)
    assert over.expected_loss == pytest.approx(total.expected_loss)
    for threat in THREATS:
        mine = [d for d in decisions if threat_of(d.position) == threat]
        assert stats.by_threat[threat].discards == len(mine)


def test_what_was_discarded_while_away_is_not_counted() -> None:
    """``stats`` blamed the player for the deal-ins of a disconnected seat, ``review`` did not."""
    review = _reviews()[0]
    dealt = next(d for _, d in review.discards if d.outcome.kind == "dealt-in")
    away = {(dealt.hand, d.event) for d in review.hands[dealt.hand].decisions if d.turn > 1}
    hands = tuple(
        replace(
            hand,
            decisions=tuple(replace(d, absent=(d.hand, d.event) in away) for d in hand.decisions),
        )
        for hand in review.hands
    )
    review = replace(review, hands=hands)
    career = Career(len(hands) - 1, riichi=0, called=0, wins=0, deal_ins=0)
    game, totals = game_stats("game", review, career), summary_of(review).totals
    assert game.total.discards == totals.decisions
    assert game.total.expected_loss == pytest.approx(totals.expected_loss)
    assert (game.total.dealt_in, game.total.lost) == (totals.dealt_in, totals.points_lost)
    luck = summary_of(review).luck.deal_ins
    assert (game.total.dealt_in, game.total.expected) == (luck.came, pytest.approx(luck.expected))
    assert game.total.dealt_in < game_stats("game", _reviews()[0]).total.dealt_in
    assert stats_json(player_stats("x", "m", [game]))["games"][0]["hands"] == career.hands


def test_the_spread_is_what_drawing_lots_gives(stats: PlayerStats) -> None:
    """The deal-ins of one game, drawn ten thousand times from the model's own answers."""
    review = _reviews()[0]
    rng = np.random.default_rng(5)
    count, points = np.zeros(10_000), np.zeros(10_000)
    for _, decision in review.discards:
        cells = np.concatenate([r.rows.cells for r in decision.chosen.by_opponent])
        p = np.append(cells[:, 3], 1 - cells[:, 3].sum())
        drawn = rng.choice(len(p), size=10_000, p=p)
        paid = np.append(cells[:, 2], 0.0)[drawn]
        points += paid
        count += paid > 0
    total = stats.games[0].total
    assert total.expected == pytest.approx(count.mean(), rel=0.06)
    assert total.spread == pytest.approx(count.std(), rel=0.06)
    assert total.expected_loss == pytest.approx(points.mean(), rel=0.06)
    assert total.spread_points == pytest.approx(points.std(), rel=0.06)


def test_the_costliest_come_first(judged: PlayerStats) -> None:
    costs = [c.cost for c in judged.costly]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] > 0


def test_categories_add_up_to_the_mistakes(judged: PlayerStats) -> None:
    given = judged.given_up
    assert sum(n for _, n, _ in given.worst) == judged.total.mistakes
    assert sum(cost for _, _, cost in given.worst) == pytest.approx(judged.total.mistake_cost)
    assert [cost for _, _, cost in given.worst] == sorted(
        [cost for _, _, cost in given.worst], reverse=True
    )
    text = "\n".join(plain(line) for line in work_on_lines(given, "en"))
    assert all(words_of("en").categories[category] in text for category, _, _ in given.worst)


def test_a_mistake_is_the_same_everywhere(judged: PlayerStats) -> None:
    for review, game in zip(_judged(), judged.games, strict=True):
        summary, value = summary_of(review), review_json(review)
        assert game.total.mistakes == len(summary.mistakes) > 0
        assert game.total.mistake_cost == pytest.approx(summary.totals.mistake_cost)
        places = {(m.hand.index, m.decision.event) for m in summary.mistakes}
        assert places == {(m["hand"], m["event"]) for m in value["mistakes"]}


def test_a_game_comes_back_whole_from_its_json(judged: PlayerStats) -> None:
    for game in judged.games:
        assert game_from_json(json.loads(json.dumps(game_to_json(game)))) == game


def test_json_csv_and_lines(stats: PlayerStats) -> None:
    value = json.loads(json.dumps(stats_json(stats), allow_nan=False))
    assert value["schema"] == "haiyomi-stats"
    assert sum(g["discards"] for g in value["games"]) == value["total"]["discards"]
    rows = list(csv.DictReader(io.StringIO(stats_csv(stats))))
    assert [row["game"] for row in rows] == ["game 0", "game 1", "game 2"]
    assert sum(int(row["deal_ins"]) for row in rows) == stats.total.dealt_in
    for lang in ("en", "ja"):
        text = "\n".join("".join(span for span, _ in line) for line in stats_lines(stats, lang))
        assert "Aoi" in text
        assert "±" not in text  # of fewer games than an interval takes


def test_a_game_called_like_a_formula_is_text_in_csv() -> None:
    game = game_stats("=HYPERLINK(1)", _reviews()[0])
    rows = list(csv.reader(io.StringIO(stats_csv(player_stats("x", "m", [game])))))
    assert rows[1][0] == "'=HYPERLINK(1)"


def test_no_game_at_all() -> None:
    empty = player_stats("x", "m", [])
    assert stats_csv(empty) == "game\n"
    assert stats_json(empty)["total"]["discards"] == 0


def test_one_game_is_not_one_games(stats: PlayerStats) -> None:
    for games, said in ((stats.games[:1], ": 1 game, "), (stats.games[:1] * 2, ": 2 games, ")):
        assert said in plain(next(stats_lines(replace(stats, games=games))))


def test_lines_round_as_the_page_does() -> None:
    """A named case: the page rounds half a point upwards, Python's format to the even number."""
    assert [points(value) for value in (0.5, 1.5, 2.4996, 1234.4996, -0.5)] == [1, 2, 3, 1235, 0]


def test_lines_name_tiles_as_the_review_does(stats: PlayerStats) -> None:
    """A named case: 7z here, another name in the review."""
    costly = Costly(
        "g", "E1", 3, "discard 7z", "riichi 7z", 400.0, "mistake", "riichi", 0.1, "passed", 0
    )
    lines = [plain(line) for line in stats_lines(replace(stats, costly=(costly,)))]
    assert "Red -> riichi Red" in lines[-1]
    assert "7z" not in "".join(lines)
