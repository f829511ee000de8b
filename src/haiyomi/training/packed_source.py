"""Packed games as the source of a training run: records, labels, and who has a style vector."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.arrays import Ints, Singles
from haiyomi.corpus.splits import Split
from haiyomi.seeds import generator
from haiyomi.training.batches import TrainingRows
from haiyomi.training.decision_stream import DecisionStream, Segment
from haiyomi.training.packed_reader import read_shard, shards_of

VECTOR_GAMES: Final = 50
"""With so many games in train a player has a style vector in the shipped policy's fit."""


@dataclass(frozen=True, slots=True)
class Players:
    """The names with a style vector, sorted, and the games of each in the train split."""

    names: tuple[str, ...] = ()
    games: tuple[int, ...] = ()
    _place: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_place", {name: i for i, name in enumerate(self.names, 1)})

    @classmethod
    def of(cls, packed: Path, least: int) -> Players:
        """Those with at least so many games. Raises DatasetError where a file is damaged."""
        found: Counter[str] = Counter()
        for shard in shards_of(packed, "train"):
            found.update(read_shard(shard).players.reshape(-1).tolist())
        chosen = sorted((name, n) for name, n in found.items() if name and n >= least)
        return cls(tuple(name for name, _ in chosen), tuple(n for _, n in chosen))

    def rows(self, rows_a_game: float) -> Singles:
        """(names + 1,) rows of each in a pass, where a seat has so many a game; 0 for all others,
        who come first."""
        return np.array([0, *self.games], np.float32) * np.float32(rows_a_game)

    def codes(self, segment: Segment) -> Ints:
        """(n,) who decides: 1 plus the place among the names, 0 for all others."""
        names = np.concatenate([part.players for part in segment.parts])
        table = np.array(
            [[self._place.get(n, 0) for n in four] for four in names.tolist()], np.int64
        )
        starts = np.cumsum([0, *map(len, segment.parts)])
        out: Ints = table[starts[segment.part] + segment.labels["game"], segment.labels["seat"]]
        return out


def games_by_table(packed: Path, split: Split) -> dict[str, dict[str, int]]:
    """How many games of a split are of each kind of table and year (0 where unknown)."""
    found: dict[str, Counter[str]] = {}
    for shard in shards_of(packed, split):
        games = read_shard(shard)
        for table, year in zip(games.table.tolist(), games.year.tolist(), strict=True):
            found.setdefault(table, Counter())[str(year)] += 1
    return {table: dict(sorted(years.items())) for table, years in sorted(found.items())}


@dataclass(frozen=True, slots=True)
class PackedSource:
    """The decisions of a stream, in its segments."""

    stream: DecisionStream
    players: Players

    @property
    def digest(self) -> str:
        """A hash of the games and of what is drawn of them."""
        s = self.stream
        return f"{s.digest} {s.seed} {s.share} {s.discards} {s.shards} {len(self.players.names)}"

    @property
    def segments(self) -> int:
        """Segments of a pass."""
        return self.stream.segments

    def segment(self, epoch: int, index: int) -> TrainingRows:
        """One segment of a pass."""
        found = self.stream.segment(epoch, index)
        return TrainingRows(found.records, found.labels, self.players.codes(found))


def valid_rows(packed: Path, discards: bool, most: int, seed: int) -> TrainingRows:
    """So many decisions of the valid split, drawn by the seed: an equal share of each segment."""
    stream = DecisionStream(packed, "valid", seed, discards=discards)
    share = -(-most // stream.segments)
    parts = []
    for index in range(stream.segments):
        rows = PackedSource(stream, Players()).segment(0, index)
        order = generator(seed, "some", "valid", index).permutation(len(rows))
        parts.append(rows.take(np.sort(order[:share])))
    return TrainingRows.join(parts)
