"""The tables of a tournament: places, play, and what a difference between two bots is worth.

Intervals are bootstraps by wall, because the games of one wall share their tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.errors import ArgumentError
from haiyomi.evaluation.metrics import FEWEST, mean_estimate, ratio_estimate
from haiyomi.evaluation.report import Cell, Figure, Report, Scope
from haiyomi.evaluation.tournaments.tournament import TALLIED, PlayedGame, Tournament
from haiyomi.seeds import generator

CLAIM: Final = 0.05
"""The half-width of a difference of mean place for which the needed number of games is given."""
RATES: Final = ("wins", "deal_ins", "riichi", "opened")
"""Counts that are shown a hand."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seats:
    """All seats of all games as columns (4 * games,)."""

    bot: Ints
    wall: Ints
    game: Ints
    points: Floats
    place: Floats
    tallies: Floats

    @classmethod
    def of(cls, games: Sequence[PlayedGame]) -> _Seats:
        return cls(
            np.array([bot for g in games for bot in g.seats]),
            np.array([g.wall for g in games for _ in range(4)]),
            np.repeat(np.arange(len(games)), 4),
            np.array([p for g in games for p in g.points], np.float64),
            np.array([p for g in games for p in g.places], np.float64),
            np.array([row for g in games for row in g.tallies], np.float64),
        )


@dataclass(frozen=True, slots=True, repr=False)
class TournamentResult:
    """What came of a tournament. As text (``str``) it is what ``haiyomi play --versus`` prints.

    ``games``: every game, by wall and seat order; ``tournament``: who played and how. ``tables``:
    *Places*, *Play*, *Differences*, and *Forfeited games* where there are any; their intervals are
    of 95%, bootstraps by wall; a single wall has none.
    """

    tournament: Tournament
    games: tuple[PlayedGame, ...]
    tables: tuple[Report, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", tuple(tournament_reports(self.tournament, self.games)))

    @property
    def labels(self) -> tuple[str, ...]:
        """The bots, as ``PlayedGame.seats`` counts them."""
        return self.tournament.labels

    def figure(self, row: str, column: str) -> Figure:
        """A number of the tables with its interval: ``value``, ``low`` and ``high``.

        ``row``: a bot's label, or "A minus B" for the difference of two, in the order of labels.
        ``column`` of a bot: "points" (the mean of a final score minus that at the start of a game;
        ``PlayedGame.points`` are the final scores), "place" (the mean of 1 to 4), "1st" to "4th"
        (shares of games), "win", "deal-in", "riichi" and "call" (shares of hands); of a difference:
        "points" and "place". Raises ArgumentError for another row or column.
        """
        found = {
            (str(cells[0]), name): cell
            for table in self.tables
            for cells in table.rows
            for name, cell in zip(table.columns, cells, strict=True)
            if isinstance(cell, Figure)
        }
        if (row, column) not in found:
            near = [name for label, name in found if label == row]
            known = ", ".join(near or dict.fromkeys(label for label, _ in found))
            what = f"column {column!r} of {row}" if near else f"row {row!r}"
            raise ArgumentError(f"no {what}: there are {known}")
        return found[row, column]

    def to_json(self) -> dict[str, Any]:
        """The tables and what was played, as JSON."""
        tournament, given = self.tournament, self.tournament.conditions
        return {
            "bots": list(tournament.labels),
            "networks": tournament.networks,
            "games": len(self.games),
            "walls": tournament.walls,
            "orders": [list(order) for order in tournament.orders],
            "seed": given.seed,
            "temperature": given.temperature,
            "forfeited": sum(game.failed is not None for game in self.games),
            "tables": [table.to_json() for table in self.tables],
        }

    def __str__(self) -> str:
        return "\n\n".join(table.text() for table in self.tables)

    def __repr__(self) -> str:
        return f"<TournamentResult of {', '.join(self.labels)}, games: {len(self.games)}>"


def tournament_reports(tournament: Tournament, games: Sequence[PlayedGame]) -> list[Report]:
    """The tables *Places*, *Play* and *Differences*, and *Failures* where there are any."""
    seats = _Seats.of(games)
    walls = len(set(seats.wall.tolist()))
    few = f"fewer than {FEWEST} walls have no interval"
    interval = few if walls < FEWEST else "95%, bootstrap by wall"
    what = f"{walls:,} wall{'s' * (walls > 1)} in {len(tournament.orders)} seat orders"
    scope = Scope(len(games), what, interval)
    reports = [
        _places(tournament, seats, scope),
        _play(tournament, seats, scope),
        _differences(tournament, seats, scope),
    ]
    failures = _failures(tournament, games)
    return reports + ([failures] if failures else [])


def _figure(above: Floats, below: Floats, wall: Ints, spec: str) -> Figure:
    """The figure of sum(above) / sum(below) with its interval by wall."""
    if not below.sum():
        return Figure(None, spec)
    found = ratio_estimate(above, below, wall, generator(0, "tournament figures"))
    return Figure.of(found.to_json(), spec)


def _places(tournament: Tournament, seats: _Seats, scope: Scope) -> Report:
    rows: list[tuple[Cell, ...]] = []
    start = tournament.conditions.rules.start_points
    for bot, name in enumerate(tournament.labels):
        mine = seats.bot == bot
        wall, ones = seats.wall[mine], np.ones(int(mine.sum()))
        row: list[Cell] = [name, len(ones)]
        row.append(_figure(seats.points[mine] - start, ones, wall, "+,.0f"))
        row.append(_figure(seats.place[mine], ones, wall, ".3f"))
        for place in range(1, 5):
            row.append(_figure((seats.place[mine] == place) * ones, ones, wall, ".1%"))
        rows.append(tuple(row))
    columns = ("bot", "seats", "points", "place", "1st", "2nd", "3rd", "4th")
    return Report("Places", columns, tuple(rows), scope)


def _play(tournament: Tournament, seats: _Seats, scope: Scope) -> Report:
    rows: list[tuple[Cell, ...]] = []
    for bot, name in enumerate(tournament.labels):
        mine = seats.bot == bot
        counts, wall = seats.tallies[mine], seats.wall[mine]
        hands = counts[:, TALLIED.index("hands")]
        rates = [_figure(counts[:, TALLIED.index(rate)], hands, wall, ".1%") for rate in RATES]
        rows.append((name, int(hands.sum()), *rates))
    columns = ("bot", "hands", "win", "deal-in", "riichi", "call")
    return Report("Play, shares of hands", columns, tuple(rows), scope)


def _differences(tournament: Tournament, seats: _Seats, scope: Scope) -> Report:
    """Each pair in the games that both play: the mean place of the first minus the second's."""
    rows: list[tuple[Cell, ...]] = []
    games = int(seats.game.max()) + 1
    wall = seats.wall[::4]
    counts = np.zeros((len(tournament.labels), games))
    places, points = np.zeros_like(counts), np.zeros_like(counts)
    np.add.at(counts, (seats.bot, seats.game), 1.0)
    np.add.at(places, (seats.bot, seats.game), seats.place)
    np.add.at(points, (seats.bot, seats.game), seats.points)
    for one, other in combinations(range(len(tournament.labels)), 2):
        both = (counts[one] > 0) & (counts[other] > 0)
        ones, where = np.ones(int(both.sum())), wall[both]
        gap = (places[one] / np.maximum(counts[one], 1) - places[other]
               / np.maximum(counts[other], 1))[both]  # fmt: skip
        gain = (points[one] / np.maximum(counts[one], 1) - points[other]
                / np.maximum(counts[other], 1))[both]  # fmt: skip
        place = _figure(gap, ones, where, "+.3f")
        rows.append(
            (
                f"{tournament.labels[one]} minus {tournament.labels[other]}",
                len(ones),
                _figure(gain, ones, where, "+,.0f"),
                place,
                Figure(_needed(place, len(ones)), ",.0f"),
                Figure(_noise(gap, place), ".2f"),
            )
        )
    columns = ("difference", "games", "points", "place", f"games for ±{CLAIM}", "noise")
    return Report("Differences", columns, tuple(rows), scope)


def _needed(place: Figure, games: int) -> float | None:
    """How many games give the difference an interval of ± CLAIM, to two digits."""
    if place.low is None or place.high is None or place.high <= place.low:
        return None
    exact = games * ((place.high - place.low) / 2 / CLAIM) ** 2
    return float(f"{exact:.1e}")


def _noise(gap: Floats, place: Figure) -> float | None:
    """The width of the interval over that of as many games at walls of their own."""
    if place.low is None or place.high is None:
        return None
    alone = mean_estimate(gap, np.arange(len(gap)), generator(0, "tournament figures"))
    width = alone.high - alone.low
    return (place.high - place.low) / width if width > 0 else None


def _failures(tournament: Tournament, games: Sequence[PlayedGame]) -> Report | None:
    """How many games each bot forfeited, by kind, with the first sentence of each."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for game in games:
        if game.failed is not None and game.failure is not None:
            key = tournament.labels[game.seats[game.failed]], game.failure
            counts[key] += 1
            first.setdefault(key, game.detail or "")
    if not counts:
        return None
    rows = tuple((bot, kind, n, first[bot, kind]) for (bot, kind), n in sorted(counts.items()))
    return Report("Forfeited games", ("bot", "failure", "games", "the first"), rows)
