"""The input of a win table: a hand, and all that its owner sees.

A hand of 13 tiles less 3 a meld is about to draw; with one more it is about to discard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from haiyomi.errors import HaiyomiError, TileError
from haiyomi.game.player_view import MeldKind
from haiyomi.tiles import N_KINDS, RED_KINDS, Kind, Tile, check_copies, format_tiles, parse_tiles

if TYPE_CHECKING:
    from haiyomi.game.position import Position

TURNS = 18


@dataclass(frozen=True, slots=True)
class OwnMeld:
    """A meld of the owner: its kind and tiles."""

    kind: MeldKind
    tiles: tuple[Tile, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """``123m`` a chi, ``777z`` a pon, ``1111z`` an open and ``c1111z`` a closed kan.

        Raises TileError.
        """
        closed = text.startswith("c")
        tiles = tuple(sorted(parse_tiles(text.removeprefix("c"))))
        kinds = sorted(tile.kind for tile in tiles)
        if len(kinds) in (3, 4) and len(set(kinds)) == 1:
            if closed and len(kinds) == 3:
                raise TileError(f"{text!r} is no meld: a closed triplet is part of the hand")
            return cls("ankan" if closed else "daiminkan" if len(kinds) == 4 else "pon", tiles)
        run = len(kinds) == 3 and kinds[0] < 27 and kinds[0] % 9 <= 6
        if run and kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2] and not closed:
            return cls("chi", tiles)
        raise TileError(f"{text!r} is no meld: expected a run, a triplet, or four of a kind")

    def __str__(self) -> str:
        return ("c" if self.kind == "ankan" else "") + format_tiles(self.tiles)


@dataclass(frozen=True, slots=True)
class WinQuestion:
    """One hand and what its owner sees.

    ``hand``: the concealed tiles. ``melds``: the owner's; needed only for points. ``seen``: other
    visible tiles, such as rivers and others' melds; the dora ``indicators`` are visible too and
    need not be named again. ``turn``: the turn 1-18 whose discard comes now (for a hand that draws,
    the turn just over). ``last``: the turn of the last draw. Winds are kinds 27-30; seat wind 27
    deals. Raises HaiyomiError or TileError for a hand that cannot occur.
    """

    hand: tuple[Tile, ...]
    melds: tuple[OwnMeld, ...] = ()
    seen: tuple[Tile, ...] = ()
    indicators: tuple[Tile, ...] = ()
    turn: int = 1
    last: int = TURNS
    round_wind: int = 27
    seat_wind: int = 28

    def __post_init__(self) -> None:
        text = format_tiles(self.hand)
        n = len(self.hand)
        if not 1 <= n <= 14 or n % 3 == 0:
            given = f"{text} has {n}" if n else "no tiles were given"
            raise HaiyomiError(f"a hand has 13 or 14 tiles, less three for each meld; {given}")
        if self.melds and len(self.melds) != self.needed_melds:
            raise HaiyomiError(
                f"{text}: the number of melds beside these tiles is {self.needed_melds}, "
                f"not {len(self.melds)}"
            )
        meld_tiles = [tile for meld in self.melds for tile in meld.tiles]
        try:
            check_copies([*self.hand, *meld_tiles, *self.seen, *self.indicators])
        except TileError as error:
            raise TileError(f"hand, melds, seen tiles and indicators together: {error}") from None
        if not 1 <= self.turn <= TURNS:
            raise HaiyomiError(f"no turn {self.turn}: expected 1 to {TURNS}")
        if not 0 <= self.last <= TURNS:
            raise HaiyomiError(f"no last turn {self.last}: expected 0 to {TURNS}")
        if len(self.indicators) > 5:
            raise HaiyomiError(f"{len(self.indicators)} dora indicators: there are at most five")
        for wind in (self.round_wind, self.seat_wind):
            if not 27 <= wind <= 30:
                raise HaiyomiError(f"no wind {wind}: winds are kinds 27 to 30")

    @property
    def needed_melds(self) -> int:
        """Melds that the number of concealed tiles leaves room for."""
        return 4 - len(self.hand) // 3

    @property
    def discards(self) -> bool:
        """Whether the hand is about to discard, not to draw."""
        return len(self.hand) % 3 == 2

    @classmethod
    def parse(
        cls,
        hand: str,
        *,
        melds: str = "",
        seen: str = "",
        indicators: str = "",
        turn: int = 1,
        last: int = TURNS,
        round_wind: int = 27,
        seat_wind: int = 28,
    ) -> Self:
        """From notation; ``melds`` with commas or spaces between. Raises as the class does."""
        return cls(
            parse_tiles(hand),
            tuple(OwnMeld.parse(part) for part in melds.replace(",", " ").split()),
            parse_tiles(seen),
            parse_tiles(indicators),
            turn,
            last,
            round_wind,
            seat_wind,
        )

    @classmethod
    def from_position(cls, position: Position) -> Self:
        """What the viewer of a position knows; the turn follows from the draws that are left."""
        mine = position.players[0]
        melds = tuple(OwnMeld(meld.kind, meld.tiles) for meld in mine.melds)
        own = [*position.hand, *(t for m in melds for t in m.tiles), *position.indicators]
        return cls(
            position.hand,
            melds,
            _visible_elsewhere(position.seen, position.reds_seen, own),
            position.indicators,
            turn_of(position),
            TURNS,
            int(position.round_wind),
            int(position.seat_wind(0)),
        )


def turn_of(position: Position) -> int:
    """The turn 1-18 of a position, by the draws that are left."""
    return min(max(1, TURNS - position.draws_left // 4), TURNS)


def _visible_elsewhere(
    seen: Sequence[int], reds_seen: int, own: Sequence[Tile]
) -> tuple[Tile, ...]:
    """The visible tiles that are neither the hand's, its melds' nor indicators."""
    left = list(seen)
    reds = [bool(reds_seen >> suit & 1) for suit in range(3)]
    for tile in own:
        left[tile.kind] -= 1
        if tile.red:
            reds[RED_KINDS.index(tile.kind)] = False
    out: list[Tile] = []
    for kind in range(N_KINDS):
        n = max(left[kind], 0)
        red = kind in RED_KINDS and n > 0 and reds[RED_KINDS.index(Kind(kind))]
        out.extend([Tile(Kind(kind))] * (n - red))
        if red:
            out.append(Tile(Kind(kind), True))
    return tuple(out)
