"""What is made of the first so many games of some records, in shards and in the records' order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from haiyomi.shards import Jobs, map_shards
from haiyomi.storage.resume import Progress
from haiyomi.training.entries import REPEATED, entries_of, first_of_each_name

T = TypeVar("T")
Skipped: TypeAlias = tuple[str, str]
"""A record that was left out, and why."""
GAMES_A_BATCH = 4


@dataclass(frozen=True, slots=True)
class GameBatch:
    """One shard: some entries of a file, zip or folder."""

    source: str
    entries: tuple[str, ...]


def first_games(
    function: Callable[[GameBatch], tuple[list[T], Sequence[Skipped]]],
    sources: Sequence[Path],
    games: int,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> tuple[list[T], list[Skipped]]:
    """(what ``function`` makes of each of the first ``games`` readable games, what was left out).

    ``function`` answers for a batch with a result for each game and (record, reason) of those that
    it left out. Raises DatasetError where a source cannot be read, and what ``map_shards`` does.
    """
    made: list[T] = []
    skipped: list[Skipped] = []
    left: list[tuple[str, str]] = []
    seen: set[str] = set()
    for source in sources:
        entries, repeated = first_of_each_name(entries_of(source), seen, source)
        left += [(str(source), entry) for entry in entries]
        skipped += [(entry, REPEATED) for entry in repeated]
    total = min(games, len(left))
    # As many as are still wanted: of those that cannot be read the next ones take the places.
    while len(made) < games and left:
        wanted = games - len(made)
        batches = _batches(left[:wanted])
        left = left[wanted:]
        found: dict[int, tuple[list[T], Sequence[Skipped]]] = {}
        done = len(made)
        for index, answer in map_shards(function, batches, jobs):
            found[index] = answer
            done += len(answer[0])
            if progress:
                progress(done, total)
        for _, (results, why) in sorted(found.items()):
            made += results
            skipped += why
    return made, skipped


def _batches(entries: Sequence[tuple[str, str]]) -> list[GameBatch]:
    out: list[GameBatch] = []
    for source, entry in entries:
        if out and out[-1].source == source and len(out[-1].entries) < GAMES_A_BATCH:
            out[-1] = GameBatch(source, (*out[-1].entries, entry))
        else:
            out.append(GameBatch(source, (entry,)))
    return out
