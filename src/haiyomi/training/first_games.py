"""What is made of the first so many games of some records, in the records' order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from haiyomi.corpus import Corpus, Skipped
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress

T = TypeVar("T")
GAMES_A_PIECE = 4


def first_games(
    function: Callable[[Corpus], tuple[list[T], Sequence[Skipped]]],
    sources: Sequence[Path],
    games: int,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> tuple[list[T], list[Skipped]]:
    """(what ``function`` makes of each of the first ``games`` readable games, what was left out).

    ``function`` answers for a piece of the corpus with a result for each game and what it left out.
    Raises DatasetError where a source cannot be read, and what ``map_shards`` does.
    """
    corpus = Corpus(sources).distinct()
    made: list[T] = []
    skipped = list(corpus.skipped)
    left = corpus.entries
    total, read = min(games, len(left)), 0

    def count(done: int, _: int) -> None:
        if progress:
            progress(min(read + done, total), total)

    # As many as are still wanted: of those that cannot be read the next ones take the places.
    while len(made) < games and left:
        part, left = left[: games - len(made)], left[games - len(made) :]
        wanted = Corpus.of_entries(part)
        for results, why in wanted.map_pieces(function, GAMES_A_PIECE, jobs, count):
            made += results
            skipped += why
        read += len(part)
    return made, skipped
