"""Position: everything one seat may know at one moment (``position_fold`` makes it of events).

**Seats inside a Position are relative: 0 is the viewer**, 1 the player to the right (next to
act, *shimocha*), 2 the one across (*toimen*), 3 the one to the left (*kamicha*).

Terms: a *river* is a player's discards in order; *tedashi* a discard from the hand and
*tsumogiri* one of the tile just drawn; *furiten* is the rule that a player who discarded, or
let pass, a tile that completes the hand may not win by ron.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from haiyomi.errors import PositionError
from haiyomi.game.player_view import PlayerView
from haiyomi.game.rounds import round_wind
from haiyomi.rules import Ruleset
from haiyomi.tiles import N_KINDS, Kind, Seat, Tile, dora_of, kind_counts, tile_order


@dataclass(frozen=True, slots=True)
class Position:
    """One seat's information set. Its fields depend on each other, and only ``from_json`` checks
    them: to change a position, change what ``to_json`` gives and read it again.

    ``seat`` is the viewer's absolute seat; ``kyoku`` 0 = East 1; ``dealer`` a relative seat;
    ``hand`` the viewer's concealed tiles, sorted, the drawn one included; ``drawn`` None
    after a call; ``players`` by relative seat; ``draws_left`` in the wall; ``seen`` how many
    of each kind the viewer sees anywhere, own hand included; ``reds_seen`` bit s for the red
    five of suit s. ``to_act``: the viewer is to discard; ``after_kan``: what it drew came from
    the dead wall.
    """

    seat: Seat
    rules: Ruleset
    kyoku: int
    honba: int
    sticks: int
    dealer: Seat
    indicators: tuple[Tile, ...]
    hand: tuple[Tile, ...]
    drawn: Tile | None
    players: tuple[PlayerView, PlayerView, PlayerView, PlayerView]
    draws_left: int
    seen: tuple[int, ...]
    reds_seen: int
    to_act: bool
    after_kan: bool = False

    @property
    def round_wind(self) -> Kind:
        """Kind 27-30; after North comes East again."""
        return round_wind(self.kyoku)

    def seat_wind(self, seat: int) -> Kind:
        """Kind 27-30 of a relative seat."""
        return Kind(27 + (seat - self.dealer) % 4)

    def absolute(self, seat: int) -> Seat:
        """The absolute seat of a relative one."""
        return Seat((seat + self.seat) % 4)

    @property
    def unseen(self) -> tuple[int, ...]:
        """How many of each kind the viewer does not see, 34 numbers 0-4."""
        return tuple([4 - n for n in self.seen])

    @property
    def dora(self) -> tuple[int, ...]:
        """Han that one tile of each kind brings by the indicators, 34 numbers."""
        han = [0] * N_KINDS
        for indicator in self.indicators:
            han[dora_of(indicator.kind)] += 1
        return tuple(han)

    @property
    def discards_made(self) -> int:
        """How many discards all seats have made in this hand."""
        return sum(len(p.river) for p in self.players)

    @property
    def threat(self) -> bool:
        """Whether some opponent is in riichi or has an open meld."""
        return any(p.riichi_index is not None or p.open_melds for p in self.players[1:])

    @property
    def discards(self) -> tuple[Tile, ...]:
        """The distinct tiles that the viewer holds, ascending; after riichi the drawn one."""
        if self.players[0].riichi and self.drawn is not None and self._riichi_stands:
            return (self.drawn,)
        return tuple(sorted(set(self.hand), key=tile_order))

    @property
    def shanten(self) -> int:
        """How many tiles the viewer's hand must exchange to be tenpai: 0 tenpai, -1 complete.

        -1 to 8, the least over four sets and a pair, seven pairs and thirteen orphans; complete
        says nothing about a yaku. Counts the concealed tiles, and each meld as a set; with the
        drawn tile, before a discard, it is that of the best discard. It does not look at what is
        seen elsewhere. Raises PositionError where no hand was dealt.
        """
        from haiyomi.kernels.shanten import shanten_of

        if not self.hand:
            raise PositionError("no hand has been dealt")
        return shanten_of(kind_counts(self.hand))

    @classmethod
    def from_json(cls, value: str | Mapping[str, object]) -> Position:
        """The position of a JSON text or value; see the manual's page "Position as JSON".

        Raises PositionError, which names the field.
        """
        from haiyomi.game.position_json import read_position

        return read_position(value)

    def to_json(self) -> dict[str, object]:
        """The JSON value of the position, for ``json.dumps``; inverse of ``from_json``."""
        from haiyomi.game.position_json import write_position

        return write_position(self)

    def _repr_html_(self) -> str:
        from haiyomi.display.position import position_html

        return position_html(self)

    @property
    def _riichi_stands(self) -> bool:
        index = self.players[0].riichi_index
        return index is not None and index < len(self.players[0].river)
