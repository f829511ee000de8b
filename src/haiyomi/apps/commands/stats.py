"""``haiyomi stats``: one player over many records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.options import JsonOption, Lang, LangOption, ModelOption
from haiyomi.apps.outputs import PAGE, not_an_input, write_output
from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.events import Deal, Game
from haiyomi.review.printing import json_line, print_json, print_lines
from haiyomi.review.stats import GameStats, PlayerStats


def command(
    records: Annotated[list[str], typer.Argument(help="Files, folders, zips, or -.")],
    player: Annotated[str, typer.Option(help="The player's name, or part of it.")],
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a row a game as CSV.")] = False,
    lang: LangOption = Lang.en,
    model: ModelOption = "posterior",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write one self-contained HTML page to this file instead, or with --json or "
            "--csv those.",
        ),
    ] = None,
) -> None:
    """Show what dealing in was expected to cost a player, and what it did cost.

    Over all games in which the player sits: deal-ins and points lost beside what the risks of
    the discards add up to, the luck between them, deal-ins by the greatest threat at the time,
    and the costliest discards. Games without the player are passed over; records that cannot
    be read are listed, and the exit status is then 1.
    """
    if as_json and as_csv:
        raise HaiyomiError("--json and --csv cannot both be printed: choose one")
    not_an_input(output, records)
    stats, skipped = gather(records, player, model)
    _tell(stats, as_json, as_csv, lang.value, output)
    for error in skipped:
        print(f"haiyomi: {error}", file=sys.stderr)
    if skipped:
        raise typer.Exit(1)


def _tell(stats: PlayerStats, as_json: bool, as_csv: bool, lang: str, output: Path | None) -> None:
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


def _dealt(game: Game) -> int:
    """The same for two records of one game, whatever their formats: who sat there and what was
    dealt."""
    deals = (event.hands for hand in game for event in hand.events if isinstance(event, Deal))
    return hash((game.header.names, *(tuple(sorted(hand)) for hands in deals for hand in hands)))


def gather(records: list[str], player: str, model: str) -> tuple[PlayerStats, list[RecordError]]:
    """The figures of the player whose name is ``player``, else the only one that contains it.

    Raises HaiyomiError where no or more than one such player is found.
    """
    from haiyomi.apps.progress import progress_bar
    from haiyomi.dealin.models import load_model
    from haiyomi.logs.sources import read_all
    from haiyomi.review.reviewer import review_game
    from haiyomi.review.stats import game_stats, player_stats
    from haiyomi.tiles import Seat
    from haiyomi.training.entries import game_name

    if not player:
        raise HaiyomiError("--player is empty: give a name or part of it")
    fitted = load_model(model)
    found: dict[str, list[GameStats]] = {}
    skipped: list[RecordError] = []
    seen: dict[int, str] = {}
    again: list[str] = []
    read = 0
    with progress_bar("reading the tiles", "games") as update:
        for read, (name, game) in enumerate(read_all(records), 1):
            if isinstance(game, RecordError):
                skipped.append(game)
                continue
            if (dealt := _dealt(game)) in seen:
                again.append(f"{name}: the game of {seen[dealt]}, counted once")
                continue
            seen[dealt] = name
            for seat, sits in enumerate(game.header.names):
                if player.casefold() not in sits.casefold():
                    continue
                try:
                    review = review_game(game, Seat(seat), fitted)
                except RecordError as error:
                    error.file = name
                    skipped.append(error)
                    continue
                found.setdefault(sits, []).append(game_stats(game_name(name) or name, review))
            update(read, read)
    for line in again:
        print(f"haiyomi: {line}", file=sys.stderr)
    chosen = player if player in found else next(iter(found), None)
    if chosen is None:
        raise HaiyomiError(
            f"no player is named {player!r} in {read - len(skipped)} records"
            + (f"; {len(skipped)} could not be read, first {skipped[0]}" if skipped else "")
        )
    if chosen != player and len(found) > 1:
        from haiyomi.review.columns import clean

        some = ", ".join(clean(name) for name in list(found)[:8])
        raise HaiyomiError(f"more than one player is named {player!r}: {some}")
    return player_stats(chosen, fitted.name, found[chosen]), skipped
