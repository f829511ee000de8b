"""Shards by the machines of a Ray cluster (``pip install '.[ray]'``).

Ray's workers read and write the same paths: a folder that all machines share.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, TypeVar

from haiyomi.engines.engine import LOSSES, Engine
from haiyomi.engines.processes import default_jobs
from haiyomi.errors import HaiyomiError
from haiyomi.extras import require

S = TypeVar("S")
R = TypeVar("R")


def done(
    function: Callable[[S], R], shards: Sequence[S], engine: Engine
) -> Iterator[tuple[int, R]]:
    """See ``map_shards``."""
    ray = _ray()
    begun = not ray.is_initialized()
    if begun:
        _connect(ray, engine)
    try:
        # A task whose worker or machine is lost is run again by Ray.
        task = ray.remote(max_retries=LOSSES - 1)(_run)
        jobs = engine.jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        left = deque(range(len(shards)))
        flying: dict[Any, int] = {}
        while left or flying:
            while left and len(flying) < 2 * jobs:
                index = left.popleft()
                flying[task.remote(function, shards[index])] = index
            (ready,), _ = ray.wait(list(flying), num_returns=1)
            index = flying.pop(ready)
            yield index, _result(ray, ready, len(left) + len(flying) + 1, len(shards))
    finally:
        if begun:
            ray.shutdown()


def _run(function: Callable[[S], R], shard: S) -> R:
    return function(shard)


def _ray() -> Any:
    # Disable Ray's usage report: haiyomi never uses the network by itself.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    require("ray")
    # By name, so that a type checker gives the same result with and without Ray installed.
    return import_module("ray")


def _connect(ray: Any, engine: Engine) -> None:
    import logging
    import warnings

    options: dict[str, object] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if engine.address is None:
        options |= {"num_cpus": engine.jobs or default_jobs(), "include_dashboard": False}
    else:
        options["address"] = engine.address
        _reach(engine)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(**options)
    except Exception as error:
        ray.shutdown()
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise HaiyomiError(f"no Ray cluster at {engine}: {lines[0]}") from None


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


def _result(ray: Any, ready: Any, left: int, total: int) -> Any:
    try:
        return ray.get(ready)
    except ray.exceptions.RayTaskError as error:
        # An error of the shard itself is raised as if it had run here.
        raise (error.cause if isinstance(error.cause, Exception) else error) from None
    except ray.exceptions.RayError as error:
        raise HaiyomiError(
            f"a working process was lost {LOSSES} times on one shard ({type(error).__name__}), "
            f"with {left} of {total} shards to do"
        ) from None
