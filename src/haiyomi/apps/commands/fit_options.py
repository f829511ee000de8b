"""``haiyomi fit branches`` and ``options``: what options add to the expected end of the hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.options import EngineOption, JobsOption, ModelOut, ThreadsOption
from haiyomi.apps.outputs import try_outputs
from haiyomi.apps.progress import progress_bar
from haiyomi.counted import counted
from haiyomi.engines.shards import Engine
from haiyomi.errors import HaiyomiError
from haiyomi.extras import require


def branches(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for the branches; completed if needed.")
    ],
    policy: Annotated[Path, typer.Option(help="Model file of the policy that plays on.")],
    state: Annotated[
        Path | None,
        typer.Option(
            help="Model file of the policy whose network says at the seat's next turn how the hand "
            "ends; `fit options` mixes that with what came."
        ),
    ] = None,
    packed: Annotated[
        Path | None,
        typer.Option(help="Packed games of `fit all`: branches from decisions of their records."),
    ] = None,
    split: Annotated[
        str, typer.Option(help="Split of the packed games: train or valid.")
    ] = "train",
    shards: Annotated[
        int | None, typer.Option(min=1, help="Number of shards of 256 records; default: all.")
    ] = None,
    games: Annotated[
        int, typer.Option(min=0, help="Number of hanchan of self-play that are branched as well.")
    ] = 0,
    share: Annotated[
        float,
        typer.Option(help="Share of the decisions that is drawn, by a hash: above 0, at most 1."),
    ] = 0.0125,
    options: Annotated[
        int,
        typer.Option(
            "--most", min=2, help="Greatest number of options of a decision that are played."
        ),
    ] = 4,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Seed of the games and the draws.")
    ] = 23,
    walls: Annotated[
        int,
        typer.Option(
            min=0, help="Index of the set of walls; another index plays the same options on others."
        ),
    ] = 0,
    improved: Annotated[
        bool,
        typer.Option(
            "--improved",
            help="The seat of the option goes on by the likeliest choice of the shipped improved "
            "policy (`bot --by ev`), the others by --policy.",
        ),
    ] = False,
    rare: Annotated[
        bool,
        typer.Option(
            "--rare", help="Only decisions at which the seat may declare riichi or a kan."
        ),
    ] = False,
    engine: EngineOption = "processes",
    jobs: JobsOption = None,
) -> None:
    """Play several options of one decision to the end of the hand, with the same hidden tiles.

    The decisions are drawn from records or self-play by a hash, the options by the flattened policy
    mixed with a uniform distribution. The branches of a decision share hands, wall and random
    numbers. A run that was killed continues.
    """
    from haiyomi.errors import DatasetError
    from haiyomi.styles.policy import Policy
    from haiyomi.training.branch_folder import make_branches, played_sources, recorded_sources
    from haiyomi.training.branches import BranchSettings

    if packed is None and not games:
        raise DatasetError("no decisions to start from: give --packed, --games or both")
    for file in (policy, state):  # a wrong file ends the command before any work
        if file is not None:
            Policy.load(file)
    sources = played_sources(seed, games)
    if packed is not None:
        require("data")
        sources += recorded_sources(packed, split, shards)
    settings = BranchSettings(
        fraction=share, options=options, seed=seed, walls=walls, improved=improved, rare=rare
    )
    with progress_bar("branches", "shards") as progress:
        make_branches(sources, policy, out, settings, Engine.parse(engine, jobs), progress, state)
    print(f"branches of {counted(len(sources), 'shard')} in {out}")


def options(
    branches: Annotated[list[Path], typer.Argument(help="Folders of `fit branches`.")],
    policy: Annotated[
        Path,
        typer.Option(
            help="Model file of the policy's network, which also predicts how the hand ends."
        ),
    ],
    opponents: Annotated[Path, typer.Option(help="Model file of the opponents' network.")],
    out: ModelOut = Path("options.safetensors"),
    shards: Annotated[
        int | None, typer.Option(min=1, help="Number of shards of each folder; default: all.")
    ] = None,
    valid: Annotated[
        list[Path] | None,
        typer.Option(
            "--held-out", help="Branches of other games, to measure the differences; repeatable."
        ),
    ] = None,
    again: Annotated[
        list[Path] | None,
        typer.Option(
            help="Branches of the same decisions on other walls (`fit branches --walls 1`), in "
            "the same order."
        ),
    ] = None,
    members: Annotated[
        int, typer.Option(min=1, help="Networks, each fitted to its part of the games.")
    ] = 2,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the branches.")] = 8,
    threads: ThreadsOption = None,
) -> None:
    """Fit what each option adds to the expected end of the hand, on paired branches.

    The policy's and the opponents' networks stay as they are. Prints how much of the squared
    differences between branches is explained; with --held-out and --again the regression
    coefficient and the correlation.
    """
    require("torch")

    from haiyomi.evaluation.outcomes.option_experiment import agreement_by_kind, expected_points
    from haiyomi.networks.network import Network
    from haiyomi.styles.policy import Policy
    from haiyomi.training.branch_folder import described, load_branches
    from haiyomi.training.fit_options import OptionSettings, fit_options
    from haiyomi.training.option_rows import option_rows
    from haiyomi.training.ranks import use_threads

    if (not valid) != (not again):
        raise HaiyomiError("--held-out and --again go together")
    try_outputs(out)
    use_threads(threads)
    networks = Policy.load(policy), Network.load(opponents)
    played = load_branches(*branches, shards=shards)
    with progress_bar("reading", "decisions") as progress:
        rows = option_rows(played, *networks, progress)
    settings = OptionSettings(members=members, epochs=epochs)
    model = fit_options(rows, *networks, settings, source=described(*branches))
    model.save(out)
    print(f"wrote {out} ({out.stat().st_size:,} bytes)")
    if not valid or not again:
        return
    held, twin = load_branches(*valid), load_branches(*again)
    with progress_bar("reading", "decisions") as progress:
        rows = option_rows(held, *networks, progress)
    found = model.answers(held.records, held.options)
    points = expected_points(rows, found, held.taken).mean(axis=0)
    print("options        decisions  branches  coefficient          correlation          points")
    for name, of in agreement_by_kind(points, rows, held, twin).items():
        coefficient, correlation = (
            f"{each.value:5.2f} ({each.low:5.2f} to {each.high:5.2f})"
            for each in (of.coefficient, of.correlation)
        )
        print(
            f"{name:<14} {of.decisions:>9,} {of.options:>9,}  {coefficient}  {correlation}  "
            f"{of.predicted:,.0f} predicted, {of.measured:,.0f} real"
        )
