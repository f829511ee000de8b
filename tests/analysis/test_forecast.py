"""The forecast of the table at any moment: of events, positions and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.analysis.seat_history import SeatHistory
from haiyomi.analysis.table_forecast import TableForecast, forecast
from haiyomi.errors import ArgumentError, PositionError
from haiyomi.events import Chi, Draw, Event, Game, Pon, Riichi, Win, visible_to
from haiyomi.game.position import Position
from haiyomi.outcomes.joint import JOINT
from haiyomi.play.decision import decisions, hand_decisions
from haiyomi.play.demo import demo_game
from haiyomi.play.seat_state import SeatState
from haiyomi.tiles import Seat

MODELS = Models()


@cache
def game() -> Game:
    return demo_game()


def at(events: Sequence[Event], seat: int) -> TableForecast:
    return forecast(events, seat, models=MODELS)


def same(one: TableForecast, other: TableForecast) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("endings", "points", "hands", "places", "final")
    )


def test_at_a_decision_it_is_the_mean_of_the_outcomes_by_every_form() -> None:
    decision = list(decisions(game(), 0))[20]
    events = game().hands[decision.hand].events[: decision.event + 1]
    found = at(events, 0)
    assert same(found, forecast(decision, models=MODELS))
    if decision.offer is None:
        assert same(found, forecast(decision.position, models=MODELS))
    (outcomes,) = Analyzer(MODELS).outcomes([decision])
    shares = [outcome.share or 0.0 for outcome in outcomes]
    mean = sum(s * o.win for s, o in zip(shares, outcomes, strict=True)) / sum(shares)
    assert found.win[0] == pytest.approx(mean, abs=1e-9)


def test_before_calls_it_is_the_mean_of_the_outcomes() -> None:
    offers = [d for d in decisions(game(), 0) if any(isinstance(c, Chi | Pon) for c in d.choices)]
    for decision, outcomes in zip(offers, Analyzer(MODELS).outcomes(offers), strict=True):
        shares = [outcome.share or 0.0 for outcome in outcomes]
        mean = sum(s * o.points for s, o in zip(shares, outcomes, strict=True)) / sum(shares)
        found = forecast(decision, models=MODELS).points[0]
        assert found == pytest.approx(mean, abs=1e-6)


def test_between_decisions_it_is_that_of_the_option_that_was_taken() -> None:
    decision = next(d for d in decisions(game(), 0) if d.offer is None and d.hand == 2)
    events = game().hands[2].events
    after = at(events[: decision.event + 2], 0)
    assert same(after, at(events[: decision.event + 3], 0))
    (outcomes,) = Analyzer(MODELS).outcomes([decision])
    chosen = f"discard {decision.chosen.tile}"  # type: ignore[union-attr]
    (made,) = (o for o in outcomes if str(o.option) == chosen)
    assert after.win[0] == pytest.approx(made.win, abs=1e-9)
    assert made.placement is not None
    assert after.places is not None
    assert after.places[0] == pytest.approx(made.placement.places)


def test_it_goes_on_after_an_own_riichi() -> None:
    number, seat, index = next(
        (number, event.seat, index)
        for number, hand in enumerate(game().hands)
        for index, event in enumerate(hand.events)
        if isinstance(event, Riichi)
    )
    events = game().hands[number].events
    waiting = [forced.event for forced in hand_decisions(game(), number, [seat], True)]
    drawn = [event for event in waiting if event > index + 2]
    assert drawn
    found = [at(events[: event + 1], seat) for event in drawn]
    assert found[0].win[0] > 0.1
    assert all(0 < each.win[0] < 1 for each in found)
    assert len({each.win[0] for each in found}) == len(drawn)


def test_every_moment_of_every_hand_has_one_that_sums_to_one() -> None:
    for number, hand in enumerate(game().hands):
        for n in range(2, len(hand.events) + 1, 7):
            found = at(hand.events[:n], number % 4)
            assert found.endings.shape == (len(JOINT),)
            assert found.win.sum() + found.draw == pytest.approx(1)
            assert found.deal_in.sum() <= 1 - found.draw
            assert found.places is not None
            assert found.places.sum(axis=1) == pytest.approx(1)


def test_after_its_end_a_hand_is_certain_and_the_last_game_too() -> None:
    for number, hand in enumerate(game().hands):
        for seat in (0, 2):
            found = at(hand.events, seat)
            wins = [(e.seat - seat) % 4 for e in hand.events if isinstance(e, Win)]
            assert sorted(np.unique(found.endings)) == [0, 1]
            if wins:
                assert found.win[wins].sum() == 1
            else:
                assert found.draw == 1
            ends = found.points + [each.score for each in _position(hand.events, seat).players]
            if number + 1 < len(game().hands):
                following = game().hands[number + 1].start.scores
                assert ends.tolist() == [following[(seat + r) % 4] for r in range(4)]
    assert game().header.final is not None
    assert found.final is not None
    assert found.final.tolist() == [game().header.final[(2 + r) % 4] for r in range(4)]
    assert found.places is not None
    assert found.places.max(axis=1).tolist() == [1, 1, 1, 1]


def _position(events: Sequence[Event], seat: int) -> Position:
    state = SeatState(Seat(seat))
    for event in events:
        state.apply(visible_to(event, Seat(seat)))
    return state.position()


def test_the_next_draws_of_a_position_are_those_that_may_follow() -> None:
    events = game().hands[2].events
    n = 0
    for index, event in enumerate(events):
        if not isinstance(event, Draw) or event.rinshan:
            continue
        before = _position(events[:index], event.seat)
        after = _position(events[: index + 1], event.seat)
        history = SeatHistory.of_position(before)
        assert sum(history.weights) == pytest.approx(1)
        (drawn,) = (d for d in history.decisions if d.position.drawn == event.tile)
        assert drawn.position == after
        n += 1
    assert n > 20


def test_before_its_first_draw_a_seat_s_position_says_as_much_as_its_events() -> None:
    events = game().hands[2].events[:2]
    for seat in range(4):
        found = forecast(_position(events, seat), models=MODELS)
        assert same(found, at(events, seat))


def test_what_the_seat_may_not_see_changes_nothing() -> None:
    events = game().hands[1].events[:30]
    assert same(at(events, 1), at([visible_to(event, Seat(1)) for event in events], 1))


def test_what_has_no_forecast_is_refused() -> None:
    events = game().hands[0].events
    with pytest.raises(ArgumentError, match="seat is None"):
        forecast(events[:5])
    with pytest.raises(ArgumentError, match="seat is 4"):
        forecast(events[:5], 4)
    seen = next(iter(decisions(game(), seat=0)))
    for given in (seen, seen.position):  # the seat was ignored
        with pytest.raises(ArgumentError, match=r"seat is 2: a \w+ says itself who sees it"):
            forecast(given, 2)
    # The start alone was a ValueError; of two hands the first was answered.
    for wrong in ([], events[:1], events[3:6], events + game().hands[1].events):
        with pytest.raises(PositionError, match="not those of one hand, Start and Deal first"):
            forecast(wrong, 0)
