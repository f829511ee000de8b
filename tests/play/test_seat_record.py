"""Records of positions: those of the core at a discard, and hands of true tiles elsewhere."""

from __future__ import annotations

import numpy as np

from haiyomi.events import Game, visible_to
from haiyomi.game.decision_record import DECISION, NINE, TSUMO, Decisions
from haiyomi.game.labelled import labelled
from haiyomi.game.packed_games import decode_one, pack_games
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.waits import waits
from haiyomi.play.demo import demo_game
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.seat_record import seat_records
from haiyomi.tiles import Seat, kind_counts


def discards_of(game: Game) -> tuple[Decisions, list[Position]]:
    """The core's records at the discards of a game, and the positions."""
    records = decode_one(pack_games([("game", game)]), discards=True)[0]
    return records, [one.position for one in labelled(game) if not one.forced]


def test_at_a_discard_it_is_the_record_of_the_core() -> None:
    wins = np.uint16(1 << TSUMO | 1 << NINE)
    for game in (demo_game(), simulate_rule_players(4, 11)):
        records, positions = discards_of(game)
        assert len(records) == len(positions) > 100
        made = seat_records(positions)
        records["legal"] &= ~wins
        for name in DECISION.names or ():
            assert (made[name] == records[name]).all(), name


def test_a_viewer_without_a_tile_to_discard_gets_one_and_keeps_the_waits_of_its_hand() -> None:
    game = demo_game()
    checked = ready = 0
    for hand in game.hands:
        fold = PositionFold(Seat(1), game.header.rules)
        for event in hand.events:
            fold.apply(visible_to(event, Seat(1)))
            position = fold.position()
            if len(position.hand) % 3 != 1 or not position.players[0].river:
                continue
            row = seat_records([position])[0]
            held = np.array(kind_counts(position.hand), np.uint8)
            given = row["hand"] - held
            assert given.sum() == 1
            last = position.players[0].river[-1].tile.kind
            assert given[last] == 1
            assert row["drawn"] == last
            own = waits(held[None])[0]
            assert row["waits"] & ~own == 0
            ready += bool(row["waits"])
            assert row["efficiency"][last, 0] == shanten(held[None])[0]
            checked += 1
    assert checked > 50
    assert ready > 3


def test_before_the_first_discard_the_tile_is_one_that_is_left() -> None:
    game = demo_game()
    fold = PositionFold(Seat(3), game.header.rules)
    for event in game.hands[0].events[:5]:
        fold.apply(visible_to(event, Seat(3)))
    position = fold.position()
    assert len(position.hand) == 13
    row = seat_records([position])[0]
    assert row["drawn"] >= 27
    assert position.unseen[row["drawn"]] > 0
    assert row["hand"].sum() == 14
