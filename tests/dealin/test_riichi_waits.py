"""The named waits add up to the risk that the model answers with."""

from __future__ import annotations

import pytest

from haiyomi.dealin.kurita_hoki import shipped
from haiyomi.dealin.riichi_waits import shares_by_kind
from haiyomi.events import Discard
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat

RIICHI = {
    "seat": "E",
    "indicators": "6s",
    "hand": "234m556799p34s66z",
    "drawn": "9s",
    "players": {
        "E": {"river": "1s"},
        "S": {"river": "9s!"},
        "W": {"river": "2z"},
        "N": {"river": "9p"},
    },
}


def test_shares_sum_to_one_and_win_on_the_tile() -> None:
    model = shipped()
    seen = 0
    for hand in demo_game().hands[:4]:
        for _, event, position in positions(hand.events, Seat(0)):
            if not isinstance(event, Discard):
                continue
            for seat in (1, 2, 3):
                player = position.players[seat]
                parts = shares_by_kind(model.riichi, position, seat)
                assert bool(parts) == (player.riichi or not player.open_melds)
                for kind, waits in parts.items():
                    seen += 1
                    assert sum(p.share for p in waits) == pytest.approx(1, abs=1e-9)
                    assert all(kind in p.wins for p in waits)
                    assert not player.furiten_mask >> kind & 1
    assert seen > 100


def test_the_waits_are_those_of_the_answer() -> None:
    """Every kind with named waits carries a risk, and every risk above the floor has waits."""
    model, position = shipped(), Position.from_json(RIICHI)
    ron = model.opponent(position, 1).ron.sum(axis=(1, 2))
    parts = shares_by_kind(model.riichi, position, 1)
    assert set(parts) == {k for k in range(34) if ron[k] > 0}
    two_sided = parts[13]  # 5p
    assert two_sided[0].shape == "two-sided"
