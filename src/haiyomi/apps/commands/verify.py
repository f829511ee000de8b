"""``haiyomi verify``: replay records and check every event and every payment."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.apps.progress import progress_bar
from haiyomi.corpus import Corpus
from haiyomi.corpus.listing import is_address
from haiyomi.errors import HaiyomiError, RecordError

RECORDS_A_PIECE = 16
"""Records handed to a worker process at a time."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One game, or one record that could not be read: what is in it and what is wrong.

    ``error`` is None for a game in which everything is as the rules say; ``kind`` the name
    of the error's class; ``hand`` and ``event`` where it is, as far as known.
    """

    name: str
    hands: int = 0
    events: int = 0
    error: str | None = None
    kind: str | None = None
    hand: int | None = None
    event: int | None = None


def check(piece: Corpus) -> list[Checked]:
    """Read and replay the games of some records."""
    from haiyomi.game.table import check_game

    out = []
    for entry, game in piece.outcomes():
        if isinstance(game, RecordError):
            out.append(_failed(entry.name, game))
            continue
        hands, events = len(game.hands), sum(len(hand.events) for hand in game.hands)
        try:
            check_game(game)
        except RecordError as error:
            error.file = entry.name
            out.append(_failed(entry.name, error, hands, events))
        else:
            out.append(Checked(entry.name, hands, events))
    return out


def _failed(name: str, error: RecordError, hands: int = 0, events: int = 0) -> Checked:
    kind = type(error).__name__
    return Checked(name, hands, events, str(error), kind, error.hand, error.event)


def command(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Files, folders, zips, - for standard input, or a pasted tenhou.net/6/#json= "
            "address.",
        ),
    ],
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Number of processes.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Replay records with all hands visible and check every event and payment.

    Every draw, call and discard must be legal, and all 136 tiles accounted for. The yaku, han, fu,
    points and payments at the end must be those of the rules. A record that fails or cannot be read
    is listed with its reason; the exit status is then 1.
    """
    begun = time.perf_counter()
    for path in paths:
        if path != "-" and not is_address(path) and not Path(path).exists():
            raise HaiyomiError(f"no such file or folder: {path}")
    corpus = Corpus(paths, strict=False)
    with progress_bar("verifying", "records") as progress:
        parts = corpus.map_pieces(check, RECORDS_A_PIECE, jobs, progress)
    results = [result for part in parts for result in part]
    games = len(results)
    hands, events = sum(r.hands for r in results), sum(r.events for r in results)
    failures = [result for result in results if result.error is not None]
    seconds = time.perf_counter() - begun
    if games == 0:
        raise HaiyomiError("no record found: " + ", ".join(paths))
    if as_json:
        summary = {
            "games": games,
            "hands": hands,
            "events": events,
            "seconds": round(seconds, 3),
            "failed": len(failures),
            "failures": [
                {
                    "record": f.name,
                    "error": f.kind,
                    "hand": f.hand,
                    "event": f.event,
                    "reason": f.error,
                }
                for f in failures
            ],
        }
        print(json.dumps(summary, ensure_ascii=False, indent=1))
    else:
        for failure in failures:
            print(failure.error)
        good = games - len(failures)
        print(
            f"{games} games, {hands} hands, {events} events in {seconds:.1f} s "
            f"({games / seconds:.0f} games/s): {good} in order, {len(failures)} failed"
        )
    if failures:
        raise typer.Exit(1)
