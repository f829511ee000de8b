"""The rows of each record of some sources, of which the figures of an evaluation are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Self, TypeAlias, TypeVar

import numpy as np

from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import rows_of
from haiyomi.events import Game
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress

_GAMES_A_PIECE = 4


class Rows:
    """n rows: a dataclass whose fields are columns, arrays with n entries each."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))  # type: ignore[arg-type]

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All rows of some, at least one."""
        names = [f.name for f in fields(cls)]  # type: ignore[arg-type]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


R = TypeVar("R", bound=Rows)
OfGame: TypeAlias = Callable[[str, Game], list[R]]
"""The rows of a game, in blocks, of its name and itself; importable by name."""


def rows_by_record(
    of_game: OfGame[R],
    sources: Sequence[Path],
    games: int | None,
    jobs: Jobs,
    progress: Progress | None,
) -> tuple[list[R], list[Skipped]]:
    """The rows of each record that has some, of at most ``games`` of each source, and the records
    left out. Raises DatasetError where a source cannot be read."""
    corpus = Corpus(list(sources)).distinct()
    chosen = corpus if games is None else corpus.first(games)
    found: list[R] = []
    skipped = list(corpus.skipped)
    pieces = chosen.map_pieces(partial(_of_piece, of_game), _GAMES_A_PIECE, jobs, progress)
    for some, left in pieces:
        found += [type(blocks[0]).join(blocks) for blocks in some if blocks]
        skipped += left
    return found, skipped


def _of_piece(of_game: OfGame[R], piece: Corpus) -> tuple[list[list[R]], tuple[Skipped, ...]]:
    return rows_of(piece, of_game)
