"""What the commands that measure share: their records, their options, and how they end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.outputs import not_an_input, try_outputs
from haiyomi.corpus.entry import Skipped
from haiyomi.errors import DatasetError, HaiyomiError

if TYPE_CHECKING:
    from haiyomi.evaluation.report import Report


def _share(share: float) -> float:
    if not 0 < share <= 1:
        raise HaiyomiError(f"--share {share:g}: expected a number above 0, at most 1")
    return share


MeasuredArgument = Annotated[
    list[Path], typer.Argument(help="Records to measure on: zips or folders.")
]
DrawnGamesOption = Annotated[
    int | None,
    typer.Option("--games", min=1, help="Number of records, drawn at random; default: all."),
]
ShareOption = Annotated[
    float,
    typer.Option(
        "--share",
        callback=_share,
        help="Share of the decisions that is drawn at random: above 0, at most 1.",
    ),
]
WhatOption = Annotated[str, typer.Option("--what", help="Name of the records in the results.")]
PlayedFolderOption = Annotated[
    Path,
    typer.Option("-o", "--out", help="Folder of the games played; a second run continues there."),
]


def called(records: Sequence[Path], what: str = "") -> str:
    """``what`` the records are called; by default their names."""
    return what or ", ".join(place.name or str(place) for place in records)


def try_results(json_out: Path | None, records: Iterable[Path]) -> None:
    """Raise OSError or HaiyomiError where the results could not be written, or would overwrite one
    of the records."""
    try_outputs(json_out)
    not_an_input(json_out, records)


def finish(
    results: Mapping[str, object],
    reports: Iterable[Report],
    json_out: Path | None,
    skipped: Sequence[tuple[str, str]] = (),
    head: str | None = None,
) -> None:
    """Write the results, print their tables below the ``head``, and list what was left out; the
    exit status is then 1."""
    from haiyomi.storage.whole_file import write_json

    if json_out is not None:  # first: whoever reads the tables may leave (``| head``)
        write_json(json_out, results)
    texts = [report.text() for report in reports]
    print("\n\n".join(texts if head is None else [head, *texts]))
    tell_skipped(skipped)


def tell_skipped(skipped: Sequence[tuple[str, str]]) -> None:
    """List the records that were left out; the exit status is then 1."""
    if skipped:
        print()
        list_skipped(skipped)
        raise typer.Exit(1)


def list_skipped(skipped: Sequence[tuple[str, str]]) -> None:
    """Their number, and a line for each (name, reason)."""
    print(f"{len(skipped)} skipped:")
    for name, reason in skipped:
        print(f"  {Skipped(name, reason)}")


def sources_of(
    split: str | None, records: Sequence[Path] | None, corpus: Path | None, *outputs: Path | None
) -> tuple[list[Path], str]:
    """The files to ask about and what they are called. Raises DatasetError, and HaiyomiError where
    one of the ``outputs`` would overwrite one of them."""
    from haiyomi.corpus.splits import SPLITS, corpus_files, find_corpus

    if records:
        if split is not None:
            raise DatasetError("RECORDS and --split exclude each other")
        for place in records:
            if not place.exists():
                raise DatasetError(f"{place}: no such file or folder")
        for output in outputs:
            not_an_input(output, records)
        return list(records), called(records)
    split = "test" if split is None else split
    if split not in SPLITS:
        raise DatasetError(f"no split {split!r}: choose from {', '.join(SPLITS)}")
    files = corpus_files(find_corpus(corpus))
    chosen = next((paths for name, paths in files.items() if name == split), [])
    if not chosen:
        raise DatasetError(f"the corpus has no {split} split")
    return chosen, split
