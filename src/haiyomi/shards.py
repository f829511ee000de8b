"""``map_shards``: the one seam through which work is spread over processes.

A shard is a picklable description of work; the function is a module's own (importable by
name) and idempotent: it may run twice, and whatever it writes appears by an atomic rename.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

S = TypeVar("S")
R = TypeVar("R")


def default_jobs() -> int:
    """As many processes as this process may use processors."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def map_shards(
    function: Callable[[S], R], shards: Sequence[S], jobs: int | None = None
) -> Iterator[tuple[int, R]]:
    """Yield (shard's index, result) as each is done, in any order.

    ``jobs`` processes (default: one a processor; 1 runs in this process). An exception in a
    shard is raised here; the shards not yet begun are given up.
    """
    count = min(default_jobs() if jobs is None else jobs, len(shards))
    if count <= 1:
        for index, shard in enumerate(shards):
            yield index, function(shard)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    # Spawned, not forked: a fork would copy the locks of libraries' threads.
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(function, shard): index for index, shard in enumerate(shards)}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
