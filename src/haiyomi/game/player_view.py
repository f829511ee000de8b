"""The public information about one player: river, melds, riichi, and tiles let pass.

Seats are relative to the viewer, as in ``game.position``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from haiyomi.tiles import Kind, Seat, Tile

MeldKind: TypeAlias = Literal["chi", "pon", "daiminkan", "kakan", "ankan"]


@dataclass(frozen=True, slots=True)
class RiverTile:
    """One discard.

    ``order`` counts the discards of all seats in this hand from 0. ``riichi``: it declared
    riichi. ``called_by``: the relative seat that took it, None if it lies in the river.
    ``facing_riichi``: another player was in riichi when it was discarded.
    """

    tile: Tile
    tsumogiri: bool
    order: int
    riichi: bool = False
    called_by: Seat | None = None
    facing_riichi: bool = False


@dataclass(frozen=True, slots=True)
class Meld:
    """An exposed set. ``tiles`` ascending; ``called`` the tile taken (or, of an added kan, of
    its pon) and ``target`` the relative seat it came from, both None for a concealed kan.
    ``order``: how many discards of all seats in this hand came before it was made.
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    called: Tile | None = None
    target: Seat | None = None
    order: int = 0

    @property
    def base(self) -> Kind:
        """The lowest kind: that of the set, or the first of a chi."""
        return self.tiles[0].kind

    @property
    def open(self) -> bool:
        return self.kind != "ankan"


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What the viewer sees of one player.

    ``score`` in points; ``concealed`` how many tiles stand in the hand; ``riichi_index``
    where in the river the declaration tile lies, None without riichi; ``ippatsu`` whether a
    win now would be within one turn of an unbroken riichi. Masks have bit k for kind k:
    ``river_mask`` own discards (called ones included), ``passed_mask`` others' tiles let
    pass since the player's own last discard, ``riichi_mask`` those since the riichi.
    """

    score: int
    river: tuple[RiverTile, ...]
    melds: tuple[Meld, ...]
    concealed: int
    riichi_index: int | None
    ippatsu: bool
    river_mask: int
    passed_mask: int
    riichi_mask: int

    @property
    def riichi(self) -> bool:
        return self.riichi_index is not None

    @property
    def furiten_mask(self) -> int:
        """Kinds on which this player cannot win by ron, whatever the hand."""
        return self.river_mask | self.passed_mask | self.riichi_mask

    @property
    def open_melds(self) -> int:
        """Melds other than concealed kans: those that open the hand."""
        return sum([m.kind != "ankan" for m in self.melds]) if self.melds else 0
