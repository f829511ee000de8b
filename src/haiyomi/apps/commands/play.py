"""``haiyomi play``: games of rule-based players or of the imitation's, written as records."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.commands.convert import ENDINGS, Format, print_record
from haiyomi.errors import HaiyomiError
from haiyomi.rules import TENHOU

GAMES_A_SHARD = 10


def command(
    games: Annotated[int, typer.Option("--games", min=1, help="Number of games.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of walls and choices.")] = 0,
    first: Annotated[
        int, typer.Option("--first", min=0, help="Number of the first game of the seed.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="Folder to write to; default for one game: standard output."
        ),
    ] = None,
    to: Annotated[Format, typer.Option("--to", help="Format to write.")] = Format.mjlog,
    styles: Annotated[
        str,
        typer.Option(
            "--styles",
            help="One style for all seats, or four separated by commas; `policy:NAME` is a style "
            "of the imitation (`policy:pooled`).",
        ),
    ] = "balanced",
    temperature: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=2.0,
            help="For players of the imitation: 1 (the default) draws each choice from the "
            "predicted probabilities; 0 always takes the likeliest choice.",
        ),
    ] = None,
    east: Annotated[
        bool, typer.Option("--east", help="Play East-only games instead of hanchan.")
    ] = False,
    reds: Annotated[
        bool, typer.Option("--reds/--no-reds", help="With or without red fives.")
    ] = True,
    kuitan: Annotated[
        bool,
        typer.Option("--kuitan/--no-kuitan", help="With or without all simples for open hands."),
    ] = True,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Number of processes.")] = 1,
) -> None:
    """Let four players play games from a seed, and write the records.

    The players are rule-based, or play in a style of the imitation (`policy:NAME`). Game number N
    of a seed does not depend on the number of games or processes.
    """
    from haiyomi.apps.progress import progress_bar
    from haiyomi.logs.load import write
    from haiyomi.shards import map_shards
    from haiyomi.styles.seating import PREFIX, four_players, simulate
    from haiyomi.training.played_games import DRAWN, GamesToPlay, write_games

    if temperature is not None and not styles.startswith(PREFIX):
        raise HaiyomiError("--temperature is for players of the imitation: --styles policy:NAME")
    heat = DRAWN if temperature is None else temperature
    if math.isnan(heat):
        raise HaiyomiError("--temperature nan: expected 0 to 2")
    rules = TENHOU.but(rounds=1 if east else 2, red_fives=reds, kuitan=kuitan)
    if out is None:
        if games > 1:
            raise HaiyomiError(f"{games} games need a folder to write to: name one with -o")
        game = simulate(seed, first, styles, rules=rules, temperature=heat)
        print_record(write(game, to.value))
        return
    four_players(styles)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HaiyomiError(f"cannot write to {out}: {error.strerror}") from None
    numbers = range(first, first + games)
    shards = [
        GamesToPlay(
            seed, numbers[i : i + GAMES_A_SHARD], styles, out, heat, rules, to.value,
            ENDINGS[to.value],
        )
        for i in range(0, games, GAMES_A_SHARD)
    ]  # fmt: skip
    played = 0
    with progress_bar("playing", "games") as progress:
        for _, count in map_shards(write_games, shards, jobs):
            played += count
            progress(played, games)
    print(f"{played} games written to {out}", file=sys.stderr)
