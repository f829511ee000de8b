"""Events: values; and what a seat may not see has no place in what it gets."""

from __future__ import annotations

import dataclasses
import typing

import pytest

from haiyomi import events
from haiyomi.events import (
    DISCARDS,
    DRAWS,
    Absence,
    Deal,
    Discard,
    Draw,
    Event,
    Game,
    Hand,
    Header,
    HiddenDraw,
    OwnDeal,
    Start,
    Win,
    visible_to,
)
from haiyomi.tiles import TILES, Seat, Tile, TileId, parse_tiles

SEATS = [Seat(s) for s in range(4)]
DEAL = Deal(
    (
        parse_tiles("123456789m1234p"),
        parse_tiles("123456789p1234s"),
        parse_tiles("123456789s1234m"),
        parse_tiles("1112223334445z"),
    )
)
START = Start(5, 1, 2, (25000,) * 4, Tile.parse("1m"))


def test_all_events_are_frozen_slotted_values() -> None:
    for kind in typing.get_args(Event):
        assert dataclasses.is_dataclass(kind)
        assert kind.__dataclass_params__.frozen, kind  # type: ignore[attr-defined]
        assert not hasattr(kind, "__dict__") or "__slots__" in vars(kind), kind
    with pytest.raises(dataclasses.FrozenInstanceError):
        START.kyoku = 3  # type: ignore[misc]


@pytest.mark.parametrize("viewer", SEATS)
def test_of_the_deal_a_seat_sees_its_own_thirteen(viewer: Seat) -> None:
    assert visible_to(DEAL, viewer) == OwnDeal(viewer, DEAL.hands[viewer])


@pytest.mark.parametrize("rinshan", [False, True])
@pytest.mark.parametrize("viewer", SEATS)
@pytest.mark.parametrize("drawer", SEATS)
def test_of_anothers_draw_a_seat_sees_only_that_it_was(
    viewer: Seat, drawer: Seat, rinshan: bool
) -> None:
    seen = {visible_to(Draw(drawer, tile, rinshan), viewer) for tile in TILES}
    if viewer == drawer:
        assert seen == {Draw(drawer, tile, rinshan) for tile in TILES}
    else:
        assert seen == {HiddenDraw(drawer, rinshan)}


def test_the_hidden_types_have_no_place_for_a_tile() -> None:
    assert {f.name for f in dataclasses.fields(HiddenDraw)} == {"seat", "rinshan"}
    assert {f.name for f in dataclasses.fields(OwnDeal)} == {"seat", "tiles"}


@pytest.mark.parametrize("viewer", SEATS)
def test_what_all_see_is_left_as_it_is(viewer: Seat) -> None:
    for event in (START, Discard(Seat(2), TILES[3], True), events.DoraReveal(TILES[9])):
        assert visible_to(event, viewer) is event


@pytest.mark.parametrize("viewer", SEATS)
def test_seen_once_is_seen_for_good(viewer: Seat) -> None:
    for event in (START, DEAL, Draw(Seat(1), TILES[0]), Draw(viewer, TILES[0], True)):
        once = visible_to(event, viewer)
        assert visible_to(once, viewer) == once


def test_the_shared_draws_and_discards() -> None:
    for seat in SEATS:
        for tile in TILES:
            assert DRAWS[seat][tile.code] == Draw(seat, tile)
            assert DISCARDS[seat][tile.code][0] == Discard(seat, tile, False)
            assert DISCARDS[seat][tile.code][1] == Discard(seat, tile, True)


def test_provenance_plays_no_part_in_equality() -> None:
    plain, copied = Hand((START, DEAL)), Hand((START, DEAL), copies=(TileId(1), TileId(2)))
    assert plain == copied
    assert hash(plain) == hash(copied)
    assert Header() == Header(extra=(("dan", "10"),))
    assert Game(Header(), (plain,)) == Game(Header(extra=(("ref", "x"),)), (copied,))


def test_the_places_of_a_game() -> None:
    assert Header().places is None
    assert Header(final=(20000, 35000, 15000, 30000)).places == (3, 1, 4, 2)
    # Of equal scores the seat nearer to the first dealer is ahead.
    assert Header(final=(24000, 26000, 24000, 26000)).places == (3, 1, 4, 2)
    assert Header(final=(25000,) * 4).places == (1, 2, 3, 4)


def test_start_and_win_answer_for_themselves() -> None:
    assert START.dealer == 1
    assert Hand((START,)).start is START
    win = Win(Seat(1), Seat(1), TILES[0], (0, 0, 0, 0))
    assert win.tsumo
    assert win.han is None
    ron = dataclasses.replace(win, target=Seat(2), yaku=((1, 1), (52, 2)))
    assert not ron.tsumo
    assert ron.han == 3


def test_events_are_pasteable() -> None:
    names = {**vars(events), "Tile": Tile, "parse_tiles": parse_tiles}
    for event in (START, DEAL, Draw(Seat(1), TILES[35]), DISCARDS[0][4][1]):
        assert eval(repr(event), names) == event


def test_an_absence_begins_with_the_drawn_tiles_that_were_discarded_before_it_was_noticed() -> None:
    east, south = Seat(1), Seat(2)
    made: list[Event] = [START, DEAL]
    for seat, tile, drawn in ((east, "1m", False), (south, "2m", True), (east, "3m", True)):
        made += [Draw(seat, TILES[5]), Discard(seat, Tile.parse(tile), drawn)]
    made += [Draw(south, TILES[6]), Discard(south, TILES[6], True), Draw(east, TILES[7])]
    hand = Hand(tuple(made))
    for event, first in ((10, 6), (4, 4), (3, 2)):
        game = Game(Header(), (hand,), (Absence(0, event, east),))
        assert game.absent(0) == ((east, first, len(made)),)
    game = Game(Header(), (hand, hand), (Absence(0, 10, south),))
    assert game.absent(0) == ((south, 4, len(made)),)
    assert game.absent(1) == ((south, 0, len(made)),)
    assert Game(Header(), (hand,), (Absence(0, len(made), east),)).absent(0) == ()
