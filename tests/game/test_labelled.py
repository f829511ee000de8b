"""The labelled walk: what a seat saw, and what was hidden, at every discard of a game."""

from __future__ import annotations

from collections import Counter

import pytest

from haiyomi.events import Discard, Game, Win
from haiyomi.game.labelled import labelled
from haiyomi.game.position_fold import positions
from haiyomi.game.truth import truths_of
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.tiles import Seat


@pytest.fixture(scope="module")
def game() -> Game:
    return simulate_rule_players(11, 3)


def test_every_discard_comes_once_with_the_position_of_its_seat(game: Game) -> None:
    found = list(labelled(game))
    wanted = {}
    for number, hand in enumerate(game.hands):
        for seat in range(4):
            for index, event, position in positions(hand.events, Seat(seat), game.header.rules):
                if isinstance(event, Discard):
                    wanted[number, index] = event, position
    assert {(one.hand, one.event): (one.discard, one.position) for one in found} == wanted
    assert [(one.hand, one.event) for one in found] == sorted(wanted)


def test_labels_are_those_of_the_truth(game: Game) -> None:
    truths = truths_of(game)
    for one in labelled(game):
        columns = truths[one.hand].discards
        assert columns.event[one.decision] == one.event
        assert columns.seat[one.decision] == one.seat
        assert one.hands.tolist() == columns.concealed[one.decision].tolist()
        own = Counter(tile.kind for tile in one.position.hand)
        assert {k: n for k, n in enumerate(one.hands[one.seat].tolist()) if n} == own
        assert one.forced == bool(columns.forced[one.decision])


def test_who_won_on_a_discard_follows_from_the_events(game: Game) -> None:
    won = set()
    for number, hand in enumerate(game.hands):
        for at, event in enumerate(hand.events):
            if isinstance(event, Discard):
                last = at
            elif isinstance(event, Win) and event.seat != event.target:
                won.add((number, last, event.seat))
    found = {
        (o.hand, o.event, seat)
        for o in labelled(game)
        for seat in range(4)
        if o.labels.ronned[o.decision] >> seat & 1
    }
    assert found == won
    assert won


def test_the_seat_s_fold_has_the_discard_in_its_river(game: Game) -> None:
    for one in labelled(game):
        river = one.after.position().players[0].river
        assert len(river) == len(one.position.players[0].river) + 1
        assert river[-1].tile == one.discard.tile


def test_only_wanted_discards_come_and_are_numbered_as_all(game: Game) -> None:
    every = [(o.hand, o.decision) for o in labelled(game) if not o.forced]
    assert [(o.hand, o.decision) for o in labelled(game, lambda c: ~c.forced)] == every
    assert not list(labelled(game, lambda columns: columns.ronned > 15))
