"""A deal-in model for tests alone: simple numbers from public counts, with every zero reason."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.analysis.value import Part
from haiyomi.dealin.answer import (
    DealIn,
    PointsRow,
    PointsRows,
    TileRisk,
    ZeroReason,
)
from haiyomi.game.position import Position
from haiyomi.tiles import Seat, Tile


@dataclass(frozen=True)
class FakeOpponents:
    """Middle tiles are dangerous, riichi more so; what is furiten is nil."""

    position: Position
    chankan: bool = False
    name: str = "fake"
    seen: None = None

    def deal_in(self, tiles: Sequence[Tile] | None = None, waits_from: float = math.inf) -> DealIn:
        position, chankan = self.position, self.chankan
        wanted = sorted(set(position.hand)) if tiles is None else tiles
        return DealIn(
            self.name,
            (self._tenpai(position, 1), self._tenpai(position, 2), self._tenpai(position, 3)),
            {
                tile: (
                    self._risk(position, tile, 1, chankan),
                    self._risk(position, tile, 2, chankan),
                    self._risk(position, tile, 3, chankan),
                )
                for tile in wanted
            },
        )

    def _tenpai(self, position: Position, seat: int) -> float:
        player = position.players[seat]
        return (
            1.0 if player.riichi else min(0.9, 0.01 * len(player.river) + 0.2 * len(player.melds))
        )

    def _risk(self, position: Position, tile: Tile, seat: int, chankan: bool) -> TileRisk:
        player = position.players[seat]
        bit = 1 << tile.kind
        reason: ZeroReason | None = None
        if player.river_mask & bit:
            reason = "river"
        elif player.riichi_mask & bit:
            reason = "passed-riichi"
        elif player.passed_mask & bit:
            reason = "passed-turn"
        elif tile.kind >= 27 and position.unseen[tile.kind] == 0:
            reason = "no-hand"
        if reason is not None:
            return TileRisk(tile, Seat(seat), 0.0, PointsRows(), reason)
        middle = 0.3 if tile.kind >= 27 else 1 - abs(tile.kind % 9 - 4) / 6
        p = 1e-6 + 0.12 * middle * self._tenpai(position, seat) * (0.5 if chankan else 1.0)
        rows = PointsRows(
            [
                PointsRow(1, 30, 1000, p * 0.5),
                PointsRow(3, 40, 5200, p * 0.3),
                PointsRow(5, 0, 8000, p * 0.2),
            ]
        )
        return TileRisk(tile, Seat(seat), rows.probability, rows)


class FakeModel:
    """Reads positions into FakeOpponents."""

    name = "fake"

    def prepare(self) -> None:
        pass

    def read(
        self, positions: Sequence[Position], chankan: bool = False, chances_only: bool = False
    ) -> list[FakeOpponents]:
        return [FakeOpponents(position, chankan) for position in positions]


def fake_analyzer(*parts: Part) -> Analyzer:
    """Asks FakeModel for deal-in risks, alone where no parts are named."""
    return Analyzer(Models(FakeModel()), parts or ("deal_in",))
