"""Decisions of a record: who was asked, what they chose, what followed."""

from __future__ import annotations

from collections import Counter

import pytest

from haiyomi.errors import ArgumentError, IllegalError
from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Game,
    Hand,
    HiddenDraw,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
    Win,
)
from haiyomi.play.decision import RecordedDecision, choice_of, decisions
from haiyomi.play.demo import demo_game
from haiyomi.play.player import Claim, Pass
from haiyomi.tiles import Seat, Tile, format_tiles


@pytest.fixture(scope="module")
def game() -> Game:
    return demo_game()


@pytest.fixture(scope="module")
def found(game: Game) -> list[RecordedDecision]:
    return list(decisions(game))


def test_every_choice_of_the_record_is_a_decision(
    game: Game, found: list[RecordedDecision]
) -> None:
    """Each call, kan, riichi and win of the record is the choice of exactly one decision."""
    kinds = (Chi, Pon, Daiminkan, Ankan, Kakan, Riichi)
    chosen = Counter(type(d.chosen) for d in found)
    for kind in kinds:
        happened = sum(isinstance(e, kind) for hand in game.hands for e in hand.events)
        assert chosen[kind] == happened
    wins = sum(isinstance(e, Win) for hand in game.hands for e in hand.events)
    assert chosen[Claim] == wins
    assert chosen[Pass] > 50


def test_what_was_chosen_is_allowed_and_follows(found: list[RecordedDecision]) -> None:
    unknown = 0
    for decision in found:
        if decision.chosen is None:
            unknown += 1
            continue
        assert decision.chosen in decision.choices
        following = next(e for e in decision.followed if not isinstance(e, DoraReveal))
        if isinstance(decision.chosen, Discard):
            assert following == decision.chosen
        elif not isinstance(decision.chosen, Pass | Claim):
            assert type(following) is type(decision.chosen)
    assert unknown < len(found) / 50


def test_nothing_hidden_is_in_a_decision(found: list[RecordedDecision]) -> None:
    for decision in found:
        for event in (*decision.history, *decision.followed):
            if isinstance(event, OwnDeal):
                assert event.seat == decision.seat
            assert type(event).__name__ not in ("Deal",)
        draws = [e for e in decision.history if isinstance(e, HiddenDraw)]
        assert all(e.seat != decision.seat for e in draws)


def test_one_seat_s_decisions_are_those_of_all(game: Game, found: list[RecordedDecision]) -> None:
    for seat in range(4):
        assert list(decisions(game, seat)) == [d for d in found if d.seat == seat]


def test_the_gain_of_the_first_decision_is_what_the_hand_brought(
    game: Game, found: list[RecordedDecision]
) -> None:
    for number, hand in enumerate(game.hands[:-1]):
        after = game.hands[number + 1].start.scores
        for seat in range(4):
            first = next((d for d in found if d.hand == number and d.seat == seat), None)
            if first is not None:
                assert first.gain == after[seat] - hand.start.scores[seat]


def test_the_answer_to_a_tile_that_another_took_is_unknown() -> None:
    east, south, west = Seat(0), Seat(1), Seat(2)
    tile = Tile.parse("5p")
    run = (Tile.parse("4p"), Tile.parse("6p"))
    chi = Chi(south, east, tile, run)
    pon = Pon(west, east, tile, (tile, tile))
    assert choice_of((chi, Pass(south)), south, [pon]) is None
    assert choice_of((pon, Pass(west)), west, [chi]) == Pass(west)
    assert choice_of((chi, Pass(south)), south, [chi]) == chi
    ron = Win(west, east, tile, (0, 0, 0, 0))
    assert choice_of((chi, Pass(south)), south, [ron]) is None
    assert choice_of((Claim(west, east), Pass(west)), west, [ron]) == Claim(west, east)
    assert choice_of((chi, Pass(south)), south, []) is None


def test_an_absent_seat_chose_nothing(game: Game) -> None:
    from dataclasses import replace

    from haiyomi.events import Absence

    away = replace(game, absences=(Absence(0, 0, Seat(1)), Absence(1, 0, Seat(1), back=True)))
    for decision in decisions(away, 1):
        assert decision.absent == (decision.hand == 0)
        assert decision.chosen is None or not decision.absent


def test_a_record_that_cannot_be_followed_names_its_place(game: Game) -> None:
    hand = game.hands[1]
    at = next(i for i, e in enumerate(hand.events) if isinstance(e, Discard))
    wrong = Discard(hand.events[at].seat, Tile.parse("1m"), True)  # type: ignore[union-attr]
    held = hand.events[1].hands[wrong.seat]  # type: ignore[union-attr]
    if wrong.tile in held:
        wrong = Discard(wrong.seat, Tile.parse("9m"), True)
    broken = Hand((*hand.events[:at], wrong, *hand.events[at + 1 :]))
    with pytest.raises(IllegalError) as caught:
        list(decisions(Game(game.header, (game.hands[0], broken)), int(wrong.seat)))
    assert (caught.value.hand, caught.value.event) == (1, at)


@pytest.mark.parametrize("seat", [-1, 4, "0"])
def test_a_seat_that_there_is_not(game: Game, seat: int) -> None:
    with pytest.raises(ArgumentError, match="expected 0 to 3"):
        list(decisions(game, seat))


def test_decisions_are_told_apart_by_a_line(game: Game) -> None:
    own = next(d for d in decisions(game, 0) if d.offer is None)
    offered = next(d for d in decisions(game) if d.offer is not None)
    for each in (own, offered):
        assert len(repr(each)) < 120
        assert f"seat {each.seat} with {format_tiles(each.position.hand)}" in repr(each)
    assert repr(own).startswith("<RecordedDecision: E1, seat 0 with")
    assert f" on {offered.offer.tile}, choices: {len(offered.choices)}>" in repr(offered)  # type: ignore[union-attr]
