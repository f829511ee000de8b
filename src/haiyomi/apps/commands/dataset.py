"""``haiyomi dataset``: records to Parquet shards, as labelled rows or as packed games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.evaluated import list_skipped
from haiyomi.apps.options import EngineOption, JobsOption
from haiyomi.extras import require
from haiyomi.shards import Engine

command = typer.Typer(no_args_is_help=True)


FolderOption = Annotated[
    Path, typer.Option("--out", "-o", help="Folder to write; an unfinished one is completed.")
]


@command.callback()
def _group() -> None:
    """Turn records into Parquet files: labelled decisions, or packed games for fits."""


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
    import json

    from haiyomi.apps.outputs import not_within
    from haiyomi.apps.progress import progress_bar
    from haiyomi.training.dataset import build as build_dataset

    require("data")
    where = Engine.parse(engine, jobs)
    not_within(out, corpus)
    with progress_bar("building", "games") as progress:
        report = build_dataset(corpus, out, where, progress)
    if as_json:
        summary = {"games": report.games, "rows": report.rows, "skipped": report.skipped}
        print(json.dumps(summary, ensure_ascii=False))
    else:
        games = ", ".join(f"{n} {split}" for split, n in report.games.items())
        print(f"{sum(report.games.values())} games ({games}) in {out}")
        for table, count in report.rows.items():
            print(f"  {table:<10} {count:>10,} rows")
        if report.skipped:
            print(f"{len(report.skipped)} skipped:")
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
    import json

    from haiyomi.apps.outputs import not_within
    from haiyomi.apps.progress import progress_bar
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
        print(json.dumps(summary, ensure_ascii=False))
    else:
        games = ", ".join(f"{n:,} {split}" for split, n in report.games.items())
        each = report.size / max(total, 1)
        print(f"{total:,} games ({games}) in {out}: {report.size:,} bytes, {each:,.0f} a game")
        if report.skipped:
            print(f"{len(report.skipped)} skipped:")
            list_skipped(report.skipped)
    if report.skipped:
        raise typer.Exit(1)
