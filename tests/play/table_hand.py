"""A hand at the table in Python, and what a win of it would be worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from haiyomi.events import FourScores
from haiyomi.kernels.scoring import MeldType, Score, score_one
from haiyomi.play.live_hand import LiveHand
from haiyomi.play.side import Side
from haiyomi.play.wall import Wall
from haiyomi.tiles import RED_IDS, Kind, Seat, TileId, dora_of


@dataclass(slots=True, kw_only=True)
class TableHand(LiveHand):
    """A hand with what only a table knows: its wall, and what is paid.

    ``sticks`` on the table change as deposits are made; ``revealed`` dora indicators are open.
    """

    wall: Wall
    honba: int
    sticks: int
    revealed: int = 1

    def ura(self) -> tuple[TileId, ...]:
        """The ura indicators below the open dora indicators."""
        return tuple(self.wall.ura(i) for i in range(self.revealed))


def judge(
    live: TableHand,
    side: Side,
    target: Seat,
    tile: TileId,
    *,
    rinshan: bool = False,
    chankan: bool = False,
) -> Score | None:
    """What a win on ``tile`` would be worth; None if the hand has no yaku.

    By tsumo (``target`` the own seat) the tile is in the hand already, by ron it is not.
    """
    tsumo = target == side.seat
    concealed = side.hand if tsumo else [*side.hand, tile]
    tiles = [*concealed, *(t for meld in side.melds for t in meld.ids)]
    shown = [live.wall.indicator(i) for i in range(live.revealed)]
    rules = live.rules
    score = score_one(
        [t // 4 for t in concealed],
        tile // 4,
        melds=[(MeldType[meld.shape.upper()], meld.kind) for meld in side.melds],
        tsumo=tsumo,
        round_wind=Kind(27 + live.kyoku // 4),
        seat_wind=Kind(27 + (side.seat - live.dealer) % 4),
        riichi=side.riichi,
        ippatsu=side.ippatsu,
        rinshan=rinshan,
        chankan=chankan,
        last_tile=live.draws_left == 0 and not rinshan and not chankan,
        first_turn=tsumo and live.first_turn(side),
        dora=_matches(tiles, shown),
        ura=_matches(tiles, live.ura() if side.riichi else ()),
        reds=sum(t in RED_IDS for t in tiles) if rules.red_fives else 0,
        rules=rules,
    )
    return score if score.has_yaku else None


def _matches(tiles: Sequence[TileId], indicators: Sequence[TileId]) -> int:
    """How often the tiles are a dora of some indicators."""
    return sum(t // 4 == dora_of(i // 4) for i in indicators for t in tiles)


def four(values: Sequence[int]) -> FourScores:
    """Four numbers as a tuple."""
    a, b, c, d = values
    return (a, b, c, d)
