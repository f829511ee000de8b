"""``haiyomi play``: games of rule-based players, written as records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.commands.convert import ENDINGS, Format
from haiyomi.errors import HaiyomiError


def command(
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of walls and lots.")] = 0,
    first: Annotated[int, typer.Option("--first", min=0, help="Number of the first game.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder to write to; one game may go to stdout."),
    ] = None,
    to: Annotated[Format, typer.Option("--to", help="The format to write.")] = Format.mjlog,
    styles: Annotated[
        str,
        typer.Option("--styles", help="One style for all seats, or four with commas between."),
    ] = "balanced",
    east: Annotated[bool, typer.Option("--east", help="East-only games, no hanchan.")] = False,
    reds: Annotated[bool, typer.Option("--reds/--no-reds", help="Red fives or none.")] = True,
    kuitan: Annotated[
        bool, typer.Option("--kuitan/--no-kuitan", help="All simples with an open hand.")
    ] = True,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes at once.")] = 1,
) -> None:
    """Let four rule-based players play games from a seed, and write the records.

    Game number N of a seed is the same whatever the number of games or processes.
    """
    from haiyomi.logs.load import write
    from haiyomi.play.simulate import simulate_many
    from haiyomi.play.style import parse_styles
    from haiyomi.rules import TENHOU

    chosen = parse_styles(styles)
    if out is None and games > 1:
        raise HaiyomiError(f"{games} games need a folder to go to: give one with -o")
    rules = TENHOU.but(rounds=1 if east else 2, red_fives=reds, kuitan=kuitan)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    played = simulate_many(seed, games, first=first, rules=rules, styles=chosen, jobs=jobs)
    for number, game in enumerate(played, first):
        text = write(game, to.value)
        if out is None:
            sys.stdout.write(text)
        else:
            name = f"haiyomi-{seed}-{number:05d}{ENDINGS[to.value]}"
            (out / name).write_text(text, encoding="utf-8")
    if out is not None:
        print(f"{games} games written to {out}", file=sys.stderr)
