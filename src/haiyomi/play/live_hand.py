"""What the options of a seat depend on beside its own side: rules, scores, draws left, kans."""

from __future__ import annotations

from dataclasses import dataclass, field

from haiyomi.play.side import Side
from haiyomi.rules import WALL_DRAWS, Ruleset
from haiyomi.tiles import Kind, Seat, Tile


@dataclass(slots=True)
class LiveHand:
    """One hand in play.

    ``scores`` in points change as deposits are made; ``draws_left`` in the wall; ``no_calls``
    holds until the first call or kan; ``first_discards`` are the kinds of up to four first
    discards; ``kans`` the seats that made them.
    """

    rules: Ruleset
    kyoku: int
    scores: list[int]
    draws_left: int = WALL_DRAWS
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
        return self.draws_left > 0 and len(self.kans) < 4
