"""``map_shards``: the one seam through which work is spread over processes and machines.

A shard is a picklable description of work; the function is a module's own (importable by
name) and idempotent: it may run twice, and whatever it writes appears by an atomic rename.
So a worker that is lost loses nothing, its shard runs again; and what comes of the shards
depends neither on the engine nor on the order in which they are done.

Engines: *processes* of this machine (the default, nothing to install) and *Ray*, for many
machines (``pip install 'haiyomi[ray]'``). Ray's workers read and write the same paths: a
folder that all machines share.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar

from haiyomi.errors import HaiyomiError

S = TypeVar("S")
R = TypeVar("R")

LOSSES = 3
"""So many times in a row may workers be lost without one shard being done."""


class Team(Protocol):
    """Workers that are kept (see ``team``)."""

    def __call__(self, function: Callable[[S], R], items: Sequence[S], /) -> list[R]: ...


@dataclass(frozen=True, slots=True)
class Engine:
    """Where shards run. ``jobs`` at once, None for all processors there are. ``address`` of a
    Ray cluster: ``ray://HOST:PORT`` from outside of it, ``auto`` or ``HOST:PORT`` from one of
    its machines; None starts one on this machine for as long as the work lasts.
    """

    kind: Literal["processes", "ray"] = "processes"
    jobs: int | None = None
    address: str | None = None

    @classmethod
    def parse(cls, text: str, jobs: int | None = None) -> Self:
        """``processes``, ``ray``, ``ray://HOST:PORT``, ``ray:auto`` or ``ray:HOST:PORT``.

        Raises HaiyomiError.
        """
        if text == "processes":
            return cls("processes", jobs)
        if text == "ray":
            return cls("ray", jobs)
        head, colon, rest = text.partition(":")
        if head == "ray" and colon and rest.strip("/"):
            return cls("ray", jobs, text if rest.startswith("//") else rest)
        raise HaiyomiError(
            f"no engine {text!r}: expected processes, ray, ray://HOST:PORT, ray:auto or "
            "ray:HOST:PORT"
        )

    def __str__(self) -> str:
        if self.address is None:
            return self.kind
        return self.address if "//" in self.address else f"ray:{self.address}"


Jobs: TypeAlias = Engine | int | None
"""An engine, or a number of processes of this machine (None: one a processor)."""


def default_jobs() -> int:
    """As many processes as this process may use processors."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def map_shards(
    function: Callable[[S], R], shards: Sequence[S], engine: Jobs = None
) -> Iterator[tuple[int, R]]:
    """Yield (shard's index, result) as each is done, in any order.

    One process at a time runs in this one. An exception in a shard is raised here, and the
    shards not yet begun are given up. Raises HaiyomiError where workers are lost again and
    again, or the engine cannot be had.
    """
    chosen = engine if isinstance(engine, Engine) else Engine(jobs=engine)
    if not shards:
        return
    if chosen.kind == "ray":
        yield from _by_ray(function, shards, chosen)
        return
    jobs = min(chosen.jobs or default_jobs(), len(shards))
    if jobs <= 1:
        for index, shard in enumerate(shards):
            yield index, function(shard)
        return
    yield from _by_processes(function, shards, jobs)


def _by_processes(
    function: Callable[[S], R], shards: Sequence[S], jobs: int
) -> Iterator[tuple[int, R]]:
    from concurrent.futures.process import BrokenProcessPool

    left = deque(range(len(shards)))
    losses = 0
    while left:
        before = len(left)
        try:
            # What is under way when a pool breaks is put back into ``left`` by it.
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
    """Work ``left`` off with one pool; BrokenProcessPool when a process of it is lost."""
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from multiprocessing import get_context

    # Spawned, not forked: a fork would copy the locks of libraries' threads.
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=follow_parent)
    flying: dict[Future[R], int] = {}
    try:
        while left or flying:
            # A few wait in the pool's queue and no more: a million shards cost no memory.
            while left and len(flying) < 2 * jobs:
                future = pool.submit(function, shards[left[0]])
                flying[future] = left.popleft()
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                result = future.result()
                yield flying.pop(future), result
    except BaseException:
        left.extendleft(sorted(flying.values(), reverse=True))
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


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


@contextmanager
def team(engine: Jobs = None) -> Iterator[Team]:
    """Workers kept for many rounds of small work: ``ask(function, items)`` is the answers in the
    items' order. What holds of shards holds of items; one process works in this one.

    Raises HaiyomiError as ``map_shards``.
    """
    chosen = engine if isinstance(engine, Engine) else Engine(jobs=engine)
    if chosen.kind == "ray":
        ray = _ray()
        begun = not ray.is_initialized()
        if begun:
            _connect(ray, chosen)
        try:
            yield lambda function, items: _in_order(_by_ray(function, items, chosen))
        finally:
            if begun:
                ray.shutdown()
    elif (jobs := chosen.jobs or default_jobs()) <= 1:
        yield lambda function, items: [function(item) for item in items]
    else:
        yield from _team_of_processes(jobs)


def _in_order(found: Iterator[tuple[int, R]]) -> list[R]:
    return [result for _, result in sorted(found, key=lambda pair: pair[0])]


def _team_of_processes(jobs: int) -> Iterator[Team]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    def start() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=follow_parent)

    pool = start()

    def ask(function: Callable[[S], R], items: Sequence[S]) -> list[R]:
        nonlocal pool
        for _ in range(LOSSES):
            try:
                return list(pool.map(function, items))
            except BrokenProcessPool:
                # A lost worker loses a round, which is asked again.
                pool.shutdown(wait=False)
                pool = start()
        raise HaiyomiError(
            f"a working process was lost {LOSSES} times in a row (killed, or out of memory)"
        )

    try:
        yield ask
    finally:
        pool.shutdown(cancel_futures=True)


# -- Ray ------------------------------------------------------------------------------------


def _by_ray(
    function: Callable[[S], R], shards: Sequence[S], engine: Engine
) -> Iterator[tuple[int, R]]:
    ray = _ray()
    begun = not ray.is_initialized()
    if begun:
        _connect(ray, engine)
    try:
        # A task whose worker or machine is lost is run again by Ray.
        task = ray.remote(max_retries=LOSSES)(_run)
        jobs = engine.jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        left = deque(range(len(shards)))
        flying: dict[Any, int] = {}
        while left or flying:
            while left and len(flying) < 2 * jobs:
                index = left.popleft()
                flying[task.remote(function, shards[index])] = index
            (done,), _ = ray.wait(list(flying), num_returns=1)
            index = flying.pop(done)
            yield index, _result(ray, done, len(left) + len(flying) + 1, len(shards))
    finally:
        if begun:
            ray.shutdown()


def _run(function: Callable[[S], R], shard: S) -> R:
    return function(shard)


def _ray() -> Any:
    # Ray would report its use over the network; haiyomi never uses the network by itself.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        # By name: a type checker then sees the same whether it is installed or not.
        return import_module("ray")
    except ImportError:
        raise HaiyomiError("the engine ray is not installed: pip install 'haiyomi[ray]'") from None


def _connect(ray: Any, engine: Engine) -> None:
    import logging
    import warnings

    told: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if engine.address is None:
        told |= {"num_cpus": engine.jobs or default_jobs(), "include_dashboard": False}
    else:
        told["address"] = engine.address
        _reach(engine)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(**told)
    except Exception as error:
        ray.shutdown()
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise HaiyomiError(f"no Ray cluster at {engine}: {said[0]}") from None


def _reach(engine: Engine) -> None:
    """Raise HaiyomiError at once where nobody listens: Ray itself would try for minutes."""
    import socket

    host, colon, port = (engine.address or "").removeprefix("ray://").rpartition(":")
    if not colon:
        return  # auto
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise HaiyomiError(f"no Ray cluster at {engine}: {reason}") from None


def _result(ray: Any, done: Any, left: int, total: int) -> Any:
    try:
        return ray.get(done)
    except ray.exceptions.RayTaskError as error:
        # Of the shard's own doing: raised as if it had run here.
        raise (error.cause if isinstance(error.cause, Exception) else error) from None
    except ray.exceptions.RayError as error:
        raise HaiyomiError(
            f"a working process was lost {LOSSES + 1} times on one shard ({type(error).__name__}), "
            f"with {left} of {total} shards to do"
        ) from None
