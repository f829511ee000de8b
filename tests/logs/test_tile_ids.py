"""Copy numbers: every physical tile has one, and keeps it."""

from __future__ import annotations

import pytest

from haiyomi.errors import IllegalError
from haiyomi.logs.tile_ids import TileIds
from haiyomi.tiles import N_KINDS, Kind, Seat, Tile, TileId


@pytest.mark.parametrize("reds", [True, False])
def test_136_tiles_leave_the_wall_each_with_its_own_id(reds: bool) -> None:
    ids = TileIds(reds)
    wall = [Tile.from_id(TileId(i), reds) for i in range(4 * N_KINDS)]
    given = [ids.leave_wall(tile) for tile in wall]
    assert sorted(given) == list(range(136))
    assert [Tile.from_id(i, reds) for i in given] == wall
    for kind in range(N_KINDS):
        with pytest.raises(IllegalError, match="no copy is left"):
            ids.leave_wall(Tile(Kind(kind)))


def test_a_red_five_is_none_without_reds() -> None:
    with pytest.raises(IllegalError, match="no copy is left"):
        TileIds(reds=False).leave_wall(Tile.parse("0m"))


def test_the_drawn_copy_is_discarded_only_by_tsumogiri() -> None:
    tile = Tile.parse("3p")
    for tsumogiri in (True, False):
        ids = TileIds(reds=True)
        held, drawn = ids.deal(Seat(1), tile), ids.deal(Seat(1), tile)
        given = ids.give(Seat(1), tile, drawn, tsumogiri)
        assert given == (drawn if tsumogiri else held)
        # The other copy is left, whichever way it goes.
        assert {given, ids.give(Seat(1), tile, drawn, False)} == {held, drawn}
        with pytest.raises(IllegalError, match="seat 1 uses a tile that it does not hold"):
            ids.give(Seat(1), tile, drawn, tsumogiri)


def test_melds_take_the_tiles_of_their_own_seat() -> None:
    ids = TileIds(reds=True)
    tiles = (Tile.parse("0s"), Tile.parse("5s"))
    mine = [ids.deal(Seat(2), tile) for tile in tiles]
    with pytest.raises(IllegalError, match="seat 3"):
        ids.use(Seat(3), tiles)
    assert ids.use(Seat(2), tiles) == mine
    assert ids.held[2] == []
