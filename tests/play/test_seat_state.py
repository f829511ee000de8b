"""A SeatState, which sees one seat, has the same choices as the table that sees everything."""

from __future__ import annotations

from haiyomi.events import Event
from haiyomi.play.match import play_game
from haiyomi.play.player import Choice, Options
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.play.seat_state import SeatState
from haiyomi.seeds import generator
from haiyomi.tiles import Seat


class Compared(RulePlayer):
    """A rule-based player that holds its SeatState's options against the table's."""

    compared = 0

    def __init__(self, seat: Seat, seed: int, style: str) -> None:
        super().__init__(seat, generator(seed, "compared", seat), RULE_STYLES[style])
        self.state = SeatState(seat)

    def observe(self, event: Event) -> None:
        super().observe(event)
        self.state.apply(event)

    def act(self, options: Options) -> Choice:
        mine = self.state.options()
        assert mine is not None
        assert set(mine.choices) == set(options.choices), (mine.choices, options.choices)
        Compared.compared += 1
        return super().act(options)


def test_same_options_as_the_table() -> None:
    Compared.compared = 0
    styles = list(RULE_STYLES)
    for number in range(6):
        players = [Compared(Seat(s), number, styles[(s + number) % 5]) for s in range(4)]
        play_game(players, 11, number)
    assert Compared.compared > 2000
