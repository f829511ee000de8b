"""``haiyomi fit branches``: what the values of options are learned from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.options import EngineOption, JobsOption
from haiyomi.extras import require
from haiyomi.shards import Engine


def branches(
    out: Annotated[Path, typer.Argument(help="Folder for the branches; completed if needed.")],
    policy: Annotated[Path, typer.Option(help="Model file of the policy that plays on.")],
    packed: Annotated[
        Path | None,
        typer.Option(help="Packed games of `fit all`: branches from decisions of their records."),
    ] = None,
    split: Annotated[str, typer.Option(help="Which of them: train or valid.")] = "train",
    shards: Annotated[
        int | None, typer.Option(min=1, help="So many shards of 256 records; default: all.")
    ] = None,
    games: Annotated[
        int, typer.Option(min=0, help="Branches from so many hanchan of self-play, too.")
    ] = 0,
    fraction: Annotated[
        float, typer.Option(help="The share of the decisions that are drawn.")
    ] = 0.0125,
    options: Annotated[
        int, typer.Option(min=2, help="Options of a decision that are played at most.")
    ] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the games and the draws.")] = 23,
    engine: EngineOption = "processes",
    jobs: JobsOption = None,
) -> None:
    """Play several options of one decision to the end of the hand, with the same hidden tiles.

    The decisions are drawn from records or self-play by a hash, the options by the flattened policy
    and a uniform part. The branches of a decision share hands, wall and random numbers. A run that
    was killed continues.
    """
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.styles.policy import Policy
    from haiyomi.training.branch_rows import make_branches, played_sources, recorded_sources
    from haiyomi.training.branches import BranchSettings

    if packed is None and not games:
        raise DatasetError("no decisions to start from: give --packed, --games or both")
    Policy.load(policy)  # a wrong file ends the command before any work
    sources = played_sources(seed, games)
    if packed is not None:
        require("data")
        sources += recorded_sources(packed, split, shards)
    settings = BranchSettings(fraction=fraction, options=options, seed=seed)
    with progress_bar("branches", "shards") as progress:
        make_branches(sources, policy, out, settings, Engine.parse(engine, jobs), progress)
    print(f"branches of {len(sources):,} shards in {out}")
