"""``map_shards``: the one seam through which work is spread over processes and machines.

A shard is a picklable description of work; the function is a module's own (importable by
name) and idempotent: it may run twice, and whatever it writes appears by an atomic rename.
So a worker that is lost loses nothing, its shard runs again; and what comes of the shards
depends neither on the engine nor on the order in which they are done.

Engines: processes of this machine (the default, nothing to install), and Ray,
for many machines. Workers read and write the same paths: a folder that all machines share.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import FunctionType
from typing import TypeAlias, TypeVar

from haiyomi.engines.engine import Engine as Engine
from haiyomi.engines.engine import Runner
from haiyomi.errors import HaiyomiError

S = TypeVar("S")
R = TypeVar("R")

Jobs: TypeAlias = Engine | int | None
"""An engine, or a number of processes of this machine (None: one a processor)."""


def map_shards(
    function: Callable[[S], R], shards: Sequence[S], engine: Jobs = None
) -> Iterator[tuple[int, R]]:
    """Yield (shard's index, result) as each is done, in any order.

    With one process, shards run in the calling one. An exception in a shard is raised here, and the
    shards not yet begun are given up. Raises HaiyomiError where workers are lost again and
    again, or the engine cannot be had; before any work where it is not one process and the
    function cannot be imported by name.
    """
    chosen = engine if isinstance(engine, Engine) else Engine(jobs=engine)
    if not in_this_process(chosen):
        check_importable(function)
    if shards:
        yield from _runner(chosen).done(function, shards, chosen)


def map_in_order(
    function: Callable[[S], R],
    shards: Sequence[S],
    engine: Jobs = None,
    progress: Callable[[int, int], None] | None = None,
    size: Callable[[S], int] = lambda shard: 1,
) -> list[R]:
    """The results of all shards, in their order. ``progress(done, total)`` counts shards, or what
    ``size`` says of each. Raises as ``map_shards``."""
    sizes = [size(shard) for shard in shards]
    found: dict[int, R] = {}
    done = 0
    for index, result in map_shards(function, shards, engine):
        found[index] = result
        done += sizes[index]
        if progress:
            progress(done, sum(sizes))
    return [found[index] for index in range(len(shards))]


def in_this_process(engine: Jobs) -> bool:
    """Whether all shards run in this process, whatever their number is."""
    chosen = engine if isinstance(engine, Engine) else Engine(jobs=engine)
    return chosen.kind == "processes" and chosen.jobs == 1


def check_importable(function: object) -> None:
    """Raises HaiyomiError for a lambda and a local function or class, also inside a partial."""
    if isinstance(function, partial):
        for part in (function.func, *function.args, *function.keywords.values()):
            check_importable(part)
    elif isinstance(function, FunctionType | type):
        found: object = sys.modules.get(function.__module__)
        for name in function.__qualname__.split("."):
            found = getattr(found, name, None)
        if found is not function:
            raise HaiyomiError(
                f"the {'class' if isinstance(function, type) else 'function'} must be importable "
                f"by name: {function.__qualname__} is not"
            )


def _runner(engine: Engine) -> Runner:
    """The engine's own module."""
    if engine.kind == "ray":
        from haiyomi.engines import ray_cluster

        return ray_cluster
    from haiyomi.engines import processes

    return processes
