"""A player that holds what its own state says it may do against what the table offers."""

from __future__ import annotations

from haiyomi.events import Event
from haiyomi.play.player import Choice, Options, Player
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import Ruleset
from haiyomi.tiles import Seat


class Watching:
    """Plays as ``player`` does. ``answered``: of each question the latest event's type, and those
    of the choices."""

    def __init__(self, player: Player, seat: Seat, rules: Ruleset) -> None:
        self.player = player
        self.state = SeatState(seat, rules)
        self.answered: list[tuple[str, set[type]]] = []

    def observe(self, event: Event) -> None:
        self.player.observe(event)
        self.state.apply(event)

    def act(self, options: Options) -> Choice:
        mine = self.state.options()
        assert mine is not None
        assert set(mine.choices) == set(options.choices), (mine.choices, options.choices)
        last = type(self.state.last).__name__
        self.answered.append((last, {type(choice) for choice in options.choices}))
        return self.player.act(options)
