"""``haiyomi convert``: records from one format to another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.outputs import not_an_input
from haiyomi.corpus import Corpus
from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.events import Game

ENDINGS = {"mjai": ".mjson", "tenhou6": ".json", "mjlog": ".mjlog"}
"""The file ending of each format."""


class Format(StrEnum):
    """A format of records."""

    mjai = "mjai"
    tenhou6 = "tenhou6"
    mjlog = "mjlog"


def command(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="IN...",
            help="Files, folders, zips, - for standard input, or a pasted tenhou.net/6/#json= "
            "address.",
        ),
    ],
    to: Annotated[Format, typer.Option("--to", help="Format to write.")],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="File for one game, or folder for several."),
    ] = None,
) -> None:
    """Convert records between mjlog, Tenhou's JSON and mjai.

    One game goes to standard output or the file OUT; several go to the folder OUT. A record
    that cannot be read is skipped and listed with its reason; the exit status is then 1.
    """
    from haiyomi.logs.load import write
    from haiyomi.storage.whole_file import write_text

    not_an_input(out, paths)
    corpus = Corpus(paths, strict=False)
    outcomes: Iterator[tuple[str, Game | RecordError]] = (
        (entry.name, game) for entry, game in corpus.outcomes()
    )
    many = len(paths) > 1 or corpus.is_container
    if out is None:  # a folder or zip of one record may go to standard output
        first = list(islice(outcomes, 2))
        if len(paths) > 1 or len(first) > 1:
            raise HaiyomiError("several records need a folder to write to: name one with -o")
        outcomes, many = iter(first), False
    skipped: list[RecordError] = []
    taken: set[Path] = set()
    held: list[tuple[str, Game]] = []  # a lone path that turns out to hold several games
    written = 0

    def save(name: str, game: Game, folder: Path) -> None:
        nonlocal written
        try:
            text = write(game, to.value)
        except RecordError as error:
            error.file = name
            skipped.append(error)
            return
        target = _target(folder, name, ENDINGS[to.value], taken)
        not_an_input(target, paths)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_text(target, text)
        written += 1

    for name, outcome in outcomes:
        if isinstance(outcome, RecordError):
            skipped.append(outcome)
        elif many:
            assert out is not None
            save(name, outcome, out)
        else:
            held.append((name, outcome))
    if len(held) > 1:
        assert out is not None
        for name, game in held:
            save(name, game, out)
    elif held:
        try:
            text = write(held[0][1], to.value)
        except RecordError as error:
            error.file = held[0][0]
            raise
        written = 1
        if out is None:
            print_record(text)
        elif out.is_dir():
            target = _target(out, held[0][0], ENDINGS[to.value], taken)
            not_an_input(target, paths)
            write_text(target, text)
        else:
            write_text(out, text)
    for reason in skipped:
        print(f"skipped: {reason}", file=sys.stderr)
    if many or skipped:
        print(f"{written} converted, {len(skipped)} skipped", file=sys.stderr)
    if skipped:
        raise typer.Exit(1)


def print_record(text: str) -> None:
    """A record on standard output: UTF-8, whatever the terminal's letters are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def _target(folder: Path, name: str, ending: str, taken: set[Path]) -> Path:
    """A new file in the folder, named after the record; never outside the folder."""
    stem = Path(name.replace("\\", "/")).name
    for known in (".gz", ".mjlog", ".xml", ".json", ".mjson", ".jsonl", ".txt", ".log"):
        stem = stem.removesuffix(known)
    stem = stem.replace(":", "_").strip(". ") or "record"
    target = folder / (stem + ending)
    number = 2
    while target in taken:
        target = folder / f"{stem}-{number}{ending}"
        number += 1
    taken.add(target)
    return target
