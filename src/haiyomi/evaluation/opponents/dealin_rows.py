"""Rows of a deal-in model's predictions at every decision of some records.

``tile`` rows: every discard not forced by one's own riichi, each opponent, each distinct kind in
the hand. ``tenpai`` rows: each such decision and opponent not in riichi. ``node`` rows: each
discard, what was predicted for the tile really discarded and whether somebody won on it (the
paper's Table 2). ``dealin`` rows: each ron on a discard, with the han predicted given that this
opponent rons this tile (Table 3).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats
from haiyomi.dealin.grid import GridModel, GridOpponents
from haiyomi.dealin.payment import points_grid, red_grid
from haiyomi.events import Game
from haiyomi.game.bonus_han import bonus_han
from haiyomi.game.labelled import LabelledDiscard, labelled
from haiyomi.game.truth import DiscardTruths
from haiyomi.reading.opponent_class import class_of_player
from haiyomi.tiles import Kind, Seat

BLOCK: Final = 96
"""Decisions that the model is asked about together, a third of the work of asking about each: more
opponents have the same number of tiles and the same melds, and are summed side by side."""


TILE_COLUMNS = {
    "hand": np.int16, "decision": np.int16, "seat": np.int8, "opponent": np.int8,
    "tile": np.int8, "probability": np.float64, "label": np.bool_, "points": np.float32,
    "cls": np.int8, "threat": np.bool_,
}  # fmt: skip
TENPAI_COLUMNS = {
    "hand": np.int16, "decision": np.int16, "seat": np.int8, "opponent": np.int8,
    "probability": np.float64, "label": np.bool_, "cls": np.int8, "threat": np.bool_,
}  # fmt: skip
NODE_COLUMNS = {
    "hand": np.int16, "decision": np.int16, "seat": np.int8, "own": np.int8,
    "probability": np.float64, "any": np.float64, "label": np.bool_, "threat": np.bool_,
    "forced": np.bool_,
}  # fmt: skip
DEALIN_COLUMNS = {
    "hand": np.int16, "decision": np.int16, "seat": np.int8, "opponent": np.int8,
    "cls": np.int8, "probability": np.float64, "predicted_class": np.int8, "han": np.int8,
    "bonus": np.int8, "fu": np.int8, "points": np.float32, "mean_points": np.float32,
    "p1": np.float32, "p2": np.float32, "p3": np.float32, "p4": np.float32,
}  # fmt: skip
TABLES: dict[str, dict[str, Any]] = {
    "tile": TILE_COLUMNS,
    "tenpai": TENPAI_COLUMNS,
    "node": NODE_COLUMNS,
    "dealin": DEALIN_COLUMNS,
}


@dataclass(frozen=True, slots=True)
class DealinRows:
    """Numpy columns of the four tables, with ``game`` codes into ``games``."""

    games: tuple[str, ...]
    tables: dict[str, dict[str, NDArray[Any]]]

    @staticmethod
    def concat(parts: Iterable[DealinRows]) -> DealinRows:
        """All rows of some parts, games renumbered."""
        games: list[str] = []
        collected: dict[str, dict[str, list[NDArray[Any]]]] = {
            t: {c: [] for c in ("game", *columns)} for t, columns in TABLES.items()
        }
        for part in parts:
            offset = len(games)
            games += part.games
            for table, columns in part.tables.items():
                for name, values in columns.items():
                    shifted = values + offset if name == "game" else values
                    collected[table][name].append(shifted)
        tables = {
            t: {
                c: np.concatenate(v)
                if v
                else np.zeros(0, np.int32 if c == "game" else TABLES[t][c])
                for c, v in columns.items()
            }
            for t, columns in collected.items()
        }
        return DealinRows(tuple(games), tables)


def game_rows(
    model: GridModel,
    name: str,
    game: Game,
    wanted: Iterable[str] = tuple(TABLES),
    nodes_at: int | None = None,
    base_han: bool = False,
) -> DealinRows:
    """The rows of one game. ``wanted`` names the tables; ``nodes_at``: ask only at decisions
    whose own discard is that one (10 for the tenth) and at those that dealt in. The column
    ``points`` is filled where ``wanted`` has that name, too; else it is nan. ``base_han``: the
    model's han leave out red fives, so that a red five discarded brings none. The column ``bonus``
    is the han of ura dora, ippatsu and red fives in the ron (-1 where the record names no yaku).

    Raises RecordError if the record does not replay.
    """
    collector = _Collector(game, set(wanted), nodes_at, base_han)
    every = labelled(game, _ronned if set(wanted) == {"dealin"} else None)
    asked = filter(collector.asks, every)
    while block := list(islice(asked, BLOCK)):
        few_points = "points" not in collector.wanted
        found = model.read([one.position for one in block], chances_only=few_points)
        for discard, opponents in zip(block, found, strict=True):
            collector.add(discard, opponents)
    tables = {}
    for table, columns in TABLES.items():
        if table == "tile":
            tables[table] = collector.tiles()
            continue
        raw = collector.rows[table]
        made: dict[str, NDArray[Any]] = {"game": np.zeros(len(raw), dtype=np.int32)}
        for i, (column, kind) in enumerate(columns.items()):
            made[column] = np.array([row[i] for row in raw], dtype=kind)
        tables[table] = made
    return DealinRows((name,), tables)


def _ronned(labels: DiscardTruths) -> Bools:
    out: Bools = labels.ronned != 0
    return out


class _Collector:
    def __init__(self, game: Game, wanted: set[str], nodes_at: int | None, base_han: bool) -> None:
        self.game = game
        self.base_han = base_han
        self.wanted = wanted
        self.nodes_at = nodes_at
        self.rows: dict[str, list[tuple[Any, ...]]] = {t: [] for t in TABLES}
        # Of each discard and opponent that ``tile`` has rows of: what all of them share, and the
        # rows' own columns.
        self.shared: list[tuple[int, ...]] = []
        self.kinds: list[list[Kind]] = []
        self.chances: list[Floats] = []
        self.points: list[Floats] = []

    def asks(self, one: LabelledDiscard) -> bool:
        """Whether some row needs the model's answer at this discard."""
        own = len(one.position.players[0].river) + 1
        return self.nodes_at in (None, own) or bool(one.labels.ronned[one.decision])

    def add(self, one: LabelledDiscard, found: GridOpponents) -> None:
        """The rows of one discard and the model's answer."""
        number, i, _, event, position, columns, _ = one
        forced, ronned = one.forced, int(columns.ronned[i])
        own = len(position.players[0].river) + 1
        seat = event.seat
        threat = position.threat
        kinds = sorted({t.kind for t in position.hand})
        here = kinds.index(event.tile.kind)
        with_points = "points" in self.wanted
        # Points are costly: of all tiles where they are wanted, else of one that dealt in.
        priced = kinds if with_points else kinds[here : here + 1]
        cells = found.ron_cells(priced) if with_points or ronned else None
        chances = found.chances()[:, kinds]
        if with_points and cells is not None:
            chances = cells.sum(axis=(2, 3))
        total, none_wins = 0.0, 1.0
        for r in (1, 2, 3):
            opponent = (seat + r) % 4
            cls = class_of_player(position.players[r])
            p, tenpai = chances[r - 1], float(found.tenpai[r - 1])
            total += float(p[here])
            none_wins *= 1.0 - float(p[here])
            if not forced and "tile" in self.wanted:
                mask = int(columns.ron[i, opponent])
                self.shared.append((number, i, seat, opponent, mask, cls, threat))
                self.kinds.append(kinds)
                self.chances.append(p)
                if with_points and cells is not None:
                    points = points_grid(position.dealer == r, position.honba)
                    loss = cells[r - 1].reshape(len(kinds), -1) @ points.reshape(-1)
                    self.points.append(np.divide(loss, p, out=np.zeros(len(kinds)), where=p > 0))
            if not forced and cls != 0 and "tenpai" in self.wanted:
                self.rows["tenpai"].append(
                    (
                        number, i, seat, opponent, tenpai,
                        columns.tenpai[i, opponent], cls, threat,
                    )
                )  # fmt: skip
            if cells is not None and ronned >> opponent & 1 and "dealin" in self.wanted:
                self._deal_in(one, r, cls, cells[r - 1, priced.index(event.tile.kind)])
        if "node" in self.wanted and (self.nodes_at is None or own == self.nodes_at):
            self.rows["node"].append(
                (number, i, seat, own, total, 1.0 - none_wins, ronned != 0, threat, forced)
            )

    def tiles(self) -> dict[str, NDArray[Any]]:
        """The table ``tile``."""
        tile = np.array(list(chain.from_iterable(self.kinds)), dtype=np.int64)
        shared = np.array(self.shared, dtype=np.int64).reshape(-1, 7)
        each = np.repeat(shared, [len(kinds) for kinds in self.kinds], axis=0)
        hand, decision, seat, opponent, mask, cls, threat = each.T
        points = np.concatenate([*self.points, []])
        found = {
            "hand": hand, "decision": decision, "seat": seat, "opponent": opponent, "tile": tile,
            "probability": np.concatenate([*self.chances, []]), "label": mask >> tile & 1,
            "points": points if len(points) else np.full(len(tile), np.nan),
            "cls": cls, "threat": threat,
        }  # fmt: skip
        typed = {column: found[column].astype(kind) for column, kind in TILE_COLUMNS.items()}
        return {"game": np.zeros(len(tile), dtype=np.int32), **typed}

    def _deal_in(self, one: LabelledDiscard, r: int, cls: int, grid: Floats) -> None:
        number, i, index, event, position, columns, _ = one
        opponent = Seat((event.seat + r) % 4)
        if event.tile.red and not self.base_han:
            grid = red_grid(grid)
        p = float(grid.sum())
        han = grid.sum(axis=1) / p if p > 0 else np.zeros(14)
        classes = (han[1], han[2], han[3], han[4:].sum())
        points = points_grid(position.dealer == r, 0)
        self.rows["dealin"].append(
            (
                number, i, event.seat, opponent, cls, p, 1 + int(np.argmax(classes)),
                columns.han[i, opponent], bonus_han(self.game.hands[number], index, opponent),
                columns.fu[i, opponent], columns.points[i, opponent],
                float((grid * points).sum() / p) if p > 0 else 0.0, *map(float, classes),
            )
        )  # fmt: skip
