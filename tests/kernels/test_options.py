"""The core's options of a seat: those of the Python table, and what the records show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from game.small_hands import CHANKAN, LEGAL, put
from kernels.hand_options import HandOptions, hand_options

from haiyomi.corpus import Corpus
from haiyomi.errors import IllegalError, MismatchError
from haiyomi.events import Ankan, Discard, Game, Kakan, Win
from haiyomi.play.actions import KAN, PASS, RON, TSUMO, action_of
from haiyomi.play.decision import decisions
from haiyomi.play.match import play_game
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import MAHJONG_SOUL, TENHOU, Ruleset
from haiyomi.seeds import generator
from haiyomi.tiles import Seat, Tile

Options = dict[tuple[int, int, int], int]
"""(hand, event, seat) -> a bit for each action."""


def options_of(game: Game) -> Options:
    """Of every moment at which a seat has a choice."""
    found: Options = {}
    for number, hand in enumerate(game.hands):
        rows = hand_options(hand, game.header.rules)
        for event, seat, actions in listed(rows):
            if actions.bit_count() > 1:
                found[number, event, seat] = actions
    return found


def listed(rows: HandOptions) -> Iterator[tuple[int, int, int]]:
    """(event, seat, a bit for each action) of each row."""
    for event, seat, words in zip(
        rows.event.tolist(), rows.seat.tolist(), rows.actions.tolist(), strict=True
    ):
        yield event, seat, sum(word << 64 * i for i, word in enumerate(words))


def compare(game: Game) -> int:
    """Hold the core's options against those that each seat's own state gives."""
    mine = options_of(game)
    compared = 0
    for decision in decisions(game):
        wanted = sum(1 << a for a in {action_of(choice) for choice in decision.choices})
        assert mine.pop((decision.hand, decision.event, decision.seat)) == wanted, decision
        compared += 1
    assert not mine
    return compared


def played(rules: Ruleset, games: int) -> Iterator[Game]:
    styles = list(RULE_STYLES)
    for number in range(games):
        players = [
            RulePlayer(
                Seat(s), generator(7, "options", number, s), RULE_STYLES[styles[(s + number) % 5]]
            )
            for s in range(4)
        ]
        yield play_game(players, 7, number, rules=rules)


@pytest.mark.parametrize(
    "rules", [TENHOU, TENHOU.but(red_fives=False, kuitan=False), MAHJONG_SOUL, TENHOU.but(rounds=4)]
)
def test_the_options_are_those_of_each_seats_own_state(rules: Ruleset) -> None:
    assert sum(compare(game) for game in played(rules, 3)) > 1000


@pytest.mark.parametrize("name", sorted(LEGAL))
def test_hands_made_by_hand(name: str) -> None:
    """What was done in them was among the options."""
    hand = LEGAL[name]
    rows = hand_options(hand, TENHOU)
    for event, seat, actions in listed(rows):
        after = hand.events[event + 1]
        if isinstance(after, Discard | Ankan | Kakan) and after.seat == seat:
            assert actions >> action_of(after) & 1
        if isinstance(after, Win) and after.seat == seat:
            assert actions >> (TSUMO if after.target == seat else RON) & 1


def test_the_tile_of_an_added_kan_may_be_won_on() -> None:
    rows = hand_options(CHANKAN, TENHOU)
    added = next(i for i, e in enumerate(CHANKAN.events) if isinstance(e, Kakan))
    (row,) = np.flatnonzero(rows.event == added)
    assert list(listed(rows))[row][2] == 1 << RON | 1 << PASS


def test_a_bad_hand_raises_what_the_replay_raises() -> None:
    hand = put(CHANKAN, 2, Discard(Seat(0), Tile.parse("1m"), False))
    with pytest.raises((IllegalError, MismatchError)) as error:
        hand_options(hand, TENHOU)
    assert error.value.event == 2


@pytest.mark.corpus
@pytest.mark.parametrize("games", [10, pytest.param(400, marks=pytest.mark.slow)])
def test_what_players_did_was_among_the_options(corpus: Path, games: int) -> None:
    """And each seat's own state has the same options at every decision."""
    kans = compared = 0
    for game in islice((game for _, game in Corpus(corpus / "valid.zip")), games):
        mine = options_of(game)
        for decision in decisions(game):
            if decision.chosen is not None:
                action = action_of(decision.chosen)
                assert mine[decision.hand, decision.event, decision.seat] >> action & 1
                kans += KAN <= action < KAN + 34
        compared += compare(game)
    assert compared > 300 * games
    assert kans
