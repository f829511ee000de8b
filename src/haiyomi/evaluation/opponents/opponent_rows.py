"""Rows of a model of opponents at a drawn share of the decisions of packed games.

A *tile row* is a discard that no own riichi forces, an opponent and a kind of the hand; a *discard
row* is the tile that was discarded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes, Floats, Ints
from haiyomi.corpus.splits import Split
from haiyomi.dealin.models import load_model
from haiyomi.dealin.network_model import NetworkModel, Rons
from haiyomi.dealin.payment import points_grid, red_grid
from haiyomi.dealin.posterior_opponents import samples_for
from haiyomi.engines.shards import Jobs, map_in_order
from haiyomi.errors import DatasetError, ModelError
from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions, as_bytes, without_tedashi
from haiyomi.game.observation import Observations
from haiyomi.game.packed_games import decode_games
from haiyomi.kernels.posterior import Shown, ron_cells
from haiyomi.kernels.waits import KIND_BITS
from haiyomi.reading.opponent_class import class_of
from haiyomi.rows import Rows
from haiyomi.rules import TENHOU
from haiyomi.storage.resume import Progress
from haiyomi.tiles import dora_of
from haiyomi.training.packed_reader import PackedGames, PackedShard, read_shard, shards_of

SEED: Final = 20261123
BLOCK: Final = 48
WORTH_ASKING: Final = 0.015
"""The risk below which no discard can lose 800 points on average, so that its points are not
computed."""


def model_of_opponents(name: str) -> NetworkModel:
    """The model of a network's name or file. Raises ModelError."""
    model = load_model(name)
    if not isinstance(model, NetworkModel):
        raise ModelError(f"{name} is no network of opponents, and packed games are asked of one")
    return model


@dataclass(frozen=True, slots=True, eq=False)
class TileRows(Rows):
    """``game`` codes; ``cls`` of the opponent; ``threat`` of the decision; ``p`` and ``label``;
    ``live``: not forbidden by furiten; ``dora``; ``honour``; ``left`` draws of the wall;
    ``riichis`` of opponents; ``level`` and ``year`` of the game."""

    game: Ints
    cls: Ints
    threat: Bools
    p: Floats
    label: Bools
    live: Bools
    dora: Bools
    honour: Bools
    left: Bytes
    riichis: Ints
    level: NDArray[np.str_]
    year: NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class TenpaiRows(Rows):
    """Of opponents not in riichi: ``game``, ``cls``, ``p`` and ``label``."""

    game: Ints
    cls: Ints
    p: Floats
    label: Bools


@dataclass(frozen=True, slots=True, eq=False)
class DiscardRows(Rows):
    """Of tiles discarded: ``game``, and points lost as ``predicted`` and as ``observed``, without
    honba."""

    game: Ints
    predicted: Floats
    observed: Floats


@dataclass(frozen=True, slots=True, eq=False)
class OpponentRows:
    """All rows of ``games`` games, of so many ``decisions``."""

    games: int
    decisions: int
    tile: TileRows
    tenpai: TenpaiRows
    discard: DiscardRows


_Rows: TypeAlias = tuple[int, TileRows, TenpaiRows, DiscardRows]
"""Of some decisions: their number, and the rows of each kind."""


def opponent_rows(
    packed: Path,
    split: Split,
    fraction: float,
    model: NetworkModel,
    forget: bool = False,
    progress: Progress | None = None,
    jobs: Jobs = 1,
) -> OpponentRows:
    """The rows of a share of the decisions of a split; ``forget``: the seats do not remember which
    discards were tedashi. Raises DatasetError."""
    shards = shards_of(packed, split)
    firsts = accumulate((shard.games for shard in shards), initial=0)
    ask = partial(shard_rows, fraction=fraction, model=model, forget=forget)
    parts = map_in_order(ask, list(zip(shards, firsts, strict=False)), jobs, progress)
    rows = [block for part in parts for block in part]
    if not rows:
        raise DatasetError("no decision was drawn: raise --share")
    return OpponentRows(
        sum(shard.games for shard in shards),
        sum(decisions for decisions, *_ in rows),
        TileRows.join([tiles for _, tiles, _, _ in rows]),
        TenpaiRows.join([tenpai for *_, tenpai, _ in rows]),
        DiscardRows.join([discards for *_, discards in rows]),
    )


def shard_rows(
    work: tuple[PackedShard, int], fraction: float, model: NetworkModel, forget: bool
) -> list[_Rows]:
    """The rows of one shard, of which the first game has a number, block by block."""
    shard, first = work
    part = read_shard(shard)
    records, labels = decode_games(part.words, True, fraction, SEED)
    found: list[_Rows] = []
    for at in range(0, len(records), BLOCK):
        block = slice(at, at + BLOCK)
        seen = without_tedashi(records[block]) if forget else records[block]
        answers = model.rons(model.network.read(seen), TENHOU)
        rows = _Block(seen, labels[block], part, first, answers)
        found.append((len(seen), rows.tiles(), rows.tenpai(), rows.discards()))
    return found


class _Block:
    """The rows of some records and a model's answers."""

    def __init__(
        self, records: Decisions, labels: Labels, games: PackedGames, first: int, found: Rons
    ) -> None:
        self.records, self.labels, self.games, self.found = records, labels, games, found
        n = len(records)
        self.observations: Observations = np.repeat(np.ascontiguousarray(records["observation"]), 3)
        self.opponent = np.tile(np.array([1, 2, 3]), n)
        self.cls = class_of(self.observations, self.opponent)
        self.in_game = np.repeat(labels["game"].astype(np.int64), 3)
        self.game = self.in_game + first
        self.hidden = labels["opponents"].reshape(-1)
        shown = Shown(as_bytes(self.observations), self.opponent.astype(np.uint8), TENHOU)
        furiten, _ = shown.masks()
        self.live = (furiten[:, None] & KIND_BITS) == 0

    def tiles(self) -> TileRows:
        """The tile rows."""
        held = np.repeat(self.records["hand"] > 0, 3, axis=0)
        row, kind = np.nonzero(held)
        riichi = (self.observations["players"]["riichi"][:, 1:] >= 0).sum(axis=1)
        threat = np.repeat((self.cls.reshape(-1, 3) < 4).any(axis=1), 3)
        dora = np.zeros((len(self.cls), 34), np.bool_)
        for i, shown in enumerate(self.observations["indicators"].tolist()):
            dora[i, [dora_of(k) for k in shown if k < 34]] = True
        label = (self.hidden["ron"][:, None] & KIND_BITS) != 0
        level = self.games.level[self.in_game]
        east = self.games.rounds[self.in_game] == 1
        level = np.where(east, np.char.add(level, " East-only"), level)
        return TileRows(
            self.game[row], self.cls[row], threat[row], self.found.ron[row, kind],
            label[row, kind], self.live[row, kind], dora[row, kind], kind >= 27,
            self.observations["draws_left"][row], riichi[row], level[row],
            self.games.year[self.in_game][row],
        )  # fmt: skip

    def tenpai(self) -> TenpaiRows:
        """The tenpai rows."""
        some = self.cls != 0
        return TenpaiRows(
            self.game[some],
            self.cls[some],
            self.found.tenpai[some],
            self.hidden["waits"][some] != 0,
        )

    def discards(self) -> DiscardRows:
        """The discard rows."""
        kind = self.labels["choice"]["discard"].astype(np.int64)
        out = np.flatnonzero(kind < 34)
        predicted = np.zeros(len(out))
        for place, n in enumerate(out.tolist()):
            for i in range(3 * n, 3 * n + 3):
                p = float(self.found.ron[i, kind[n]])
                if p > WORTH_ASKING:
                    predicted[place] += p * self._mean_points(i, int(kind[n]), p)
        won = self.labels["ronned"][:, None] >> np.array([1, 2, 3]) & 1
        lost = (self.labels["opponents"]["points"] * won).sum(axis=1)
        return DiscardRows(self.game[3 * out], predicted, lost[out].astype(np.float64))

    def _mean_points(self, i: int, kind: int, p: float) -> float:
        """Of a ron of one of the opponents on the tile discarded."""
        observation, seat = self.observations[i : i + 1], self.opponent[i : i + 1]
        shown = Shown(as_bytes(observation), seat.astype(np.uint8), TENHOU)
        posterior, chance = self.found.rows[i].posterior, np.array([[p]])
        found = ron_cells([posterior], shown, [kind], samples_for(chance), np.ones((1, 1)))
        cells = found.cells[0, 0]
        if self.labels["code"][i // 3] >= 34:
            cells = red_grid(cells)
        grid = points_grid(bool(observation["dealer"] == seat), 0)
        return float((cells * grid).sum() / cells.sum())
