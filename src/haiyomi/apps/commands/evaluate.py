"""``haiyomi evaluate``: what a room's model is worth, measured on records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

command = typer.Typer(no_args_is_help=True)


@command.callback()
def _group() -> None:
    """Measure models on records they were not fitted on."""


@command.command("dealin")
def dealin(
    split: Annotated[str, typer.Option(help="Split of the corpus: test, valid or train.")] = "test",
    records: Annotated[
        Path | None, typer.Option(help="Records (file, folder or zip) instead of a split.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Folder with train, valid and test zips.")
    ] = None,
    model: Annotated[str, typer.Option(help="A model's name or file.")] = "kurita-hoki",
    json_out: Annotated[
        Path | None, typer.Option("--json", help="Write the results JSON here.")
    ] = None,
    rows_out: Annotated[
        Path | None,
        typer.Option("--rows", help="Write every tile-opponent row here (parquet)."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; default one a processor.")
    ] = None,
) -> None:
    """Deal-in risk: tile-opponent and tenpai scores, Tables 2 and 3 of the paper.

    Exit status 1 if records were skipped; they are listed with reasons.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.dealin.models import load_model
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.dealin_experiment import plan, results_json, run, write_rows
    from haiyomi.evaluation.dealin_print import plain, tables
    from haiyomi.training.dataset import write_json

    # A wrong name, or a place that cannot be written, is told before any work.
    load_model(model)
    try_outputs(json_out, rows_out)
    sources, what = _sources(split, records, corpus)
    with progress_bar("asking", "games") as progress:
        result = run(plan(sources, model), jobs, progress)
    if not result.rows.games:
        for name, reason in result.skipped:
            print(f"  {name}: {reason}")
        raise DatasetError(f"no record of {what} could be read")
    results = results_json(result, model, what, None if records else split)
    if json_out is not None:
        write_json(json_out, results)
    if rows_out is not None:
        write_rows(rows_out, result.rows)
    print(
        f"{model} on {what}: {results['games']} games, {results['hands']} hands, "
        f"{results['decisions']:,} discards, "
        f"{1000 * results['seconds_per_decision']:.2f} ms a decision"
    )
    for table in tables(results):
        print()
        print(plain(table))
    if result.skipped:
        print(f"\n{len(result.skipped)} skipped:")
        for name, reason in result.skipped:
            print(f"  {name}: {reason}")
        raise typer.Exit(1)


@command.command("reading")
def reading(
    split: Annotated[str, typer.Option(help="Split of the corpus: test, valid or train.")] = "test",
    records: Annotated[
        Path | None, typer.Option(help="Records (file, folder or zip) instead of a split.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Folder with train, valid and test zips.")
    ] = None,
    chain: Annotated[
        Path | None, typer.Option(help="A chain's model file; default the one that comes along.")
    ] = None,
    json_out: Annotated[
        Path | None, typer.Option("--json", help="Write the results JSON here.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; default one a processor.")
    ] = None,
) -> None:
    """Hidden hands: agreement, count log loss, shanten of samples, calibration.

    Random hands, unseen counts alone, the paper's CRF with its three dummies, and the chain.
    Exit status 1 if records were skipped; they are listed with reasons.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.apps.progress import progress_bar
    from haiyomi.errors import DatasetError
    from haiyomi.evaluation.dealin_print import plain
    from haiyomi.evaluation.reading_print import summary, tables
    from haiyomi.evaluation.reading_rows import load_models, plan, run
    from haiyomi.evaluation.reading_tables import results_json
    from haiyomi.training.dataset import write_json

    name = None if chain is None else str(chain)
    load_models(name, (None, None, None))
    try_outputs(json_out)
    sources, what = _sources(split, records, corpus)
    with progress_bar("asking", "games") as progress:
        rows = run(plan(sources, name), jobs, progress)
    if not len(rows.game):
        for record, reason in rows.skipped:
            print(f"  {record}: {reason}")
        raise DatasetError(f"no record of {what} could be read")
    results = results_json(
        rows, "chain" if chain is None else chain.name, what, None if records else split
    )
    if json_out is not None:
        write_json(json_out, results)
    print(summary(results))
    for table in tables(results):
        print()
        print(plain(table))
    if rows.skipped:
        print(f"\n{len(rows.skipped)} skipped:")
        for record, reason in rows.skipped:
            print(f"  {record}: {reason}")
        raise typer.Exit(1)


def _sources(split: str, records: Path | None, corpus: Path | None) -> tuple[list[Path], str]:
    """The files to ask about and what they are called. Raises DatasetError."""
    from haiyomi.errors import DatasetError
    from haiyomi.training.splits import SPLITS, corpus_files, find_corpus

    if records is not None:
        if not records.exists():
            raise DatasetError(f"no such file or folder: {records}")
        return [records], records.name
    if split not in SPLITS:
        raise DatasetError(f"no split {split!r}: choose from {', '.join(SPLITS)}")
    files = corpus_files(find_corpus(corpus)) or {}
    chosen = next((paths for name, paths in files.items() if name == split), [])
    if not chosen:
        raise DatasetError(f"the corpus has no {split} split")
    return chosen, split
