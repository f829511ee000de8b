"""``haiyomi verify``: replay records and check every event and every payment."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from haiyomi.apps.one_record import must_exist
from haiyomi.apps.progress import progress_bar
from haiyomi.corpus import Corpus
from haiyomi.corpus.entry import Entry
from haiyomi.counted import counted
from haiyomi.errors import HaiyomiError, RecordError, printable
from haiyomi.logs.containers import Budget
from haiyomi.logs.stated import Stated

RECORDS_A_PIECE = 16
"""Records handed to a worker process at a time."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One game, or one input that could not be read: what is in it and what is wrong.

    ``readable``: it is a game.
    ``error`` is None for a game in which everything is as the rules say; ``kind`` the name
    of the error's class; ``hand`` and ``event`` where it is, as far as known. ``unstated``
    counts what the record does not state, so that it could not be compared; ``lacks_end``
    names what should follow the last hand.
    """

    name: str
    hands: int = 0
    events: int = 0
    error: str | None = None
    kind: str | None = None
    hand: int | None = None
    event: int | None = None
    unstated: dict[str, int] = field(default_factory=dict)
    lacks_end: str = ""
    readable: bool = True


def check(piece: Corpus) -> list[Checked]:
    """Read and replay the games of some records, and compare all that they state twice."""
    budget = piece.budget or Budget()
    return [found for entry in piece.entries for found in _check_record(entry, budget)]


def _check_record(entry: Entry, budget: Budget) -> list[Checked]:
    from haiyomi.game.table import check_game
    from haiyomi.logs.check_stated import check_stated
    from haiyomi.logs.load import parse_all

    name = entry.name
    facts: list[Stated] = []
    try:
        games = parse_all(entry.unpacked(budget), name, facts)
    except RecordError as error:
        return [replace(_failed(name, error), readable=False)]
    out = []
    for number, (game, stated) in enumerate(zip(games, facts, strict=True), 1):
        if len(games) > 1:
            name = f"{entry.name}#{number}"
        hands, events = len(game.hands), sum(len(hand.events) for hand in game.hands)
        try:
            check_game(game)
            unstated = check_stated(game, stated)
        except RecordError as error:
            error.file = name
            out.append(_failed(name, error, hands, events))
        else:
            lacks = stated.lacks_end
            out.append(Checked(name, hands, events, unstated=dict(unstated), lacks_end=lacks))
    return out


def _failed(name: str, error: RecordError, hands: int = 0, events: int = 0) -> Checked:
    kind = type(error).__name__
    return Checked(name, hands, events, str(error), kind, error.hand, error.event)


LISTED = 20
"""Records without their end that are named; the others are counted."""


@dataclass(slots=True)
class Summary:
    """What came of all records.

    ``games`` were read; ``unreadable`` inputs were not. ``failures`` has the games that failed and
    the unreadable inputs.
    """

    games: int = 0
    unreadable: int = 0
    hands: int = 0
    events: int = 0
    seconds: float = 0.0
    failures: list[Checked] = field(default_factory=list)
    without_end: list[Checked] = field(default_factory=list)
    unstated: Counter[str] = field(default_factory=Counter)

    def add(self, result: Checked) -> None:
        """Count one result."""
        if result.readable:
            self.games += 1
        else:
            self.unreadable += 1
        self.hands += result.hands
        self.events += result.events
        self.unstated.update(result.unstated)
        if result.error is not None:
            self.failures.append(result)
        elif result.lacks_end:
            self.without_end.append(result)

    @property
    def failed(self) -> int:
        """Games that were read and failed."""
        return len(self.failures) - self.unreadable

    def as_json(self) -> dict[str, object]:
        """The summary for ``--json``."""
        return {
            "games": self.games,
            "hands": self.hands,
            "events": self.events,
            "seconds": round(self.seconds, 3),
            "failed": self.failed,
            "unreadable": self.unreadable,
            "failures": [
                {
                    "record": f.name,
                    "error": f.kind,
                    "hand": f.hand,
                    "event": f.event,
                    "reason": f.error,
                }
                for f in self.failures
            ],
            "without_end": [{"record": c.name, "lacks": c.lacks_end} for c in self.without_end],
            "not_stated": dict(self.unstated.most_common()),
        }

    def lines(self) -> Iterator[str]:
        """The summary for a person."""
        for failure in self.failures:
            yield str(failure.error)
        unreadable = f"; {counted(self.unreadable, 'unreadable input')}" if self.unreadable else ""
        yield (
            f"{counted(self.games, 'game')}, {counted(self.hands, 'hand')}, "
            f"{counted(self.events, 'event')} in {self.seconds:.1f} s "
            f"({self.games / self.seconds:.0f} games/s): {self.games - self.failed} in order, "
            f"{self.failed} failed{unreadable}"
        )
        for found in self.without_end[:LISTED]:
            name = printable(found.name)
            yield f"{name}: no {found.lacks_end} after the last hand: a fragment, or cut off"
        if (more := len(self.without_end) - LISTED) > 0:
            yield f"{counted(more, 'more record')} without an end"
        if self.unstated:
            counts = ", ".join(f"{what} {n}" for what, n in self.unstated.most_common())
            yield f"not stated, so not compared: {counts}"


def command(
    records: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders, zips, - for standard input, or a pasted tenhou.net/6/#json= "
            "address.",
        ),
    ],
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Number of processes.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Replay records with all hands visible and check every event and payment.

    Every draw, call and discard must be legal, and all 136 tiles accounted for. The yaku, han, fu,
    points and payments at the end must be those of the rules. What a record states a second time
    (scores, hands, sets, indicators, limits) must agree with that; what it does not state is
    counted. A record that fails or cannot be read is listed with its reason; the exit status is
    then 1.
    """
    begun = time.perf_counter()
    must_exist(records)
    corpus = Corpus(records, strict=False)
    with progress_bar("verifying", "records") as progress:
        parts = corpus.map_pieces(check, RECORDS_A_PIECE, jobs, progress)
    summary = Summary()
    for result in (result for part in parts for result in part):
        summary.add(result)
    summary.seconds = time.perf_counter() - begun
    if summary.games + summary.unreadable == 0:
        raise HaiyomiError("no record found: " + ", ".join(records))
    if as_json:
        text = json.dumps(summary.as_json(), ensure_ascii=False, indent=1)
        print("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))
    else:
        print("\n".join(summary.lines()))
    if summary.failures:
        raise typer.Exit(1)
