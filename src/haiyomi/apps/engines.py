"""Where the shards of long work run, as every command that has any asks for it."""

from __future__ import annotations

from typing import Annotated

import typer

from haiyomi.shards import Engine

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="Where the work runs: `processes` of this machine; `ray`, a cluster on this machine "
        "for the time it takes; `ray://HOST:PORT`, a cluster elsewhere; `ray:auto`, the cluster "
        "that this machine belongs to. Ray's machines must see the same folders.",
    ),
]


def engine_of(engine: str, jobs: int | None) -> Engine:
    """The engine of a command's options. Raises HaiyomiError."""
    return Engine.parse(engine, jobs)
