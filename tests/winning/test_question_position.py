"""The win table of a position is that of the question which its viewer would ask."""

from __future__ import annotations

from haiyomi.game.position_fold import positions
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.table import win_table


def test_a_position_is_asked_about_as_its_question() -> None:
    hand = demo_game().hands[0]
    for _, _, position in list(positions(hand.events, Seat(1)))[4:10:2]:
        question = WinQuestion.from_position(position)
        assert win_table(position) == win_table(question)
        assert win_table(position).question == question
