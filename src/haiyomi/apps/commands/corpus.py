"""``haiyomi corpus``: make a corpus of any records."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.evaluated import list_skipped
from haiyomi.apps.outputs import not_within
from haiyomi.apps.progress import progress_bar
from haiyomi.counted import counted
from haiyomi.review.printing import print_json

command = typer.Typer(no_args_is_help=True)


class ByName(StrEnum):
    """What keeps the splits apart."""

    game = "game"
    date = "date"
    player = "player"


@command.callback()
def _group() -> None:
    """Make a corpus, a folder with train, valid and test splits, of any records."""


@command.command("split")
def split(
    records: Annotated[list[Path], typer.Argument(help="Files, folders or zips.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="New folder to write.")],
    by: Annotated[
        ByName,
        typer.Option(
            help="game: a hash of the game's name; date: the latest days are test, those before "
            "them valid; player: nobody of the test split plays in train or valid."
        ),
    ] = ByName.game,
    valid: Annotated[float, typer.Option(min=0, max=1, help="Share of the games for valid.")] = 0.1,
    test: Annotated[float, typer.Option(min=0, max=1, help="Share of the games for test.")] = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the hash.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Divide records into train, valid and test, as a folder that `--corpus` takes.

    The records are copied byte for byte into three zips and not checked, which `haiyomi verify`
    does. The same records and seed give the same splits. Of several records of one game, in
    whatever formats and under whatever names, one is kept. Records that are left out are listed
    with their reasons; the exit status is then 1.
    """
    from haiyomi.corpus import Corpus
    from haiyomi.corpus.partition import Shares, write_split

    for place in records:
        not_within(out, place)
    with progress_bar("reading", "records") as progress:
        report = write_split(Corpus(records), out, by.value, seed, Shares(valid, test), progress)
    if as_json:
        print_json({"games": report.games, "skipped": report.skipped})
    else:
        games = ", ".join(f"{n:,} {name}" for name, n in report.games.items())
        whole = counted(sum(report.games.values()), "record")
        print(f"{whole} ({games}) in {out}, not checked")
        if report.skipped:
            list_skipped(report.skipped)
    if report.skipped:
        raise typer.Exit(1)
