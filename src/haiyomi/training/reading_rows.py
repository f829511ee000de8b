"""The training rows of models of hidden hands: every decision of the corpus.

A row is one discard not forced by one's own riichi; each of its three opponents is an example
for a model of the paper. Some hundred games of records are read a second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Ints
from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import SPLIT_FIRST, Split, corpus_files
from haiyomi.corpus.walk import rows_of
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.events import Game
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.game.observation import Observations
from haiyomi.game.packed_games import decode_one, pack_games
from haiyomi.rows import GameRows
from haiyomi.storage.resume import Progress

GAMES_A_PIECE: Final = 48


@dataclass(frozen=True, slots=True, eq=False)
class ReadingRows(GameRows):
    """n decisions: ``records`` (n,) of DECISION; ``hands`` (n, 3, 34) uint8, what opponents
    1, 2, 3 truly held; ``hand`` and ``decision`` as in the rows file; ``skipped`` (record,
    reason)."""

    _WHOLE: ClassVar = ("games", "skipped")
    records: Decisions
    hands: Bytes
    hand: NDArray[np.int16]
    decision: NDArray[np.int16]
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def observations(self) -> Observations:
        """(n,) of OBSERVATION."""
        return np.ascontiguousarray(self.records["observation"])

    @property
    def turn(self) -> Ints:
        """(n,) which discard of the decider this is, from 1."""
        discards = self.records["observation"]["players"]["n"][:, 0]
        out: Ints = discards.astype(np.int64) + 1
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


def split_rows(
    corpus: Path, split: Split, jobs: Jobs, progress: Progress | None = None
) -> ReadingRows:
    """The rows of a split of a corpus folder. Raises DatasetError where it has none."""
    files = corpus_files(corpus)
    if split not in files:
        raise DatasetError(f"{corpus} has no {split} split; {SPLIT_FIRST}")
    records = Corpus(files[split])
    parts = records.map_pieces(read_rows, GAMES_A_PIECE, jobs, progress)
    rows = ReadingRows.join([_NONE, *parts])
    return replace(rows, skipped=(*records.skipped, *rows.skipped))
