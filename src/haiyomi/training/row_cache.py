"""A cache of what a fit learns from: the rows of every record of a corpus, shard by shard.

::

    CACHE/plan.json                      which records, with hashes (written first)
    CACHE/<split>/<shard>.npz            one shard's arrays, written whole or not at all

A killed run resumes with the shards that are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.errors import DatasetError
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress, Task, finish
from haiyomi.storage.whole_file import whole_file
from haiyomi.training.entries import entries_of, source_hash
from haiyomi.training.splits import SPLITS, corpus_files

GAMES_A_SHARD = 48
Arrays = Mapping[str, NDArray[Any]]
ArraysOf = Callable[[Path, Sequence[str]], Arrays]
"""The arrays of some entries of a source; found by its name in other processes."""
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Work:
    arrays_of: ArraysOf
    source: str
    entries: tuple[str, ...]
    out: str


def write_shard(work: _Work) -> None:
    """Write one shard unless it is there already (idempotent)."""
    out = Path(work.out)
    if out.exists():
        return
    arrays = work.arrays_of(Path(work.source), work.entries)
    out.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(out) as part, part.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def build_cache(
    corpus: Path,
    cache: Path,
    layout: Mapping[str, int],
    arrays_of: ArraysOf,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> None:
    """Build or finish the cache of a corpus folder, whose plan begins with ``layout``: a cache
    laid out otherwise, or of other records, is another's. Raises DatasetError."""
    files = corpus_files(corpus)
    if not files:
        raise DatasetError(f"{corpus} has no train, valid and test zips")
    tasks: list[Task[_Work]] = []
    shards: list[list[Any]] = []
    sources: dict[str, str] = {}
    for split in SPLITS:
        number = 0
        for source in files.get(split, []):
            names = entries_of(source)
            sources[f"{split}/{source.name}"] = source_hash(source, names)
            for start in range(0, len(names), GAMES_A_SHARD):
                entries = tuple(names[start : start + GAMES_A_SHARD])
                shard = f"{split}/{number:05d}.npz"
                shards.append([shard, source.name, list(entries)])
                made = cache / shard
                work = _Work(arrays_of, str(source), entries, str(made))
                tasks.append(Task(work, made, len(entries)))
                number += 1
    plan = {**layout, "haiyomi": haiyomi.__version__, "sources": sources, "shards": shards}
    finish(cache, plan, tasks, write_shard, jobs, progress, "a cache of rows")


def load_cache(
    cache: Path, split: str, rows_of: Callable[[Arrays], R], shards: int | None = None
) -> list[R]:
    """The rows of each shard of a split in order; only the first ``shards``. Raises
    DatasetError if there are none, or one cannot be read."""
    parts: list[R] = []
    for path in sorted((cache / split).glob("*.npz"))[:shards]:
        try:
            with np.load(path, allow_pickle=False) as data:
                parts.append(rows_of(data))
        except (OSError, ValueError, KeyError) as error:
            raise DatasetError(f"{path}: {error}") from None
    if not parts:
        raise DatasetError(f"{cache} holds no rows of the {split} split")
    return parts
