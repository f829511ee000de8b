"""What a claimed win pays, where the yaku is in how the tile came."""

from __future__ import annotations

import pytest

from haiyomi.errors import PositionError
from haiyomi.events import Draw
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.outcomes.claimed import claimed
from haiyomi.play.player import Claim
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.stated_decision import decision_at
from haiyomi.tiles import Seat

TABLE = {
    "seat": "S", "indicators": "9s", "hand": "345p678s99m67p", "drawn": "8p", "after_kan": True,
    "players": {
        "E": {"river": "2m 1z 9p 4z"},
        "S": {"river": "1s 9s 3z", "melds": ["kakan 2m222m from E"]},
        "W": {"river": "1z 2z 4z"},
        "N": {"river": "9m 3z 5z"},
    },
}  # fmt: skip
"""No yaku but rinshan, after a kan that was added to a pon of seven discards before."""


def test_a_win_after_an_added_kan_is_rinshan() -> None:
    (paid,) = claimed(decision_at(Position.from_json(TABLE)))
    assert paid.changes == (1100, -300, -300, -500)


def test_without_the_kan_s_draw_there_is_no_win() -> None:
    position = Position.from_json(TABLE | {"after_kan": False})
    assert not any(isinstance(choice, Claim) for choice in decision_at(position).choices)


def test_a_draw_after_a_kan_needs_a_kan() -> None:
    with pytest.raises(PositionError, match="after_kan is true, but the viewer has no kan"):
        Position.from_json({"seat": "E", "indicators": "3p", "hand": "123m406p789s1122z",
                            "drawn": "5p", "after_kan": True})  # fmt: skip


def test_positions_know_which_draw_came_from_the_dead_wall() -> None:
    kans = 0
    for seed in range(12):
        for hand in simulate_rule_players(4, seed).hands:
            for seat in map(Seat, range(4)):
                for index, _, position in positions(hand.events, seat):
                    own = [e for e in hand.events[:index] if isinstance(e, Draw) and e.seat == seat]
                    after = position.drawn is not None and own[-1].rinshan
                    assert position.after_kan is after
                    if after:
                        kans += 1
                        assert Position.from_json(position.to_json()) == position
    assert kans >= 10
