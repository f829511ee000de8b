"""The rows of each record of some sources, of which the figures of an evaluation are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

from haiyomi.corpus import Corpus, Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.events import Game
from haiyomi.rows import Rows
from haiyomi.storage.resume import Progress

_GAMES_A_PIECE = 4


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
    chosen = Corpus(list(sources)).distinct().first(games)
    found, skipped = chosen.map_rows(of_game, _GAMES_A_PIECE, jobs, progress)
    return [type(blocks[0]).join(blocks) for blocks in found if blocks], skipped
