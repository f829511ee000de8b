"""Many tables: the games of ``haiyomi play``, rewards that add up, and observations without
secrets."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError
from haiyomi.game.decision_record import DECISION
from haiyomi.play.actions import N_ACTIONS, PASS, legal_mask
from haiyomi.play.match import play_game
from haiyomi.play.random_player import RandomPlayer
from haiyomi.play.tables import Pending, Step, Tables
from haiyomi.rules import TENHOU_EAST
from haiyomi.seeds import generator


def by_chance(pending: Pending, rng: np.random.Generator) -> NDArray[np.int64]:
    """A legal action for each row."""
    return (rng.random(pending.legal.shape) * pending.legal).argmax(axis=1)


def play_out(tables: Tables, seed: int = 0) -> list[Step]:
    """Random legal actions until no decision is open."""
    rng = np.random.default_rng(seed)
    pending, steps = tables.reset(), []
    while len(pending):
        steps.append(tables.step(by_chance(pending, rng)))
        pending = steps[-1].pending
    return steps


@pytest.mark.parametrize("reward", ["hand", "game"])
def test_rewards_add_up_to_the_games_points(reward: str) -> None:
    tables = Tables(3, seed=4, rules=TENHOU_EAST, reward=reward, auto_reset=False)  # type: ignore[arg-type]
    steps = play_out(tables)
    total = sum(step.rewards for step in steps)
    games = [tables.game(i) for i in range(3)]
    for i, game in enumerate(games):
        assert game is not None
        assert game.header.final is not None
        assert total[i].tolist() == [p - 25_000 for p in game.header.final]
        assert sum(step.hand_ended[i] for step in steps) == len(game.hands)
        (ended,) = (step for step in steps if step.game_ended[i])
        ranked = sorted(range(4), key=lambda s: (-game.header.final[s], s))  # type: ignore[index]
        assert [ended.places[i][s] for s in ranked] == [1, 2, 3, 4]


def test_a_table_does_not_depend_on_the_others() -> None:
    alone = Tables(1, seed=4, first=2, rules=TENHOU_EAST, auto_reset=False)
    among = Tables(4, seed=4, rules=TENHOU_EAST, auto_reset=False)
    first = alone.reset()
    while len(first):
        first = alone.step(first.legal.argmax(axis=1)).pending
    every = among.reset()
    while len(every):
        every = among.step(every.legal.argmax(axis=1)).pending
    assert alone.game(0) == among.game(2)
    assert among.game(2) != among.game(3)


def test_a_table_that_resets_plays_the_next_games_of_the_seed() -> None:
    tables = Tables(2, seed=4, rules=TENHOU_EAST)
    pending = tables.reset()
    while True:
        step = tables.step(pending.legal.argmax(axis=1))
        pending = step.pending
        if step.game_ended[1]:
            break
    (row,) = np.flatnonzero(pending.table == 1)[:1]
    other = Tables(1, seed=4, first=3, rules=TENHOU_EAST)
    other.reset()
    assert tables.records()[row] == other.records()[0]


def test_a_record_has_the_decision_of_its_row() -> None:
    tables = Tables(5, seed=6, rules=TENHOU_EAST)
    rng = np.random.default_rng(1)
    pending = tables.reset()
    answers = 0
    for _ in range(150):
        records = tables.records()
        assert records.dtype == DECISION
        assert records["observation"]["seat"].tolist() == pending.seat.tolist()
        assert (pending.legal.sum(axis=1) >= 2).all()
        offered = records["from"] != 255
        assert (offered == pending.legal[:, PASS]).all()
        answers += int(offered.sum())
        for row in range(len(pending)):
            assert (legal_mask(tables.decision(row).choices) == pending.legal[row]).all()
        pending = tables.step(by_chance(pending, rng)).pending
    assert answers > 20


def test_the_walls_are_those_of_games_played_from_the_seed() -> None:
    tables = Tables(1, seed=9, first=5, rules=TENHOU_EAST, auto_reset=False)
    play_out(tables)
    game = tables.game(0)
    players = [RandomPlayer(generator(1, s)) for s in range(4)]
    other = play_game(players, 9, 5, rules=TENHOU_EAST)
    assert game is not None
    assert game.hands[0].events[:2] == other.hands[0].events[:2]


def test_wrong_actions_are_refused_and_nothing_is_played() -> None:
    tables = Tables(2, seed=1)
    with pytest.raises(HaiyomiError, match="call reset first"):
        tables.step([0, 0])
    pending = tables.reset()
    before = tables.records().tobytes()
    good = pending.legal.argmax(axis=1)
    for actions, sentence in (
        ([0], "expected one integer for each of 2 open decisions"),
        (good.astype(float), "float64"),
        ([int(good[0]), N_ACTIONS], r"row 1 \(table 1, seat 0\): action 207 is not legal"),
        ([-1, int(good[1])], "row 0"),
        ([int(good[0]), PASS], "action 206 is not legal"),
    ):
        with pytest.raises(HaiyomiError, match=sentence):
            tables.step(actions)
    assert tables.records().tobytes() == before
    with pytest.raises(HaiyomiError, match="expected 1 or more"):
        Tables(0)
    with pytest.raises(HaiyomiError, match="'hand' or 'game'"):
        Tables(1, reward="place")  # type: ignore[arg-type]
