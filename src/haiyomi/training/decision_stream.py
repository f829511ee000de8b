"""The decisions of packed games, decoded as a fit goes: shuffled, in bounded memory, and resumable.

A pass over a split is cut into *segments* of some shards, which each pass draws anew. The core
decodes a segment at once, and its decisions are shuffled. Which segment has which decisions depends
on the arguments alone, so a fit that knows the pass and the segment that it was in goes on from
there. Of several processes (ranks) each has other shards, and all have equally many segments.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes
from haiyomi.corpus.splits import Split
from haiyomi.counted import counted
from haiyomi.engines.processes import default_jobs
from haiyomi.errors import ArgumentError, DatasetError
from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_games
from haiyomi.kernels.game_rows import GameFault
from haiyomi.rows import Rows
from haiyomi.seeds import check_core_seed, generator
from haiyomi.training.batch_checks import check_epoch, check_rank, check_size
from haiyomi.training.packed_reader import (
    PackedGames,
    PackedShard,
    digest_of,
    read_shard,
    shards_of,
)


@dataclass(frozen=True, slots=True, eq=False)
class Segment(Rows):
    """n decisions: ``records`` of DECISION and ``labels`` of LABELS, whose ``game`` is an index
    into ``part``'s games; ``parts`` the shards' games, ``part`` (n,) an index into those."""

    _WHOLE: ClassVar = ("parts",)
    records: Decisions
    labels: Labels
    parts: tuple[PackedGames, ...]
    part: Bytes

    def of_game(self, fact: str) -> NDArray[np.generic]:
        """(n, ...) a fact of each decision's game: ``game``, ``players``, ``dan``, ``level``,
        ``table``, ``year`` or ``rounds``."""
        starts = np.cumsum([0, *map(len, self.parts)])
        every = np.concatenate([getattr(part, fact) for part in self.parts])
        out: NDArray[np.generic] = every[starts[self.part] + self.labels["game"]]
        return out

    @property
    def player(self) -> NDArray[np.str_]:
        """(n,) the name of who decides."""
        out: NDArray[np.str_] = self.of_game("players")[np.arange(len(self)), self.labels["seat"]]
        return out


@dataclass(frozen=True, slots=True)
class DecisionStream:
    """The decisions of a split of packed games.

    A ``share`` of the decisions is drawn by a hash of seed, game and place, the same in every
    pass; it never depends on how a hand went on. ``discards``: every discard that no own riichi
    forces, instead of every choice. ``shards`` a segment: 256 games have about 105,000 decisions of
    1,031 bytes. ``rank`` (0 to ``ranks`` - 1) selects this process's shards. Raises DatasetError
    where there is nothing or a process would have nothing, ArgumentError for other numbers out of
    range.
    """

    packed: Path | str
    split: Split = "train"
    seed: int = 0
    share: float = 1.0
    discards: bool = False
    shards: int = 1
    rank: int = 0
    ranks: int = 1
    _all: tuple[PackedShard, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_core_seed(self.seed)
        if not 0 < self.share <= 1:
            raise ArgumentError(f"share {self.share}: expected a number above 0, at most 1")
        object.__setattr__(self, "_all", shards_of(Path(self.packed), self.split))
        check_rank(self.rank, self.ranks)
        if self.shards < 1:
            raise ArgumentError(f"shards is {self.shards}: expected 1 or more")
        if self.ranks > len(self._all):
            raise DatasetError(
                f"{self.packed}: the {self.split} split has {counted(len(self._all), 'shard')}, "
                f"which is too few for {self.ranks} processes"
            )

    @property
    def digest(self) -> str:
        """A hash of the games."""
        return digest_of(self._all)

    @property
    def segments(self) -> int:
        """Segments of a pass, for each rank; the last may be smaller."""
        return -(-(len(self._all) // self.ranks) // self.shards)

    def segment(self, epoch: int, index: int) -> Segment:
        """Segment ``index`` of a pass, game by game; the same for the same arguments.

        ``epoch`` from 0 selects the shuffle. Raises DatasetError where a file is damaged,
        ArgumentError for an epoch below 0.
        """
        check_epoch(epoch)
        order = generator(self.seed, "shards", epoch).permutation(len(self._all))
        mine = order[self.rank :: self.ranks][: len(self._all) // self.ranks]
        chosen = mine[index * self.shards : (index + 1) * self.shards]
        if not len(chosen):
            raise IndexError(f"segment {index} of {self.segments}")
        with ThreadPoolExecutor(default_jobs()) as pool:
            parts = list(pool.map(self._decoded, [self._all[i] for i in chosen.tolist()]))
        counts = [len(records) for _, records, _ in parts]
        return Segment(
            _joined([records for _, records, _ in parts]),
            _joined([labels for _, _, labels in parts]),
            tuple(games for games, _, _ in parts),
            np.repeat(np.arange(len(parts), dtype=np.uint8), counts),
        )

    def batches(self, size: int, epoch: int = 0, batch: int = 0) -> Iterator[Segment]:
        """The batches of one pass from number ``batch`` on: ``size`` decisions each, the last of a
        segment what is left. The next segment is decoded meanwhile, in a thread.

        ``epoch`` from 0 selects the shuffle. To find its place the stream decodes the segments
        before ``batch``. Raises ArgumentError for a size below 1 and an epoch below 0.
        """
        check_size(size)
        with ThreadPoolExecutor(1) as pool:
            loading = pool.submit(self.segment, epoch, 0)
            for index in range(self.segments):
                now = loading.result()
                if index + 1 < self.segments:
                    loading = pool.submit(self.segment, epoch, index + 1)
                shuffled = generator(self.seed, "rows", epoch, self.rank, index).permutation(
                    len(now)
                )
                number = -(-len(now) // size)
                for at in range(min(batch, number), number):
                    yield now.take(shuffled[at * size : (at + 1) * size])
                batch = max(batch - number, 0)

    def _decoded(self, shard: PackedShard) -> tuple[PackedGames, Decisions, Labels]:
        games = read_shard(shard)
        try:
            return games, *decode_games(games.words, self.discards, self.share, self.seed)
        except GameFault as fault:
            raise DatasetError(
                f"{shard.file}: game {games.game[fault.game]}: {fault.error}"
            ) from None
        except ValueError as error:
            raise DatasetError(f"{shard.file}: damaged ({error})") from None


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
