"""The records that an evaluation is made on, and those that it had to leave out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from haiyomi.apps.outputs import not_an_input


def tell_skipped(skipped: Sequence[tuple[str, str]]) -> None:
    """List the records that were left out; the exit status is then 1."""
    if skipped:
        print(f"\n{len(skipped)} skipped:")
        list_skipped(skipped)
        raise typer.Exit(1)


def list_skipped(skipped: Sequence[Sequence[str]]) -> None:
    """A line for each (name, reason); the reason of a record begins with the file's name."""
    for name, reason in skipped:
        print(f"  {reason if reason.startswith(name) else f'{name}: {reason}'}")


def sources_of(
    split: str | None, records: Sequence[Path] | None, corpus: Path | None, *outputs: Path | None
) -> tuple[list[Path], str]:
    """The files to ask about and what they are called. Raises DatasetError, and HaiyomiError where
    one of the ``outputs`` would overwrite one of them."""
    from haiyomi.corpus.splits import SPLITS, corpus_files, find_corpus
    from haiyomi.errors import DatasetError

    if records:
        if split is not None:
            raise DatasetError("RECORDS and --split exclude each other")
        for place in records:
            if not place.exists():
                raise DatasetError(f"no such file or folder: {place}")
        for output in outputs:
            not_an_input(output, records)
        return list(records), ", ".join(place.name or str(place) for place in records)
    split = "test" if split is None else split
    if split not in SPLITS:
        raise DatasetError(f"no split {split!r}: choose from {', '.join(SPLITS)}")
    files = corpus_files(find_corpus(corpus)) or {}
    chosen = next((paths for name, paths in files.items() if name == split), [])
    if not chosen:
        raise DatasetError(f"the corpus has no {split} split")
    return chosen, split
