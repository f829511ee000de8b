"""Shards for the tests of engines: importable by name in a worker, as a module's own must be."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import rows_of
from haiyomi.errors import DatasetError
from haiyomi.events import Game
from haiyomi.storage.whole_file import write_json

Given = tuple[str, int]


def square(given: Given) -> int:
    """Write n squared into the folder; the shard's result."""
    folder, n = given
    made = Path(folder) / f"{n:03d}.json"
    if not made.exists():
        write_json(made, n * n)
    return n * n


def dies_once(given: Given) -> int:
    """The same, but the seventh shard's worker is killed the first time, as by the system."""
    folder, n = given
    died = Path(folder) / ".died"
    if n == 7 and not died.exists():
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return square(given)


def always_dies(given: Given) -> int:
    """The third shard's worker is killed each time."""
    if given[1] == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return square(given)


def raises(given: Given) -> int:
    """The fifth shard finds its input damaged."""
    if given[1] == 5:
        raise DatasetError("shard 5 is damaged")
    return square(given)


def slow(given: Given) -> int:
    """A fifth of a second each, and says who did it."""
    folder, n = given
    (Path(folder) / f".pid-{os.getpid()}").touch()
    time.sleep(0.2)
    return square((folder, n))


def who(given: Given) -> int:
    """The process that did it, after a tenth of a second's work."""
    time.sleep(0.1)
    return os.getpid()


def runs(process: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    # A process that ended and was not yet waited for counts as ended.
    return not state.exists() or ") Z " not in state.read_text()


def names(piece: Corpus) -> tuple[list[str], Sequence[Skipped]]:
    """Of each game its name."""

    def name_of(name: str, game: Game) -> str:
        return name

    return rows_of(piece, name_of)


def blas_threads(_: int) -> int:
    """How many threads the matrix library of this process uses."""
    import numpy as np  # noqa: F401
    from threadpoolctl import threadpool_info

    return max(pool["num_threads"] for pool in threadpool_info())
