"""A SeatState, which sees one seat, has the same choices as the table that sees everything."""

from __future__ import annotations

from play.watching import Watching

from haiyomi.play.match import play_game
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import TENHOU
from haiyomi.seeds import generator
from haiyomi.tiles import Seat


def test_same_options_as_the_table() -> None:
    styles, compared = list(RULE_STYLES), 0
    for number in range(6):
        players = []
        for seat in map(Seat, range(4)):
            style = RULE_STYLES[styles[(seat + number) % 5]]
            player = RulePlayer(seat, generator(number, "compared", seat), style)
            players.append(Watching(player, seat, TENHOU))
        play_game(players, 11, number)
        compared += sum(len(player.answered) for player in players)
    assert compared > 2000
