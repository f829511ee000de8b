"""Where the shards of long work run, as every command that has any asks for it."""

from __future__ import annotations

from typing import Annotated

import typer

from haiyomi.shards import Engine


def _joined(engine: str) -> str:
    """The option as it is. Of torchrun's processes, all but the leader never come back: the
    command, with what it prints and writes, is the leader's alone.
    """
    if engine == "torchrun":
        from haiyomi.engines.torch_ranks import join

        join()
    return engine


EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        callback=_joined,
        help="Where the work runs: `processes` of this machine; `ray`, a cluster on this machine "
        "for the time it takes; `ray://HOST:PORT`, a cluster elsewhere; `ray:auto`, the cluster "
        "that this machine belongs to; `torchrun`, the processes that torchrun started. Other "
        "machines must see the same folders.",
    ),
]


def engine_of(engine: str, jobs: int | None) -> Engine:
    """The engine of a command's options. Raises HaiyomiError."""
    return Engine.parse(engine, jobs)
