"""What is allowed at one moment, apart from the course of a hand."""

from __future__ import annotations

import pytest
from play.rigged import Puppet, four, ids, rig, run, seat

from haiyomi.events import Chi, Discard, Pon, Riichi
from haiyomi.game.kuikae import swap_kinds
from haiyomi.play.legal import call_choices, keeps_waits, riichi_kinds
from haiyomi.play.live_hand import LiveHand
from haiyomi.play.seat_state import SeatState
from haiyomi.play.side import LiveMeld, Side
from haiyomi.rules import TENHOU
from haiyomi.tiles import Kind, Tile, TileId


def table() -> LiveHand:
    return LiveHand(TENHOU, 0, [25000] * 4)


@pytest.mark.parametrize(
    ("called", "consumed", "banned"),
    [
        (2, (3, 4), {2, 5}),  # 3m into 45m: neither 3m nor 6m
        (5, (3, 4), {5, 2}),
        (3, (2, 4), {3}),
        (6, (7, 8), {6}),  # 7m into 89m: there is no 10m
        (2, (0, 1), {2}),
        (11, (9, 10), {11}),  # 3p into 12p: 9m is another suit
        (24, (25, 26), {24}),  # 7s into 89s: East is no 10s
        (31, (31, 31), {31}),
    ],
)
def test_swap_kinds(called: int, consumed: tuple[int, int], banned: set[int]) -> None:
    assert set(swap_kinds(called, consumed)) == banned


def test_a_call_that_leaves_only_swaps_is_not_offered() -> None:
    side = Side(seat(1), ids("4536m"))
    third = TileId(next(t for t in range(8, 12) if t not in side.hand))
    assert not [c for c in call_choices(table(), side, seat(0), third) if type(c) is Chi]
    side = Side(seat(1), ids("4537m"))
    assert [c for c in call_choices(table(), side, seat(0), third) if type(c) is Chi]


def test_calls_name_each_way_to_use_a_red_five() -> None:
    side = Side(seat(1), ids("550p46p1z9s"))
    found = call_choices(table(), side, seat(0), TileId(55))
    pons = {c.consumed for c in found if isinstance(c, Pon)}
    plain, red = Tile.parse("5p"), Tile.parse("0p")
    assert pons == {(plain, plain), (plain, red)}
    found = call_choices(table(), side, seat(0), TileId(4 * 14 + 3))  # 6p
    four = Tile.parse("4p")
    assert {c.consumed for c in found if isinstance(c, Chi)} == {(four, plain), (four, red)}


def test_chi_only_from_the_left_and_none_on_the_last_tile() -> None:
    side = Side(seat(2), ids("45m1z9p"))
    live = table()
    third = TileId(8)
    assert not call_choices(live, side, seat(0), third)
    assert call_choices(live, side, seat(1), third)
    live.draws_left = 0
    assert not call_choices(live, side, seat(1), third)


@pytest.mark.parametrize(
    ("hand", "kan", "kept"),
    [
        ("555p34m678m234s22z", "0p", True),
        ("11123m456p789s22z", "1m", False),  # the wait changes
        ("33345p678m234s22z", "3p", False),  # the wait needs the triplet
        ("333444555p67m22z", "3p", True),  # three runs are lost, the waits are the same
        ("222z34m678m234s55p", "2z", True),
        ("2223456m678s555p", "2m", False),  # 2m is a pair for some of the waits
    ],
)
def test_a_kan_after_riichi_keeps_the_waits(hand: str, kan: str, kept: bool) -> None:
    held = ids(hand)
    side = Side(seat(0), held)
    kind = Tile.parse(kan).kind
    side.take(TileId(next(t for t in range(4 * kind, 4 * kind + 4) if t not in held)))
    assert keeps_waits(side, kind) is kept


def test_riichi_kinds_leave_tenpai() -> None:
    side = Side(seat(0), ids("123456789m11p23p"))
    side.take(TileId(4 * 30))
    assert set(riichi_kinds(side)) == {9, 30}
    side = Side(seat(0), ids("123456789m11p24p"))
    side.take(TileId(4 * 13 + 1))  # 2p 4p 5p: throw either end
    assert set(riichi_kinds(side)) == {10, 13}


def test_a_wait_on_four_own_tiles_is_no_tenpai() -> None:
    side = Side(seat(0), ids("2m"), melds=[LiveMeld("ankan", Kind(1), ids("2222m"))])
    assert side.waits == 0
    side = Side(seat(0), ids("1111m456p789s333z"))
    assert side.waits == 0


def test_riichi_on_1m_alone_is_offered() -> None:
    """1m is kind 0: a list of it alone is no empty list."""
    hand = ["1m6s99s456789p234s", "", "", ""]
    player = Puppet(Riichi)
    played = run(rig(hand, "7s"), four(s0=player))
    events = played.hand.events
    declared = events.index(Riichi(seat(0)))
    only = Discard(seat(0), Tile.parse("1m"), tsumogiri=False)
    assert events[declared + 1] == only
    # One who sees only that seat's events is offered the same.
    state = SeatState(seat(0))
    result = []
    for event in player.seen[: declared + 1]:
        state.apply(event)
        if (options := state.options()) is not None:
            result.append(options.choices)
    assert set(result[0]) == set(player.offered[0].choices)
    assert result[1:] == [(only,)]
