"""The state of one hand in play: wall, scores, indicators, deposits, kans."""

from __future__ import annotations

from dataclasses import dataclass, field

from haiyomi.play.side import Side
from haiyomi.play.wall import Wall
from haiyomi.rules import Ruleset
from haiyomi.tiles import Kind, Seat, Tile, dora_of


@dataclass(slots=True)
class LiveHand:
    """One hand in play.

    ``scores`` in points and ``sticks`` on the table change as deposits are made;
    ``revealed`` dora indicators are open; ``no_calls`` holds until the first call or kan;
    ``first_discards`` are the kinds of up to four first discards; ``kans`` the seats that made
    them.
    """

    rules: Ruleset
    wall: Wall
    kyoku: int
    honba: int
    sticks: int
    scores: list[int]
    revealed: int = 1
    no_calls: bool = True
    first_discards: list[Kind] = field(default_factory=list)
    kans: list[Seat] = field(default_factory=list)

    @property
    def dealer(self) -> Seat:
        return Seat(self.kyoku % 4)

    def tile(self, ident: int) -> Tile:
        """The tile of an id under these rules."""
        return Tile.from_id(ident, self.rules.red_fives)

    def first_turn(self, side: Side) -> bool:
        """Whether the side has yet to discard and nobody has called."""
        return self.no_calls and side.discards == 0

    @property
    def may_kan(self) -> bool:
        return self.wall.left > 0 and len(self.kans) < 4

    def dora_kinds(self) -> list[Kind]:
        return [dora_of(self.wall.indicator(i) // 4) for i in range(self.revealed)]
