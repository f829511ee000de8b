"""Every decision of a seat, and what came of it."""

from __future__ import annotations

import pathlib
import time
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from review.fake_model import fake_analyzer
from review.made_games import made_game

from haiyomi.errors import ArgumentError, IllegalError
from haiyomi.events import (
    AbortiveDraw,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Draw,
    Event,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
)
from haiyomi.logs.load import parse
from haiyomi.outcomes.option import option_made
from haiyomi.play.decision import decisions
from haiyomi.review.reviewer import aftermath, review_game
from haiyomi.review.summary import summary_of
from haiyomi.tiles import Seat, Tile

SAMPLES = pathlib.Path(__file__).parents[1] / "samples"
GAME = made_game(1, 6)
T = Tile.parse


@pytest.mark.parametrize("seat", range(4))
def test_every_discard_and_added_kan_is_there(seat: int) -> None:
    review = review_game(GAME, Seat(seat), fake_analyzer("deal_in"))
    for hand, reviewed in zip(GAME.hands, review.hands, strict=True):
        wanted = [
            i
            for i, e in enumerate(hand.events)
            if isinstance(e, (Discard, Kakan)) and e.seat == seat
        ]
        assert [d.event for d in reviewed.discards] == wanted
        for decision in reviewed.discards:
            event = hand.events[decision.event]
            assert isinstance(event, (Discard, Kakan))
            assert decision.tile == event.tile
            assert decision.chosen.tile == event.tile
            before = hand.events[: decision.event]
            assert decision.number == sum(isinstance(e, Discard) for e in before)
            accepted = any(isinstance(e, RiichiAccepted) and e.seat == seat for e in before)
            assert decision.forced == (accepted and isinstance(event, Discard))
            assert {c.tile for c in decision.choices} >= set(decision.position.hand)


@pytest.mark.parametrize("seat", range(4))
def test_every_decision_is_there_once_with_what_was_done(seat: int) -> None:
    """Riichi and its discard are one decision; passes are there, too."""
    game = parse((SAMPLES / "haiyomi-7-00000.mjlog").read_bytes())
    review = review_game(game, seat, fake_analyzer("deal_in"))
    due: list[tuple[int, str]] = []
    for found in decisions(game, seat):
        if isinstance(found.chosen, Riichi):
            discard = next(e for e in found.followed if isinstance(e, Discard))
            due.append((found.hand, f"riichi {discard.tile}"))
        elif found.chosen is not None and not isinstance(found.history[-1], Riichi):
            due.append((found.hand, str(option_made(found.chosen))))
    free = [(h.index, str(d.done)) for h, d in review.decisions if not d.forced]
    assert not Counter(due) - Counter((h.index, str(d.done)) for h, d in review.decisions)
    assert not Counter(free) - Counter(due)
    assert len({(d.hand, d.event) for _, d in review.decisions}) == len(list(review.decisions))
    acts = {d.done.act for _, d in review.decisions}
    assert acts >= {"discard", "riichi", "pass"}
    for _, decision in review.decisions:
        # Of riichi before the declaration: nothing is declared yet, and all tiles may go.
        if decision.riichi:
            assert not decision.position.players[0].riichi


def test_the_sums_hold() -> None:
    for _, decision in review_game(GAME, Seat(1), fake_analyzer("deal_in")).discards:
        for choice in decision.choices:
            assert sum(r.p for r in choice.points) == pytest.approx(choice.risk_sum, abs=1e-9)
            assert sum(r.points * r.p for r in choice.points) == pytest.approx(choice.expected_loss)
            assert sum(choice.shares) == pytest.approx(1.0 if choice.risk_sum else 0.0)
            assert choice.risk <= choice.risk_sum + 1e-12


def _won(seat: int, loss: int) -> Win:
    deltas = [0, 0, 0, 0]
    deltas[seat], deltas[0] = loss, -loss
    return Win(Seat(seat), Seat(0), T("5m"), (deltas[0], deltas[1], deltas[2], deltas[3]))


@pytest.mark.parametrize(
    ("after", "kind", "points"),
    [
        ([Draw(Seat(1), T("1m"))], "passed", 0),
        ([RiichiAccepted(Seat(0)), Draw(Seat(1), T("1m"))], "passed", 0),
        ([], "passed", 0),
        ([Chi(Seat(1), Seat(0), T("5m"), (T("6m"), T("7m")))], "called", 0),
        ([RiichiAccepted(Seat(0)), Pon(Seat(2), Seat(0), T("5m"), (T("5m"),) * 2)], "called", 0),
        ([Daiminkan(Seat(3), Seat(0), T("5m"), (T("5m"),) * 3)], "called", 0),
        ([_won(2, 3900)], "dealt-in", 3900),
        ([_won(1, 1000), _won(3, 8300)], "dealt-in", 9300),
        ([AbortiveDraw("triple-ron")], "aborted", 0),
        ([AbortiveDraw("four-winds")], "passed", 0),
        ([DoraReveal(T("1z")), _won(3, 8000)], "dealt-in", 8000),
    ],
)
def test_what_came_of_it(after: list[Event], kind: str, points: int) -> None:
    came = aftermath([Discard(Seat(0), T("5m"), False), *after], 0, Seat(0))
    assert came.kind == kind
    assert came.points == points


def test_a_win_of_the_player_s_own_draw_is_no_deal_in() -> None:
    tsumo = Win(Seat(1), Seat(1), T("5m"), (-1000, 3000, -1000, -1000))
    assert aftermath([Discard(Seat(0), T("5m"), False), tsumo], 0, Seat(0)).kind == "passed"


def test_the_worst_come_first_and_forced_ones_not_at_all() -> None:
    review = review_game(GAME, Seat(0), fake_analyzer())
    worst = summary_of(review).most_dangerous[:8]
    losses = [d.chosen.expected_loss for _, d in worst]
    assert losses == sorted(losses, reverse=True)
    assert not any(d.forced for _, d in worst)
    assert losses[0] == max(d.chosen.expected_loss for _, d in review.discards if not d.forced)


def test_some_hands_only_and_a_step_for_each() -> None:
    steps: list[int] = []
    review = review_game(GAME, Seat(0), fake_analyzer("deal_in"), (2, 4), step=steps.append)
    assert [h.index for h in review.hands] == steps == [2, 4]


def test_some_acts_only() -> None:
    whole = review_game(GAME, Seat(1), fake_analyzer("deal_in"))
    some = review_game(GAME, Seat(1), fake_analyzer("deal_in"), acts=("chi", "pon"))
    called = [d.event for _, d in whole.decisions if d.done.act in ("chi", "pon")]
    assert [d.event for _, d in some.decisions] == called
    assert called
    assert whole.whole
    assert not some.whole


@pytest.mark.parametrize(
    ("acts", "named"),
    [
        (["calls"], "no act 'calls': the acts are discard, riichi, tsumo, ron, pass, chi, pon"),
        ("pon", "acts is a collection of names, such as"),
    ],
)
def test_an_act_that_there_is_none_of_is_named(acts: Any, named: str) -> None:
    """The review was empty instead, and of a text held the acts whose names are part of it."""
    with pytest.raises(ArgumentError, match=named):
        review_game(GAME, Seat(1), fake_analyzer("deal_in"), acts=acts)


def test_the_layer_costs_less_than_a_millisecond_a_decision() -> None:
    """With the fake model's own time counted: the quickest of ten."""
    best = 1.0
    for _ in range(10):
        began = time.process_time()
        review = review_game(GAME, Seat(0), fake_analyzer("deal_in"))
        best = min(best, (time.process_time() - began) / sum(1 for _ in review.decisions))
    assert best < 1e-3


@pytest.mark.parametrize(
    ("seat", "hands", "named"),
    [
        (9, None, "seat is 9: expected 0 to 3"),
        (-1, None, "seat is -1"),
        ("2z", None, "seat is '2z': expected 0 to 3"),
        (0, [99], "hand is 99: the game has hands 0 to 5"),
        (0, [-1], "hand is -1"),
    ],
)
def test_a_seat_or_hand_that_is_not_there_is_named(
    seat: Any, hands: list[int] | None, named: str
) -> None:
    with pytest.raises(ArgumentError, match=named):
        review_game(GAME, seat, fake_analyzer("deal_in"), hands)


@pytest.mark.parametrize("seat", range(4))
def test_a_record_that_lacks_a_draw_is_refused_for_every_seat(seat: int) -> None:
    events = GAME.hands[1].events
    lost = [n for n, event in enumerate(events) if isinstance(event, Draw)][5]
    cut = replace(GAME.hands[1], events=(*events[:lost], *events[lost + 1 :]))
    broken = replace(GAME, hands=(GAME.hands[0], cut, *GAME.hands[2:]))
    with pytest.raises(IllegalError, match="hand 1, event"):
        review_game(broken, Seat(seat), fake_analyzer())


def test_numbers_of_numpy_are_seats_and_hands() -> None:
    """A named case: the core was given a NumPy seat, and said so in C++."""
    game = made_game(1, 1)
    found = review_game(game, np.int64(1), fake_analyzer(), hands=(n for n in np.arange(1)))
    assert found == review_game(game, 1, fake_analyzer(), hands=[0])
    assert type(found.seat) is int


def test_a_hand_that_is_named_twice_is_reviewed_once() -> None:
    game = made_game(1, 2)
    assert review_game(game, 1, fake_analyzer(), hands=[0, 0]) == review_game(
        game, 1, fake_analyzer(), hands=[0]
    )
