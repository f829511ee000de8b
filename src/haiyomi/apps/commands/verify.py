"""``haiyomi verify``: replay records and check every event and every payment."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from haiyomi.errors import HaiyomiError, RecordError

BATCH = 16
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


def check(record: str, data: bytes) -> list[Checked]:
    """Read and replay the games of one record."""
    from haiyomi.game.table import check_game
    from haiyomi.logs.load import parse_all

    name = record
    try:
        games = parse_all(data, name)
    except RecordError as error:
        return [_failed(name, error)]
    out = []
    for number, game in enumerate(games):
        if len(games) > 1:
            name = f"{record}#{number + 1}"
        hands, events = len(game.hands), sum(len(hand.events) for hand in game.hands)
        try:
            check_game(game)
        except RecordError as error:
            error.file = name
            out.append(_failed(name, error, hands, events))
        else:
            out.append(Checked(name, hands, events))
    return out


def _failed(name: str, error: RecordError, hands: int = 0, events: int = 0) -> Checked:
    kind = type(error).__name__
    return Checked(name, hands, events, str(error), kind, error.hand, error.event)


Record = tuple[str, bytes | RecordError]


def _check_batch(batch: list[Record]) -> list[list[Checked]]:
    return [
        [_failed(name, data)] if isinstance(data, RecordError) else check(name, data)
        for name, data in batch
    ]


def _records(paths: Iterable[str]) -> Iterator[Record]:
    from haiyomi.logs.sources import read_bytes

    for path in paths:
        yield from read_bytes(path)


def _check_all(records: Iterator[Record], jobs: int) -> Iterator[list[Checked]]:
    """The results of each record in order; few batches wait at a time, so memory stays low."""
    if jobs == 1:
        for record in records:
            yield from _check_batch([record])
        return
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    from haiyomi.engines.processes import new_pool

    try:
        with new_pool(jobs) as pool:
            waiting: deque[Future[list[list[Checked]]]] = deque()
            while batch := list(islice(records, BATCH)):
                waiting.append(pool.submit(_check_batch, batch))
                if len(waiting) > 4 * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise HaiyomiError(
            "a worker process was lost: it was killed or ran out of memory"
        ) from None


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
    for path in paths:
        if path != "-" and "://" not in path and "#json=" not in path and not Path(path).exists():
            raise HaiyomiError(f"no such file or folder: {path}")
    begun = time.perf_counter()
    games = hands = events = 0
    failures: list[Checked] = []
    with ExitStack() as stack:
        advance = _progress(stack, paths)
        for results in _check_all(_records(paths), jobs):
            for result in results:
                games += 1
                hands += result.hands
                events += result.events
                if result.error is not None:
                    failures.append(result)
            advance()
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


def _progress(stack: ExitStack, paths: list[str]) -> Any:
    """A function to call after each record; it moves a bar where a person is watching."""
    if not sys.stderr.isatty():
        return lambda: None
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from haiyomi.logs.sources import count_records

    bar = stack.enter_context(
        Progress(
            "verifying",
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
    )
    task = bar.add_task("records", total=count_records(paths))
    return lambda: bar.advance(task)
