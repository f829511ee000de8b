"""``haiyomi dataset``: records to Parquet files: packed games, decisions, rows to fit on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.evaluated import list_skipped
from haiyomi.apps.options import EngineOption, JobsOption
from haiyomi.apps.outputs import not_within
from haiyomi.apps.progress import progress_bar
from haiyomi.counted import counted
from haiyomi.engines.shards import Engine
from haiyomi.extras import require
from haiyomi.review.printing import print_json

command = typer.Typer(no_args_is_help=True)


FolderOption = Annotated[
    Path, typer.Option("--out", "-o", help="Folder to write; an unfinished one is completed.")
]


@command.callback()
def _group() -> None:
    """Turn records into files: packed games for fits, labelled decisions, or the rows of the
    deal-in model of Kurita and Hoki."""


@command.command("build")
def build(
    corpus: Annotated[
        Path, typer.Argument(help="Folder with train, valid and test zips, or any zip or folder.")
    ],
    out: FolderOption,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Build the dataset of CORPUS. If the build is killed, run it again to complete it.

    Skipped records are listed with their reasons; the exit status is then 1.
    """
    from haiyomi.training.dataset import build as build_dataset

    require("data")
    where = Engine.parse(engine, jobs)
    not_within(out, corpus)
    with progress_bar("building", "games") as progress:
        report = build_dataset(corpus, out, where, progress)
    if as_json:
        summary = {"games": report.games, "rows": report.rows, "skipped": report.skipped}
        print_json(summary)
    else:
        games = ", ".join(f"{n} {split}" for split, n in report.games.items())
        print(f"{counted(sum(report.games.values()), 'game')} ({games}) in {out}")
        for table, count in report.rows.items():
            print(f"  {table:<10} {count:>10,} rows")
        if report.skipped:
            list_skipped(report.skipped)
    if report.skipped:
        raise typer.Exit(1)


@command.command("pack")
def pack(
    corpora: Annotated[
        list[Path], typer.Argument(help="Folders with train, valid and test zips or folders.")
    ],
    out: FolderOption,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Pack the games of one or more corpora, from which fits stream their rows.

    Each game is checked. If packing is killed, run it again to complete it. Skipped records are
    listed with their reasons; the exit status is then 1.
    """
    from haiyomi.training.packed_corpus import pack_corpora

    require("data")
    where = Engine.parse(engine, jobs)
    for corpus in corpora:
        not_within(out, corpus)
    with progress_bar("packing", "games") as progress:
        report = pack_corpora(corpora, out, where, progress)
    total = sum(report.games.values())
    if as_json:
        summary = {"games": report.games, "bytes": report.size, "skipped": report.skipped}
        print_json(summary)
    else:
        games = ", ".join(f"{n:,} {split}" for split, n in report.games.items())
        each = report.size / max(total, 1)
        whole = f"{counted(total, 'game')} ({games}) in {out}: {report.size:,} bytes"
        print(f"{whole}, {each:,.0f} a game")
        if report.skipped:
            list_skipped(report.skipped)
    if report.skipped:
        raise typer.Exit(1)


@command.command("decisions")
def decisions(
    packed: Annotated[Path, typer.Argument(help="Folder of `haiyomi dataset pack`.")],
    out: FolderOption,
    share: Annotated[
        float, typer.Option(help="Share of the decisions that is drawn, by a hash of the game.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Seed of that hash.")] = 0,
    discards: Annotated[
        bool,
        typer.Option("--discards", help="Every unforced discard, instead of every choice."),
    ] = False,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Write the decisions of packed games with their labels, as documented columns and a data card.

    The manual describes the columns under 'Columns of the decision data set'. If the command is
    killed, run it again to complete it.
    """
    from dataclasses import asdict

    from haiyomi.training.decision_table import Sampling, write_table

    require("data")
    not_within(out, packed)
    with progress_bar("writing", "games") as progress:
        report = write_table(
            packed, out, Sampling(share, seed, discards), Engine.parse(engine, jobs), progress
        )
    if as_json:
        print_json(asdict(report))
        return
    for split, rows in report.rows.items():
        games = counted(report.games[split], "game")
        print(f"  {split:<6} {games:>14} {counted(rows, 'decision'):>22}")
    whole = counted(sum(report.rows.values()), "decision")
    print(f"{whole} in {out}: {report.size:,} bytes")
