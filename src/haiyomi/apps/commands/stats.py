"""``haiyomi stats``: one player over many records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.options import (
    EngineOption,
    JobsOption,
    JsonOption,
    Lang,
    LangOption,
    ModelOption,
)
from haiyomi.apps.outputs import PAGE, named_as, not_an_input, try_outputs, write_output
from haiyomi.apps.progress import progress_bar
from haiyomi.engines.shards import Engine
from haiyomi.errors import HaiyomiError, printable
from haiyomi.review.printing import json_line, print_json, print_lines
from haiyomi.review.stats import PlayerStats


def command(
    records: Annotated[list[str], typer.Argument(help="Files, folders, zips, or -.")],
    player: Annotated[str, typer.Option(help="Name of the player, or part of it.")],
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, one row a game.")] = False,
    lang: LangOption = Lang.en,
    model: ModelOption = "posterior",
    output: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write one self-contained HTML page (with --json or --csv: those) to this file.",
        ),
    ] = None,
    jobs: JobsOption = None,
    engine: EngineOption = "processes",
) -> None:
    """Show a player's deal-ins, luck and mistakes over many games.

    The statistics cover all games in which the player sits: deal-ins and points lost beside the
    sums of the risks, the luck between them, deal-ins by the greatest threat at the time, and the
    costliest mistakes. Games without the player are skipped. Records that cannot be read, and games
    in which two players have the name, are listed; the exit status is then 1.
    """
    if as_json and as_csv:
        raise HaiyomiError("--json and --csv exclude each other: give one of them")
    from haiyomi.apps.player_games import gather

    not_an_input(output, records)
    named_as(output, "JSON" if as_json else "CSV" if as_csv else "a page")
    try_outputs(output)
    where = Engine.parse(engine, jobs)
    with progress_bar("reading the tiles", "records") as progress:
        gathered = gather(records, player, model, where, progress)
    _print(gathered.stats, as_json, as_csv, lang.value, output)
    for name, first in gathered.again:
        again = printable(f"haiyomi: {name}: the game of {first}, counted once")
        print(again, file=sys.stderr)
    for error in gathered.skipped:
        print(f"haiyomi: {error}", file=sys.stderr)
    if gathered.skipped:
        raise typer.Exit(1)


def _print(stats: PlayerStats, as_json: bool, as_csv: bool, lang: str, output: Path | None) -> None:
    from haiyomi.review.stats_out import stats_csv, stats_json, stats_lines

    if output is None:
        if as_json:
            print_json(stats_json(stats))
        elif as_csv:
            sys.stdout.write(stats_csv(stats))
        else:
            print_lines(stats_lines(stats, lang))
    elif as_json:
        write_output(output, json_line(stats_json(stats)))
    elif as_csv:
        write_output(output, stats_csv(stats))
    else:
        from haiyomi.review.html.document import page_html

        data = {"kind": "stats", "lang": lang} | stats_json(stats)
        write_output(output, page_html("stats", data, f"haiyomi - {stats.name}", lang), PAGE)
