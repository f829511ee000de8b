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
from haiyomi.evaluation.tournaments.tournament_report import to_json, tournament_reports
from haiyomi.storage.whole_file import write_json


def run_tournament(
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
    orders = len(Tournament(bots, 1, conditions).orders)
    tournament = Tournament(bots, -(-games // orders), conditions)
    try_outputs(report)
    try_folders(out)
    if tournament.games != games:
        print(
            f"haiyomi: {counted(tournament.games, 'game')}: each of "
            f"{counted(tournament.walls, 'wall')} in {orders} seat orders",
            file=sys.stderr,
        )
    with progress_bar("playing", "games") as progress:
        played = play_tournament(tournament, out, engine, progress)
    print("\n\n".join(table.text() for table in tournament_reports(tournament, played)))
    if report is not None:
        write_json(report, to_json(tournament, played))
