"""The training rows of models of hidden hands: every decision of the corpus.

A row is one discard not forced by one's own riichi; each of its three opponents is an example
for a model of the paper. Rows are cached by ``training.row_cache``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus
from haiyomi.corpus.walk import rows_of
from haiyomi.events import Game
from haiyomi.game.decision_record import DECISION, Decisions, as_bytes
from haiyomi.game.observation import Observations
from haiyomi.game.packed_games import decode_one, pack_games
from haiyomi.rows import GameRows
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.training.row_cache import Arrays, build_cache, load_cache

FORMAT = 2


@dataclass(frozen=True, slots=True, eq=False)
class ReadingRows(GameRows):
    """n decisions: ``records`` (n,) of DECISION; ``hands`` (n, 3, 34) uint8, what opponents
    1, 2, 3 truly held; ``hand`` and ``decision`` as in the rows file; ``skipped`` (record,
    reason)."""

    _WHOLE: ClassVar = ("games", "skipped")
    records: Decisions
    hands: NDArray[np.uint8]
    hand: NDArray[np.int16]
    decision: NDArray[np.int16]
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def observations(self) -> Observations:
        """(n,) of OBSERVATION."""
        return np.ascontiguousarray(self.records["observation"])

    @property
    def turn(self) -> NDArray[np.int64]:
        """(n,) which discard of the decider this is, from 1."""
        discards = self.records["observation"]["players"]["n"][:, 0]
        out: NDArray[np.int64] = discards.astype(np.int64) + 1
        return out


_NONE: Final = ReadingRows(
    (), np.zeros(0, np.int32), np.zeros(0, DECISION), np.zeros((0, 3, 34), np.uint8),
    np.zeros(0, np.int16), np.zeros(0, np.int16),
)  # fmt: skip


def game_rows(name: str, game: Game) -> ReadingRows:
    """The rows of one game, of absent seats too. Raises RecordError if it does not replay."""
    words = pack_games([(name, game)])
    records, labels = decode_one(replace(words, changes=words.changes[:0]), discards=True)
    return ReadingRows(
        (name,),
        np.zeros(len(records), np.int32),
        records,
        labels["opponents"]["concealed"].copy(),
        labels["hand"].astype(np.int16),
        labels["discards"].astype(np.int16),
    )


def read_rows(piece: Corpus) -> ReadingRows:
    """The rows of a piece of a corpus; records that do not replay are listed."""
    parts, skipped = rows_of(piece, game_rows)
    return replace(ReadingRows.join([_NONE, *parts]), skipped=skipped)


def _arrays(piece: Corpus) -> Arrays:
    rows = read_rows(piece)
    return {
        "games": np.array(rows.games, dtype=np.str_),
        "records": as_bytes(rows.records),
        "hands": rows.hands,
        "game": rows.game,
        "hand": rows.hand,
        "decision": rows.decision,
        "skipped": np.array(rows.skipped, dtype=np.str_).reshape(-1, 2),
    }


def _rows(data: Arrays) -> ReadingRows:
    return ReadingRows(
        tuple(data["games"].tolist()),
        data["game"],
        data["records"].view(DECISION).reshape(-1),
        data["hands"],
        data["hand"],
        data["decision"],
        tuple((a, b) for a, b in data["skipped"].tolist()),
    )


def build_rows(corpus: Path, cache: Path, jobs: Jobs, progress: Progress | None = None) -> None:
    """Build or finish the cache of a corpus folder. Raises DatasetError."""
    layout = {"format": FORMAT, "record": DECISION.itemsize}
    build_cache(corpus, cache, layout, _arrays, jobs, progress)


def load_rows(cache: Path, split: str) -> ReadingRows:
    """A split's rows, in shard order. Raises DatasetError."""
    return ReadingRows.join([_NONE, *load_cache(cache, split, _rows)])
