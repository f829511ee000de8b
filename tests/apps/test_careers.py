"""How often a player wins, deals in, declares and calls, beside Houou players."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from haiyomi.apps.careers import career_of
from haiyomi.corpus import Corpus
from haiyomi.events import Chi, Daiminkan, Pon, RiichiAccepted, Win
from haiyomi.play.demo import demo_game
from haiyomi.review.career import FEWEST, HOUOU, Career, places_of, rates_of, student_t
from haiyomi.tiles import Seat


@pytest.mark.parametrize("seat", range(4))
def test_the_counts_are_those_of_the_record(seat: int) -> None:
    game = demo_game()
    career = career_of(game, Seat(seat))
    hands = [hand.events for hand in game.hands]
    calls = (Chi, Pon, Daiminkan)
    assert career.hands == len(hands)
    assert career.called == sum(
        any(isinstance(e, calls) and e.seat == seat for e in events) for events in hands
    )
    assert career.riichi >= sum(
        any(isinstance(e, RiichiAccepted) and e.seat == seat for e in events) for events in hands
    )
    wins = [e for events in hands for e in events if isinstance(e, Win)]
    assert career.wins == sum(win.seat == seat for win in wins)
    assert career.deal_ins == sum(win.target == seat != win.seat for win in wins)
    assert game.header.final is not None
    assert career.points == game.header.final[seat]


def test_places_are_by_points_then_by_seat() -> None:
    game = demo_game()
    even = replace(game, header=replace(game.header, final=(25000, 30000, 25000, 20000)))
    assert [career_of(even, Seat(s)).place for s in range(4)] == [2, 1, 3, 4]
    unknown = replace(game, header=replace(game.header, final=None))
    assert career_of(unknown, Seat(0)).place is None


def test_the_error_of_a_rate_is_that_of_games_not_of_hands() -> None:
    lucky, unlucky = Career(10, 0, 0, 4, 0, 1, 40000), Career(10, 0, 0, 0, 0, 4, 10000)
    win, *_, points, place = rates_of([lucky, unlucky])
    assert (win.name, win.value) == ("win", 0.2)
    # Residuals of 2 wins in each of two games of 10 hands.
    assert win.error == pytest.approx(sqrt(2 * (4 + 4)) / 20)
    assert (points.value, place.value) == (25000, 2.5)
    assert points.error == pytest.approx(15000)
    assert rates_of([lucky])[0].error is None
    assert places_of([lucky, unlucky, lucky]) == (2, 0, 0, 1)


def test_few_games_or_games_all_alike_have_no_interval() -> None:
    first, last = Career(10, 0, 0, 4, 0, 1, 40000), Career(10, 0, 0, 0, 0, 4, 10000)
    few = rates_of([first, last] * 2)
    assert FEWEST == 5
    assert {rate.half for rate in few} == {None}
    enough = {rate.name: rate for rate in rates_of([first, last] * 3)}
    assert enough["place"].error is not None
    assert enough["place"].half == pytest.approx(2.5706 * enough["place"].error, rel=1e-3)
    assert enough["riichi"].half is None


@pytest.mark.parametrize(
    ("freedom", "t"), [(4, 2.7764), (5, 2.5706), (9, 2.2622), (29, 2.0452), (999, 1.9623)]
)
def test_the_interval_is_by_student_s_t(freedom: int, t: float) -> None:
    assert student_t(freedom) == pytest.approx(t, abs=1e-3)


def test_a_game_without_a_result_has_no_place() -> None:
    names = [rate.name for rate in rates_of([Career(10, 1, 2, 3, 1)])]
    assert names == ["win", "deal_in", "riichi", "call"]
    assert rates_of([]) == ()


@pytest.mark.corpus
def test_the_rates_of_houou_players_are_those_of_other_records(corpus: Path) -> None:
    valid = Corpus([str(corpus / "valid.zip")])
    games = [game for _, (_, game) in zip(range(60), valid, strict=False)]
    careers = [career_of(game, Seat(seat)) for game in games for seat in range(4)]
    for rate in rates_of(careers):
        assert rate.error is not None
        assert abs(rate.value - HOUOU[rate.name]) <= 4 * rate.error + 1e-9
