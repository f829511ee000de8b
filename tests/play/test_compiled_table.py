"""The compiled table: the games of the Python table, whole and from the middle of a hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from play import python_table
from play.at_random import play_at_random
from play.same_table import compare, core_games, games_of, imitator, uniform

from haiyomi import _core
from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    Hand,
    Kakan,
    Pon,
    Riichi,
    Start,
    visible_to,
)
from haiyomi.game.decision_record import DECISION
from haiyomi.game.table import check_game
from haiyomi.kernels.decode import decode
from haiyomi.kernels.replay import encode, replay
from haiyomi.kernels.tables import (
    Worlds,
    games_of_worlds,
    new_games,
    recorded_hands,
    resumed_games,
    view_words,
)
from haiyomi.play.actions import N_ACTIONS
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.play.seat_state import SeatState
from haiyomi.play.wall import Wall
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset
from haiyomi.seeds import generator
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import shipped_policy
from haiyomi.styles.self_play import play_out
from haiyomi.tiles import RED_KINDS, Seat

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
    assert compare(SEED, 0, games, rules, uniform) >= 5 * games


@pytest.mark.parametrize("games", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_the_same_games_of_the_policy_as_four_imitators(games: int) -> None:
    assert compare(SEED, 50, games, TENHOU, imitator) >= 5 * games


def test_games_of_the_policy_do_not_depend_on_threads_or_neighbours() -> None:
    whole = core_games(SEED, 0, 6, TENHOU_EAST, make=imitator)
    assert core_games(SEED, 0, 6, TENHOU_EAST, threads=3, make=imitator) == whole
    assert core_games(SEED, 4, 1, TENHOU_EAST, make=imitator) == whole[4:5]


def test_the_likeliest_actions_and_a_style_for_each_seat() -> None:
    policy = shipped_policy()
    names = [*policy.styles][:3]
    styles = [None, *(policy.style(name) for name in names)]
    tables = new_games(TENHOU_EAST, [SEED], [3], keep=True)
    play_out(tables, policy, styles, temperature=0.0)
    rng = generator(0)
    players = [
        Imitator(Seat(s), policy, rng, style, 0.0, TENHOU_EAST) for s, style in enumerate(styles)
    ]
    (game,) = games_of(tables, TENHOU_EAST)
    assert game == python_table.python_game(players, SEED, 3, TENHOU_EAST)


def test_the_records_are_those_of_each_seats_own_state() -> None:
    """The same bytes, whether the core writes them from its table or Python from a position."""
    rng = np.random.default_rng(2)
    tables = new_games(TENHOU, [SEED], [0], keep=True)
    states = [SeatState(Seat(s)) for s in range(4)]
    known = compared = 0
    while len(tables.pending()[0]):
        words = tables.recorded(0)[0]
        events = decode(words[known:].tolist())
        known = len(words)
        for event in events:
            for seat, state in enumerate(states):
                state.apply(visible_to(event, Seat(seat)))
        last = events[-1]
        rows = tables.records(1)
        for seat, row in zip(tables.pending()[1].tolist(), rows, strict=True):
            options = states[seat].options()
            assert options is not None
            offer = last if isinstance(last, Discard | Kakan) and last.seat != seat else None
            decision = Decision(states[seat].position(), options.choices, offer)
            wanted = unpack_decisions(pack_decision(decision))
            for name in DECISION.names or ():
                found = row.view(DECISION)[name]
                assert found.tobytes() == wanted[name].tobytes(), name
            compared += 1
        step_at_random(tables, rng)
    assert compared > 500


def test_hidden_tiles_dealt_anew_leave_every_record_as_it_is() -> None:
    tables = new_games(TENHOU, range(20), range(20), hands=1, keep=True)
    play_at_random(tables)
    compared = 0
    for i in range(20):
        ((events, wall),) = recorded_hands(tables, i)
        rng = np.random.default_rng(i)
        for n in range(3, len(events), 2):
            words = encode_events(events[:n])
            at = resumed_games(TENHOU, [words], [wall], 0, keep=True)
            if len(at.recorded(0)[0]) > len(words):
                continue  # nobody had a choice there
            for seat, row in zip(at.pending()[1].tolist(), at.records(1), strict=True):
                view = view_words([visible_to(e, Seat(seat)) for e in events[:n]])
                hands = hidden_hands(events[:n], seat, rng)
                if hands is None:
                    continue
                worlds = Worlds(np.zeros(1, np.int32), hands, np.zeros((1, 0), np.uint8))
                other = games_of_worlds(TENHOU, [view], worlds, n)
                rows = dict(zip(other.pending()[1].tolist(), other.records(1), strict=True))
                assert rows[seat].tobytes() == row.tobytes()
                compared += 1
    assert compared > 100


def hidden_hands(
    events: Sequence[Event], seat: int, rng: np.random.Generator
) -> NDArray[np.uint8] | None:
    """Other tiles in the hands of the three others; None once somebody is in riichi."""
    held: list[list[int]] = [[] for _ in range(4)]
    seen: list[int] = []
    for event in events:
        match event:
            case Start(indicator=tile) | DoraReveal(tile):
                seen.append(tile.code)
            case Deal(hands):
                held = [[tile.code for tile in hand] for hand in hands]
            case Draw(who, tile):
                held[who].append(tile.code)
            case Discard(who, tile) | Kakan(who, tile):
                held[who].remove(tile.code)
                seen.append(tile.code)
            case Chi() | Pon() | Daiminkan() | Ankan():
                own = event.tiles if isinstance(event, Ankan) else event.consumed
                for tile in own:
                    held[event.seat].remove(tile.code)
                    seen.append(tile.code)
            case Riichi():
                return None
    unseen = [code for code in range(34) for _ in range(3 if code in RED_KINDS else 4)]
    unseen += [34, 35, 36]
    for code in seen + held[seat]:
        unseen.remove(code)
    rng.shuffle(unseen)
    hands = np.full((1, 4, 14), 255, np.uint8)
    for other in range(4):
        if other != seat:
            n = len(held[other])
            hands[0, other, :n], unseen = unseen[:n], unseen[n:]
    return hands


def test_hidden_tiles_that_contradict_what_was_seen_are_refused() -> None:
    tables = new_games(TENHOU, [1], [0], hands=1, keep=True)
    play_at_random(tables)
    ((events, _),) = recorded_hands(tables, 0)
    view = view_words([visible_to(e, Seat(0)) for e in events[:9]])
    hands = hidden_hands(events[:9], 0, np.random.default_rng(0))
    assert hands is not None

    def begin(held: NDArray[np.uint8], rest: NDArray[np.uint8]) -> None:
        games_of_worlds(TENHOU, [view], Worlds(np.zeros(1, np.int32), held, rest), 0)

    none = np.zeros((1, 0), np.uint8)
    begin(hands, none)
    fewer = hands.copy()
    fewer[0, 1, 5:] = 255
    with pytest.raises(ValueError, match="world 0: a hidden hand has"):
        begin(fewer, none)
    twice = hands.copy()
    twice[0, 1:, :13] = 0
    with pytest.raises(ValueError, match="more places than it has copies"):
        begin(twice, none)
    with pytest.raises(ValueError, match="places left in the wall"):
        begin(hands, np.zeros((1, 3), np.uint8))
    worlds = Worlds(np.zeros(3, np.int32), np.concatenate([hands, fewer, twice]), none.repeat(3, 0))
    for threads in (1, 2, 3):
        with pytest.raises(ValueError, match="world 1: a hidden hand has"):
            games_of_worlds(TENHOU, [view], worlds, range(3), threads=threads)


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
    while len(tables.pending()[0]):
        numbers, seats = tables.pending()
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
    play_at_random(tables)
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
        play_at_random(on)
        for number, n in enumerate(cuts):
            ((whole, _),) = recorded_hands(on, number)
            assert whole[:n] == events[:n]
            end, *_ = replay(Hand(whole), TENHOU)
            assert list(end.scores) == on.standings()[1][number].tolist()


def test_a_wall_that_contradicts_the_hand_is_refused() -> None:
    tables = new_games(TENHOU, [1], [0], hands=1, keep=True)
    play_at_random(tables)
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
