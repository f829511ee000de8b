"""When a game ends, as the real records end."""

from __future__ import annotations

import pytest

from haiyomi.events import Hand
from haiyomi.play.hand import Played
from haiyomi.play.match import is_over, leader
from haiyomi.rules import TENHOU, TENHOU_EAST


def after(
    scores: tuple[int, int, int, int],
    *,
    holds: bool = False,
    aborted: bool = False,
    won: bool = True,
) -> Played:
    return Played(Hand(()), scores, 0, holds, aborted, won)


LED = (24000, 24000, 20000, 32000)  # seat 3, the last dealer, leads
OTHER = (32000, 24000, 20000, 24000)
LOW = (29000, 29000, 20000, 22000)


@pytest.mark.parametrize(
    ("kyoku", "played", "over"),
    [
        (6, after(OTHER), False),
        (7, after(OTHER), True),
        (7, after(LOW), False),  # West round
        (7, after(OTHER, holds=True), False),  # the dealer goes on
        (7, after(LED, holds=True), True),  # and stops when leading
        (7, after(LED, holds=True, won=False), True),  # also when only tenpai
        (7, after(LED, holds=True, aborted=True, won=False), False),
        (7, after((32000, 16000, 20000, 32000), holds=True), False),  # a tie goes to seat 0
        (8, after(OTHER), True),
        (8, after((28000, 32000, 20000, 20000), holds=True), False),
        (8, after(LOW), False),
        (11, after(LOW), True),
        (11, after(LOW, holds=True), False),
        (0, after((-100, 50100, 25000, 25000)), True),
        (0, after((0, 50000, 25000, 25000)), False),
    ],
)
def test_the_end_of_a_hanchan(kyoku: int, played: Played, over: bool) -> None:
    assert is_over(TENHOU, kyoku, played) is over


def test_the_end_of_an_east_game() -> None:
    assert is_over(TENHOU_EAST, 3, after(OTHER))
    assert not is_over(TENHOU_EAST, 3, after(LOW))
    assert is_over(TENHOU_EAST, 7, after(LOW))


def test_without_tobi_a_game_goes_on_below_zero() -> None:
    assert not is_over(TENHOU.but(tobi=False), 0, after((-100, 50100, 25000, 25000)))


def test_ties_go_to_the_seat_nearer_to_the_first_dealer() -> None:
    assert leader((30000, 30000, 20000, 20000)) == 0
    assert leader((20000, 30000, 20000, 30000)) == 1
