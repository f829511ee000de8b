"""A cache of training rows: those of every record of a corpus, in shards.

::

    CACHE/plan.json                                 which records, with hashes (written first)
    CACHE/<split>/<shard>/rows.npz and shard.json   one shard's arrays, and a seal over them

A killed run resumes with the shards that are missing or damaged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import SPLIT_FIRST, SPLITS, corpus_files
from haiyomi.errors import DatasetError
from haiyomi.shards import Jobs
from haiyomi.storage.resume import PLAN, PlannedFolder, Progress, Task
from haiyomi.storage.seal import check_seal, is_sound, write_seal
from haiyomi.storage.whole_file import whole_folder

GAMES_A_SHARD = 48
ROWS = "rows.npz"
SEAL = "shard.json"
Arrays = Mapping[str, NDArray[Any]]
ArraysOf = Callable[[Corpus], Arrays]
"""The arrays of a piece of a corpus; found by its name in other processes."""
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Work:
    arrays_of: ArraysOf
    piece: Corpus
    out: str


def write_shard(work: _Work) -> None:
    """Write one shard unless it is there already (idempotent)."""
    out = Path(work.out)
    if is_sound(out / SEAL):
        return
    arrays = work.arrays_of(work.piece)
    with whole_folder(out) as part:
        np.savez_compressed(part / ROWS, allow_pickle=False, **arrays)
        write_seal(part / SEAL, [part / ROWS], {})


def build_cache(
    corpus: Path,
    cache: Path,
    layout: Mapping[str, int],
    arrays_of: ArraysOf,
    jobs: Jobs,
    progress: Progress | None = None,
) -> None:
    """Build or finish the cache of a corpus folder, whose plan begins with ``layout``: a cache
    laid out otherwise, or of other records, is another's. Raises DatasetError."""
    files = corpus_files(corpus)
    if not files:
        raise DatasetError(f"{corpus} has no train, valid and test zips; {SPLIT_FIRST}")
    tasks: list[Task[_Work]] = []
    shards: list[list[Any]] = []
    sources: dict[str, str] = {}
    for split in SPLITS:
        number = 0
        for source in files.get(split, []):
            records = Corpus(source)
            sources[f"{split}/{source.name}"] = records.sha256()
            for piece in records.pieces(GAMES_A_SHARD):
                shard = f"{split}/{number:05d}"
                shards.append([shard, source.name, [entry.place for entry in piece.entries]])
                made = cache / shard
                work = _Work(arrays_of, piece, str(made))
                tasks.append(Task(work, made / SEAL, len(piece)))
                number += 1
    plan = {**layout, "haiyomi": haiyomi.__version__, "sources": sources, "shards": shards}
    PlannedFolder(cache, plan, "a cache of rows").finish(tasks, write_shard, jobs, progress)


def _folders(cache: Path, split: str) -> list[Path]:
    """The folders of a split's shards in order, as the cache's plan lists them."""
    try:
        plan = json.loads((cache / PLAN).read_text(encoding="utf-8"))
        return [cache / name for name, *_ in plan["shards"] if name.startswith(f"{split}/")]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DatasetError(f"{cache / PLAN}: {error}") from None


def load_cache(
    cache: Path, split: str, rows_of: Callable[[Arrays], R], shards: int | None = None
) -> list[R]:
    """The rows of each shard of a split in order; only the first ``shards``. Raises
    DatasetError if there are none, or one cannot be read."""
    parts: list[R] = []
    for folder in _folders(cache, split)[:shards]:
        try:
            check_seal(folder / SEAL)
            with np.load(folder / ROWS, allow_pickle=False) as data:
                parts.append(rows_of(data))
        except (OSError, ValueError, KeyError) as error:
            raise DatasetError(f"{folder}: {error}") from None
    if not parts:
        raise DatasetError(f"{cache} holds no rows of the {split} split")
    return parts
