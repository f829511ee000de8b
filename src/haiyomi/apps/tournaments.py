"""A tournament on the command line: from the bots' names to the printed tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from haiyomi.apps.counted import counted
from haiyomi.apps.outputs import try_folders, try_outputs
from haiyomi.apps.progress import progress_bar
from haiyomi.engines.engine import Engine
from haiyomi.evaluation.tournaments.entrants import Conditions, parse_entrants
from haiyomi.evaluation.tournaments.tournament import Tournament, play_tournament
from haiyomi.evaluation.tournaments.tournament_report import TournamentResult
from haiyomi.storage.whole_file import write_json


def print_tournament(
    versus: Sequence[str],
    games: int,
    conditions: Conditions,
    out: Path | None,
    report: Path | None,
    engine: Engine,
) -> None:
    """Play at least ``games`` games, print the tables, and write them as JSON to ``report``.

    Raises HaiyomiError for bots that do not exist, or a folder that holds something else.
    """
    bots = parse_entrants(versus)
    tournament = Tournament.of_games(bots, games, conditions)
    try_outputs(report)
    try_folders(out)
    if tournament.games != games:
        print(
            f"haiyomi: {counted(tournament.games, 'game')}: each of "
            f"{counted(tournament.walls, 'wall')} in "
            f"{len(tournament.orders)} seat orders",
            file=sys.stderr,
        )
    with progress_bar("playing", "games") as progress:
        played = play_tournament(tournament, out, engine, progress)
    result = TournamentResult(tournament, tuple(played))
    print(result)
    if report is not None:
        write_json(report, result.to_json())
