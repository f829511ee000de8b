"""``haiyomi convert``: records from one format to another."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.one_record import must_exist
from haiyomi.apps.output_names import OutputNames
from haiyomi.apps.outputs import FORMS, named_as, not_an_input, try_folders, write_output
from haiyomi.corpus import Corpus
from haiyomi.corpus.entry import SUFFIXES
from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.events import Game
from haiyomi.logs.load import ENDINGS, Format, write
from haiyomi.logs.missing import dropped


def command(
    records: Annotated[
        list[str],
        typer.Argument(
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
    """Convert records to mjlog, Tenhou's JSON or mjai.

    Records in these formats are read, and Mahjong Soul's own.

    One game goes to standard output or the file OUT; several go to the folder OUT. A record
    that cannot be read, or whose draws, calls and discards cannot follow each other, is skipped
    and listed with its reason; the exit status is then 1. What
    the format has no place for is named, such as the fu of limit hands in Tenhou's JSON. Copy
    numbers of tiles, disconnects, and what only describes the game (dan, rate, dice, lobby) are
    dropped too, but not named.
    """
    must_exist(records)
    not_an_input(out, records)
    corpus = Corpus(records, strict=False)
    outcomes: Iterator[tuple[str, Game | RecordError]] = (
        (entry.name, game) for entry, game in corpus.games_and_errors()
    )
    many = len(records) > 1 or corpus.is_container
    named_as(out, "a folder of records" if many else FORMS[ENDINGS[to]])
    if out is None:  # a folder or zip of one record may go to standard output
        first = list(islice(outcomes, 2))
        if len(records) > 1 or len(first) > 1:
            raise HaiyomiError("several records need a folder to write to: name one with -o")
        outcomes, many = iter(first), False
    elif many:
        try_folders(out)
    names = OutputNames(out or Path(), ENDINGS[to], (*SUFFIXES, ".txt", ".log"))
    held: list[tuple[str, Game]] = []  # a lone path that turns out to hold several games
    with ExitStack() as claimed:
        job = _Job(to, records, names, claimed)
        for name, outcome in outcomes:
            if isinstance(outcome, RecordError):
                job.skipped.append(outcome)
            elif many:
                job.save(name, outcome)
            else:
                held.append((name, outcome))
        if len(held) > 1 or (held and out is not None and out.is_dir()):
            many = True
            for name, game in held:
                job.save(name, game)
    if held and not many:
        text = job.text(*held[0])
        job.written = 1
        if out is None:
            print_record(text)
        else:
            write_output(out, text)
    job.report(many)
    if job.skipped:
        raise typer.Exit(1)


@dataclass(slots=True)
class _Job:
    """Records being written: what was, what was skipped, and what the format has no place for.

    ``claimed`` holds the folder from the first record that is saved.
    """

    to: Format
    records: list[str]
    names: OutputNames
    claimed: ExitStack
    written: int = 0
    skipped: list[RecordError] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)

    def text(self, name: str, game: Game) -> str:
        """The text of a game. Raises RecordError, also where its draws, calls and discards cannot
        follow each other: another reader could not tell the order from the text."""
        try:
            _check_order(game)
            text = write(game, self.to)
        except RecordError as error:
            error.file = name
            raise
        self.dropped.update(dropped(game, self.to))
        return text

    def save(self, name: str, game: Game) -> None:
        """Write one of several games into the folder; one that cannot be written is skipped."""
        from haiyomi.storage.folder_lock import only_writer
        from haiyomi.storage.whole_file import write_text

        try:
            text = self.text(name, game)
        except RecordError as error:
            self.skipped.append(error)
            return
        target = self.names.file(name)
        not_an_input(target, self.records)
        if not self.written:
            target.parent.mkdir(parents=True, exist_ok=True)
            self.claimed.enter_context(only_writer(target.parent))
        write_text(target, text)
        self.written += 1

    def report(self, many: bool) -> None:
        """On standard error: what was skipped, and what is lost."""
        for reason in self.skipped:
            print(f"skipped: {reason}", file=sys.stderr)
        if many or self.skipped:
            print(f"{self.written} converted, {len(self.skipped)} skipped", file=sys.stderr)
        for what, games in self.dropped.items():
            lost = f"{games} {'game loses' if games == 1 else 'games lose'} {what}"
            print(f"{lost}: {self.to} has no place for it", file=sys.stderr)


def _check_order(game: Game) -> None:
    """Raise IllegalError for draws, calls and discards that cannot follow each other, and for tiles
    that a seat does not hold."""
    from haiyomi.errors import IllegalError
    from haiyomi.game.position_fold import positions
    from haiyomi.tiles import Seat

    for number, hand in enumerate(game.hands):
        try:
            for seat in range(4):
                for _ in positions(hand.events, Seat(seat), game.header.rules):
                    pass
        except IllegalError as error:
            error.hand = number
            raise


def print_record(text: str) -> None:
    """A record on standard output: UTF-8, whatever the terminal's letters are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
