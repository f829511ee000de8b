"""When a game ends, as the real records end."""

from __future__ import annotations

from typing import Literal

import pytest

from haiyomi.events import Start, by_place
from haiyomi.game.game_end import game_over
from haiyomi.kernels.replay import HandEnd, replay
from haiyomi.play.match import play_game
from haiyomi.play.random_player import RandomPlayer
from haiyomi.rules import TENHOU, TENHOU_EAST
from haiyomi.seeds import generator


def after(
    scores: tuple[int, int, int, int],
    *,
    kyoku: int = 7,
    holds: bool = False,
    kind: Literal["win", "abort", "exhaustive"] = "win",
) -> HandEnd:
    """The end of hand ``kyoku``."""
    return HandEnd(kind, holds, scores, 0, kyoku + (not holds), 0)


LED = (24000, 24000, 20000, 32000)  # seat 3, the last dealer, leads
OTHER = (32000, 24000, 20000, 24000)
LOW = (29000, 29000, 20000, 22000)


@pytest.mark.parametrize(
    ("end", "over"),
    [
        (after(OTHER, kyoku=6), False),
        (after(OTHER, kyoku=7), True),
        (after(LOW, kyoku=7), False),  # West round
        (after(OTHER, kyoku=7, holds=True), False),  # the dealer goes on
        (after(LED, kyoku=7, holds=True), True),  # and stops when leading
        (after(LED, kyoku=7, holds=True, kind="exhaustive"), True),  # also when only tenpai
        (after(LED, kyoku=7, holds=True, kind="abort"), False),
        (after((32000, 16000, 20000, 32000), kyoku=7, holds=True), False),  # a tie goes to seat 0
        (after(OTHER, kyoku=8), True),
        (after((28000, 32000, 20000, 20000), kyoku=8, holds=True), False),
        (after(LOW, kyoku=8), False),
        (after(LOW, kyoku=11), True),
        (after(LOW, kyoku=11, holds=True), False),
        (after((-100, 50100, 25000, 25000), kyoku=0), True),
        (after((0, 50000, 25000, 25000), kyoku=0), False),
    ],
)
def test_the_end_of_a_hanchan(end: HandEnd, over: bool) -> None:
    assert game_over(end, TENHOU) is over


def test_the_end_of_an_east_game() -> None:
    assert game_over(after(OTHER, kyoku=3), TENHOU_EAST)
    assert not game_over(after(LOW, kyoku=3), TENHOU_EAST)
    assert game_over(after(LOW, kyoku=7), TENHOU_EAST)


def test_nothing_is_played_after_north_four() -> None:
    """As the table in the core has it, for any number of rounds."""
    four = TENHOU.but(rounds=4)
    assert not game_over(after(LOW, kyoku=14), four)
    assert game_over(after(LOW, kyoku=15), four)
    assert not game_over(after(LOW, kyoku=15, holds=True), four)
    assert game_over(after(LOW, kyoku=15), TENHOU.but(rounds=3))


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_games_of_the_table_end_where_the_rule_says(rounds: int) -> None:
    rules = TENHOU.but(rounds=rounds, target_points=200_000, tobi=False)
    players = [RandomPlayer(generator(1, "ends", s)) for s in range(4)]
    game = play_game(players, rounds, rules=rules)
    over = [game_over(replay(hand, rules)[0], rules) for hand in game.hands]
    assert over == [False] * (len(over) - 1) + [True]
    start = game.hands[-1].events[0]
    assert isinstance(start, Start)
    assert start.kyoku == min(4 * rounds + 3, 15)


def test_without_tobi_a_game_goes_on_below_zero() -> None:
    assert not game_over(after((-100, 50100, 25000, 25000), kyoku=0), TENHOU.but(tobi=False))


def test_ties_go_to_the_seat_nearer_to_the_first_dealer() -> None:
    assert by_place((30000, 30000, 20000, 20000)) == (0, 1, 2, 3)
    assert by_place((20000, 30000, 20000, 30000)) == (1, 3, 0, 2)
