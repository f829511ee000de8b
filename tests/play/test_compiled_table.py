"""The compiled table: the games of the Python table, whole and from the middle of a hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from play.same_table import core_games, python_game

from haiyomi import _core
from haiyomi.events import Event, Hand
from haiyomi.game.table import check_game
from haiyomi.kernels.decode import decode
from haiyomi.kernels.replay import encode, replay
from haiyomi.kernels.tables import new_games, recorded_hands, resumed_games
from haiyomi.play.actions import N_ACTIONS
from haiyomi.play.wall import Wall
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset
from haiyomi.seeds import generator

SEED = 5


@pytest.mark.parametrize(
    ("rules", "games"),
    [
        (TENHOU, 20),
        (MAHJONG_SOUL, 16),
        (TENHOU_EAST, 8),
        (TENHOU.but(red_fives=False, tobi=False, immediate_kan_dora=True, kuitan=False), 6),
    ],
)
def test_the_same_games_as_the_python_table(rules: Ruleset, games: int) -> None:
    for number, game in enumerate(core_games(SEED, 0, games, rules)):
        assert game == python_game(SEED, number, rules)
        assert [h.copies for h in game] == [h.copies for h in python_game(SEED, number, rules)]


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL])
def test_every_game_is_one_that_the_checker_of_records_accepts(rules: Ruleset) -> None:
    for game in core_games(SEED, 100, 100, rules):
        check_game(game)


def test_the_games_do_not_depend_on_threads_or_neighbours() -> None:
    whole = core_games(SEED, 0, 30, TENHOU)
    assert core_games(SEED, 0, 30, TENHOU, threads=4) == whole
    assert [core_games(SEED, n, 1, TENHOU)[0] for n in range(30)] == whole


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 2**64 - 1])
def test_the_walls_are_those_of_the_seed(seed: int) -> None:
    for number, hand in ((0, 0), (7, 3), (2**40, 12)):
        wall = Wall.shuffled(generator(seed, "game", number, "wall", hand))
        assert tuple(_core.wall(seed, number, hand).tolist()) == wall.tiles


def step_at_random(tables: _core.Tables, rng: np.random.Generator, threads: int = 1) -> None:
    legal = tables.legal()
    tables.answer((rng.random(legal.shape) * legal).argmax(axis=1).astype(np.uint8), threads)


def test_games_answered_from_outside_keep_all_points() -> None:
    rng = np.random.default_rng(1)
    tables = new_games(TENHOU, [SEED] * 40, range(40), keep=True)
    while len(tables.asked()[0]):
        numbers, seats = tables.asked()
        legal = tables.legal()
        assert legal.shape == (len(numbers), N_ACTIONS)
        assert (legal.sum(axis=1) > 1).all()
        assert (np.diff(numbers) >= 0).all()
        assert seats.max() < 4
        step_at_random(tables, rng, threads=2)
        facts, scores = tables.standings()
        assert (scores.sum(axis=1) + 1000 * facts[:, 5] == 100_000).all()
    assert facts[:, 0].all()
    for table in range(len(tables)):
        hands = recorded_hands(tables, table)
        assert len(hands) == facts[table, 2]
        assert all(sorted(wall) == list(range(136)) for _, wall in hands)


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    tables = new_games(TENHOU, [1, 1], [0, 1], keep=True)
    legal = tables.legal()
    good = legal.argmax(axis=1).astype(np.uint8)
    before = [tables.recorded(i)[0].tolist() for i in range(2)]
    for bad in ((~legal[0]).argmax(), 255, N_ACTIONS):
        actions = good.copy()
        actions[-1] = bad
        with pytest.raises(ValueError, match="decision 1: action"):
            tables.answer(actions, 1)
    with pytest.raises(ValueError, match="1 actions for 2 decisions"):
        tables.answer(good[:1], 1)
    assert [tables.recorded(i)[0].tolist() for i in range(2)] == before
    tables.answer(good, 1)


def test_decode_is_the_inverse_of_encode() -> None:
    for game in core_games(SEED, 0, 5, MAHJONG_SOUL):
        for hand in game:
            assert decode(encode(hand).tolist()) == hand.events


def encode_events(events: Sequence[Event]) -> list[int]:
    return encode(Hand(tuple(events))).tolist()


def test_a_hand_goes_on_from_any_of_its_moments() -> None:
    tables = new_games(TENHOU, [SEED] * 8, range(8), hands=1, keep=True)
    tables.play_at_random(1)
    for i in range(8):
        ((events, wall),) = recorded_hands(tables, i)
        cuts = range(2, len(events))
        on = resumed_games(
            TENHOU,
            [encode_events(events[:n]) for n in cuts],
            [wall] * len(cuts),
            seeds=7,
            keep=True,
        )
        on.play_at_random(1)
        for number, n in enumerate(cuts):
            ((whole, _),) = recorded_hands(on, number)
            assert whole[:n] == events[:n]
            end, *_ = replay(Hand(whole), TENHOU)
            assert list(end.scores) == on.standings()[1][number].tolist()


def test_a_wall_that_contradicts_the_hand_is_refused() -> None:
    tables = new_games(TENHOU, [1], [0], hands=1, keep=True)
    tables.play_at_random(1)
    ((events, wall),) = recorded_hands(tables, 0)
    words = encode_events(events[:4])
    for i, j in ((4, 100), (14, 100), (66, 100)):
        other = list(wall)
        k = next(k for k in range(j, 136) if other[k] // 4 != other[i] // 4)
        other[i], other[k] = other[k], other[i]
        with pytest.raises(ValueError, match="hand 0: the wall has another"):
            resumed_games(TENHOU, [words], [other], seeds=[1])
    with pytest.raises(ValueError, match="no order of the tile ids"):
        resumed_games(TENHOU, [words], [[0] * 136], seeds=[1])
    with pytest.raises(ValueError, match="has ended"):
        resumed_games(TENHOU, [encode_events(events)], [wall], seeds=[1])
    with pytest.raises(ValueError, match="hand 0 breaks a rule"):
        resumed_games(TENHOU, [encode_events((*events[:2], events[3]))], [wall], seeds=[1])
