"""The position after an own call is that of the events."""

from __future__ import annotations

from haiyomi.events import Chi, Discard, Pon, visible_to
from haiyomi.game.after_call import after_call
from haiyomi.game.position_fold import PositionFold
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.tiles import Seat


def test_the_position_is_that_of_the_events() -> None:
    """Also where the called tile declared riichi, which is paid for then."""
    calls = riichi = 0
    for seed in range(12):
        for hand in simulate_rule_players(4, seed).hands:
            for seat in map(Seat, range(4)):
                fold, offered = PositionFold(seat), None
                for event in hand.events:
                    fold.apply(visible_to(event, seat))
                    if isinstance(event, Discard):
                        offered = fold.position()
                    elif isinstance(event, Chi | Pon) and event.seat == seat:
                        assert offered is not None
                        assert after_call(offered, event) == fold.position()
                        calls += 1
                        riichi += fold.position().sticks > offered.sticks
    assert calls > 100
    assert riichi > 3
