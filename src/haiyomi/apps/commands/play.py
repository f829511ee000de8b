"""``haiyomi play``: games of bots, written as records or counted as a tournament."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haiyomi.apps.commands.convert import print_record
from haiyomi.apps.options import (
    EastOption,
    EngineOption,
    KuitanOption,
    RedsOption,
    ResultsOption,
    RulesOption,
    rules_chosen,
)
from haiyomi.apps.outputs import try_folders, try_outputs
from haiyomi.apps.progress import progress_bar
from haiyomi.counted import counted
from haiyomi.errors import HaiyomiError, printable
from haiyomi.logs.load import ENDINGS, Format, write
from haiyomi.rules import TENHOU

if TYPE_CHECKING:
    from haiyomi.apps.played_games import GamesToPlay
    from haiyomi.engines.engine import Engine
    from haiyomi.evaluation.tournaments.entrants import Conditions

GAMES_A_SHARD = 10
MOST_GAMES = 10_000_000


def command(
    games: Annotated[
        int, typer.Option("--games", min=1, max=MOST_GAMES, help="Number of games.")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of walls and choices.")] = 0,
    first: Annotated[
        int,
        typer.Option("--first", min=0, max=2**62, help="Number of the first game of the seed."),
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="Folder to write to; default for one game: standard output."
        ),
    ] = None,
    to: Annotated[
        Format | None,
        typer.Option(
            "--to",
            help="Format to write: mjlog unless it has no place for the rules, then tenhou6.",
        ),
    ] = None,
    styles: Annotated[
        str,
        typer.Option(
            "--styles",
            help="One style for all seats, or four separated by commas: rule-based "
            "(`balanced`), or `policy:NAME`, a style of the imitation (`policy:pooled`).",
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
    rules: RulesOption = TENHOU.name,
    east: EastOption = False,
    reds: RedsOption = True,
    kuitan: KuitanOption = True,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Number of processes.")] = 1,
    versus: Annotated[
        list[str] | None,
        typer.Option(
            "--versus",
            metavar="A,B,...",
            help="Play a tournament of these bots, at least two of which differ: `random`, a "
            "rule-based style, `policy:STYLE`, `ev` (the improved bot), `model:FILE` or "
            "`model:FILE@STYLE`, and `cmd:PROGRAM ARGUMENTS` for an mjai program. Repeatable.",
        ),
    ] = None,
    report: ResultsOption = None,
    records: Annotated[
        bool,
        typer.Option("--records", help="Tournament: keep the games, in the folder's `records`."),
    ] = False,
    engine: EngineOption = "processes",
    start_seconds: Annotated[
        float, typer.Option(help="Tournament: the most seconds for a program's first answer.")
    ] = 60.0,
    answer_seconds: Annotated[
        float, typer.Option(help="Tournament: the most seconds for each other answer.")
    ] = 5.0,
) -> None:
    """Let four players play games from a seed, and write the records; or play a tournament.

    The players are rule-based, or play in a style of the imitation (`policy:NAME`). Game number N
    of a seed does not depend on the number of games or processes.

    With `--versus` the bots play the same walls in all seat orders, and the command prints points,
    places and rates with intervals. `--games` is rounded up to whole walls. With `-o FOLDER` a run
    that was stopped continues; the folder then holds the results, and with `--records` the games.
    """
    from haiyomi.apps.played_games import DRAWN, GamesToPlay
    from haiyomi.engines.engine import Engine
    from haiyomi.evaluation.tournaments.entrants import (
        Conditions,
        bot_of,
        files_of,
        parse_entrants,
    )
    from haiyomi.logs.missing import format_for
    from haiyomi.play.mjai_process import TimeLimits
    from haiyomi.styles.seating import PREFIX, simulate

    if temperature is not None and not versus and PREFIX not in styles:
        raise HaiyomiError("--temperature is for players of the imitation: --styles policy:NAME")
    heat = DRAWN if temperature is None else temperature
    by = rules_chosen(rules, east=east, reds=reds, kuitan=kuitan)
    limits = TimeLimits(start_seconds, answer_seconds)
    if versus:
        if first or styles != "balanced":
            raise HaiyomiError("--first and --styles are for games without --versus")
        if to is not None and not records:
            raise HaiyomiError("--to is the format of records: with --versus give --records too")
        if records and out is None:
            raise HaiyomiError("--records needs a folder: name one with -o")
        bots = parse_entrants(versus)
        if temperature is not None and not any(files_of(bot_of(bot)) for bot in bots):
            raise HaiyomiError("--temperature is for bots of the imitation: policy:, model: or ev")
        conditions = Conditions(by, seed, heat, limits)
        record_format = format_for(by, to) if records else None
        _tournament(bots, games, conditions, out, record_format, report, Engine.parse(engine, jobs))
        return
    if report is not None or engine != "processes" or limits != TimeLimits() or records:
        raise HaiyomiError(
            "--results, --records, --engine, --start-seconds and --answer-seconds are for "
            "tournaments: give --versus too"
        )
    written = format_for(by, to)
    if out is None:
        if games > 1:
            raise HaiyomiError(f"{games} games need a folder to write to: name one with -o")
        game = simulate(seed, first, styles, rules=by, temperature=heat)
        print_record(write(game, written))
        return
    numbers = range(first, first + games)
    _write_records(GamesToPlay(seed, numbers, styles, out, heat, by, written), jobs)


def _write_records(asked: GamesToPlay, jobs: int) -> None:
    """Play games in shards, and write their records. Raises HaiyomiError for styles that do not
    exist, and for a folder that is named as a file."""
    from haiyomi.apps.played_games import write_games
    from haiyomi.engines.shards import map_shards
    from haiyomi.storage.folder_lock import only_writer
    from haiyomi.styles.seating import four_players

    four_players(asked.styles)
    out, games = asked.folder, len(asked.numbers)
    if out.suffix in ENDINGS.values() and not out.is_dir():
        raise HaiyomiError(f"-o names a folder for the records, not a file such as {out.name}")
    try_folders(out)
    out.mkdir(parents=True, exist_ok=True)
    shards = [
        replace(asked, numbers=asked.numbers[i : i + GAMES_A_SHARD])
        for i in range(0, games, GAMES_A_SHARD)
    ]
    played = 0
    with only_writer(out), progress_bar("playing", "games") as progress:
        try:
            for _, count in map_shards(write_games, shards, jobs):
                played += count
                progress(played, games)
        except KeyboardInterrupt:
            print(
                f"haiyomi: stopped with {played} of {games} games done; run again, it plays them "
                "all anew",
                file=sys.stderr,
            )
            raise
    print(f"{counted(played, 'game')} written to {printable(str(out))}", file=sys.stderr)


def _tournament(
    bots: tuple[str, ...],
    games: int,
    conditions: Conditions,
    out: Path | None,
    record_format: Format | None,
    report: Path | None,
    engine: Engine,
) -> None:
    """Play at least ``games`` games, write the tables as JSON to ``report``, and print them; where
    every game was forfeited, say so and end with status 1.

    Raises HaiyomiError for a folder that holds something else.
    """
    from haiyomi.evaluation.tournaments.tournament import Tournament, play_tournament
    from haiyomi.evaluation.tournaments.tournament_report import TournamentResult
    from haiyomi.storage.whole_file import write_json

    tournament = Tournament.of_games(bots, games, conditions)
    try_outputs(report)
    try_folders(out, beside=report)
    if tournament.games != games:
        print(
            f"haiyomi: {counted(tournament.games, 'game')}: each of "
            f"{counted(tournament.walls, 'wall')} in "
            f"{len(tournament.orders)} seat orders",
            file=sys.stderr,
        )
    with progress_bar("playing", "games") as progress:
        played = play_tournament(tournament, out, engine, progress, record_format)
    result = TournamentResult(tournament, tuple(played))
    if report is not None:  # first: whoever reads the tables may leave (``| head``)
        write_json(report, result.to_json())
    print(result)
    if all(game.failed is not None for game in played):
        print("haiyomi: every game was forfeited", file=sys.stderr)
        raise typer.Exit(1)
