"""Copy numbers for games that have none: one tile id for each physical tile of a hand."""

from __future__ import annotations

from haiyomi.errors import IllegalError
from haiyomi.tiles import N_KINDS, Seat, Tile, TileId


class TileIds:
    """Hands out ids: tiles leave the wall with a new one and keep it.

    Raises IllegalError where a fifth copy leaves the wall, or a tile is used that its seat
    does not hold.
    """

    def __init__(self, reds: bool) -> None:
        self._left: dict[Tile, list[TileId]] = {}
        for kind in range(N_KINDS):
            ids = [TileId(4 * kind + copy) for copy in (3, 2, 1, 0)]
            for ident in ids:
                self._left.setdefault(Tile.from_id(ident, reds), []).append(ident)
        self.held: list[list[tuple[Tile, TileId]]] = [[], [], [], []]

    def leave_wall(self, tile: Tile) -> TileId:
        """A new id of a tile that is dealt, drawn or turned over."""
        left = self._left.get(tile)
        if not left:
            raise IllegalError("a tile of which no copy is left", value=str(tile))
        return left.pop()

    def deal(self, seat: Seat, tile: Tile) -> TileId:
        ident = self.leave_wall(tile)
        self.held[seat].append((tile, ident))
        return ident

    def give(self, seat: Seat, tile: Tile, drawn: TileId | None, tsumogiri: bool) -> TileId:
        """The id of a discard: the drawn one if it was that, else another if there is one."""
        own = [i for t, i in self.held[seat] if t == tile]
        chosen: TileId | None
        if tsumogiri and drawn in own:
            chosen = drawn
        else:
            others = [i for i in own if i != drawn]
            chosen = others[0] if others else own[0] if own else None
        if chosen is None:
            raise IllegalError(f"seat {seat} uses a tile that it does not hold", value=str(tile))
        self.held[seat].remove((tile, chosen))
        return chosen

    def use(self, seat: Seat, tiles: tuple[Tile, ...]) -> list[TileId]:
        """The ids of own tiles that go to a meld."""
        return [self.give(seat, tile, None, False) for tile in tiles]
