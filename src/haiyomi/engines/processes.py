"""Shards by processes of this machine."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from haiyomi.engines.engine import LOSSES, Engine
from haiyomi.engines.garbage import collect_seldom
from haiyomi.engines.threads import children_of_one_thread, hold_to_one_thread
from haiyomi.errors import HaiyomiError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

SAFE_PATH: Final = "PYTHONSAFEPATH"
S = TypeVar("S")
R = TypeVar("R")


def default_jobs() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def done(
    function: Callable[[S], R], shards: Sequence[S], engine: Engine
) -> Iterator[tuple[int, R]]:
    """See ``map_shards``."""
    jobs = min(engine.jobs or default_jobs(), len(shards))
    if jobs <= 1:
        for index, shard in enumerate(shards):
            yield index, function(shard)
        return
    from concurrent.futures.process import BrokenProcessPool

    left = deque(range(len(shards)))
    losses = 0
    while left:
        before = len(left)
        try:
            # ``_one_pool`` puts unfinished shards back into ``left`` when a pool breaks.
            yield from _one_pool(function, shards, jobs, left)
        except BrokenProcessPool:
            losses = losses + 1 if len(left) == before else 1
            if losses >= LOSSES:
                raise HaiyomiError(
                    f"a working process was lost {losses} times in a row (killed, or out of "
                    f"memory), with {len(left)} of {len(shards)} shards to do"
                ) from None


def _one_pool(
    function: Callable[[S], R], shards: Sequence[S], jobs: int, left: deque[int]
) -> Iterator[tuple[int, R]]:
    """Process all of ``left`` with one pool; BrokenProcessPool when one of its processes is
    lost."""
    from concurrent.futures import FIRST_COMPLETED, Future, wait

    pool = new_pool(jobs)
    flying: dict[Future[R], int] = {}
    try:
        while left or flying:
            # A few wait in the pool's queue and no more: a million shards cost no memory.
            while left and len(flying) < 2 * jobs:
                with _safe_path():
                    future = pool.submit(function, shards[left[0]])
                flying[future] = left.popleft()
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                result = future.result()
                yield flying.pop(future), result
    except BaseException as error:
        left.extendleft(sorted(flying.values(), reverse=True))
        working = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        if isinstance(error, KeyboardInterrupt):
            # A terminal's Ctrl-C ends them; where the signal came to this process alone, it would
            # wait for their shards.
            for process in working:
                process.terminate()
        raise
    pool.shutdown()


def new_pool(jobs: int) -> ProcessPoolExecutor:
    """A pool of processes that end with this one and ignore Ctrl-C."""
    import signal
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Spawned, not forked: a fork would copy the locks of libraries' threads.
    spawn, safe = get_context("spawn"), SAFE_PATH in os.environ
    with _safe_path():  # here one process starts that cleans up after the others
        pool = ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_begin, initargs=(safe,))
    if not hasattr(signal, "pthread_sigmask"):
        _start(pool, jobs)
        return pool
    # New processes inherit the blocked signal; otherwise Ctrl-C during their imports would print a
    # traceback.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        _start(pool, jobs)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return pool


def _start(pool: ProcessPoolExecutor, jobs: int) -> None:
    with children_of_one_thread(), _safe_path():
        for _ in range(jobs):
            pool.submit(os.getpid)  # each task without an idle worker starts a process


@contextmanager
def _safe_path() -> Iterator[None]:
    """Let the processes that are started within the block import nothing from the current folder:
    among somebody's records may lie a ``multiprocessing.py``. They get the path of this one."""
    if SAFE_PATH in os.environ:
        yield
        return
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        del os.environ[SAFE_PATH]


def _begin(safe: bool) -> None:
    """``safe``: the variable was the user's, and is for the programs that this process starts."""
    import signal

    if not safe:
        os.environ.pop(SAFE_PATH, None)
    follow_parent()
    hold_to_one_thread()
    collect_seldom()
    # A terminal sends Ctrl-C to all its processes; the main process handles it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def follow_parent() -> None:
    """Let this working process end as soon as the one that started it is gone."""
    import threading
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def follow() -> None:
        wait([sentinel])
        # It was killed: nobody is left to take a result.
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()
