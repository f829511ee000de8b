"""A player's style: the statistics with the games behind them, and the nearest class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from haiyomi.errors import HaiyomiError
from haiyomi.events import Game
from haiyomi.styles.classes import StyleClasses, shipped_classes
from haiyomi.styles.statistics import (
    COLUMN,
    NAMES,
    RATES,
    VECTOR,
    Floats,
    divide,
    occasions,
)
from haiyomi.styles.tallies import Tallies, tally


@dataclass(frozen=True, slots=True)
class StyleStatistic:
    """One of the 19: ``value`` in its own unit, None if it never occurred; ``occasions`` hands,
    calls, ... behind it; ``mean`` and ``spread`` (standard deviation) over the players that the
    classes were made of; ``trust`` 0 to 1, how much of it is the player's and not luck."""

    name: str
    value: float | None
    occasions: int
    mean: float
    spread: float
    trust: float


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """What kind of player somebody is, by their hanchan in some records.

    ``style`` the nearest class, ``distances`` to each by name; ``rates`` by name (riichi, call,
    win and deal-in a hand); ``absent_hands``, in which the player was disconnected, are left
    out. ``agreement``: how often this many games of a player give the same class as the
    player's other games, None where the model has no such figure. Conditions on nothing but
    these games.
    """

    player: str
    games: int
    hands: int
    absent_hands: int
    style: str
    distances: tuple[tuple[str, float], ...]
    statistics: tuple[StyleStatistic, ...]
    rates: tuple[tuple[str, float | None], ...]
    place: tuple[float, ...]
    agreement: float | None = None

    def _repr_html_(self) -> str:
        from haiyomi.display.answers import style_html

        return style_html(self)

    def to_json(self) -> dict[str, object]:
        """The style as a JSON value."""
        return {
            "schema": "haiyomi-style",
            "version": 1,
            "player": self.player,
            "games": self.games,
            "hands": self.hands,
            "absent_hands": self.absent_hands,
            "style": self.style,
            "agreement": self.agreement,
            "distances": dict(self.distances),
            "statistics": [
                {
                    "name": s.name,
                    "value": s.value,
                    "occasions": s.occasions,
                    "mean": s.mean,
                    "spread": s.spread,
                    "trust": s.trust,
                }
                for s in self.statistics
            ],
            "rates": dict(self.rates),
        }


def style_of(
    records: Iterable[Game], player: str, classes: StyleClasses | None = None
) -> PlayerStyle:
    """The style of the player of that name (or the only one whose name contains it).

    Raises HaiyomiError where there is no such player, more than one, or no hanchan of theirs.
    """
    games = ((str(number), game) for number, game in enumerate(records))
    return style_in(tally(games), player, classes)


def style_in(tallies: Tallies, player: str, classes: StyleClasses | None = None) -> PlayerStyle:
    """``style_of`` over existing tallies."""
    code = find_player(tallies, player)
    mine = tallies.sums[tallies.player == code]
    return style_from(tallies.players[code], mine.sum(axis=0), len(mine), classes)


def find_player(tallies: Tallies, player: str) -> int:
    """The player's code: of that name, else the only one whose name contains it, in any case.

    Raises HaiyomiError.
    """
    if not player:
        raise HaiyomiError("no player is named: give a name or part of it")
    if not tallies.games:
        raise HaiyomiError(
            "there is no hanchan among these records, and East-only games do not count"
        )
    if player in tallies.players:
        return tallies.players.index(player)
    found = [i for i, p in enumerate(tallies.players) if player.casefold() in p.casefold()]
    if not found:
        raise HaiyomiError(f"no player is named {player!r} in {len(tallies.games)} hanchan")
    if len(found) > 1:
        some = ", ".join(repr(tallies.players[i]) for i in found[:8])
        raise HaiyomiError(f"more than one player is named {player!r}: {some}")
    return found[0]


def style_from(
    name: str, sums: Floats, games: int, classes: StyleClasses | None = None
) -> PlayerStyle:
    """The style behind one row of sums (``styles.statistics.SUMS``) over some games."""
    classes = shipped_classes() if classes is None else classes
    values, behind = divide(sums), occasions(sums)
    place = classes.place(values, behind)
    distances = classes.distances(place)
    scaler = classes.scaler
    trust = scaler.trust(behind)
    statistics = tuple(
        StyleStatistic(
            NAMES[j],
            None if np.isnan(values[j]) else float(values[j]),
            int(behind[j]),
            float(scaler.mean[j]),
            float(scaler.scale[j]),
            float(trust[j]),
        )
        for j in range(len(VECTOR))
    )
    rates = divide(sums, RATES)
    return PlayerStyle(
        name,
        games,
        int(sums[COLUMN["hands"]]),
        int(sums[COLUMN["absent_hands"]]),
        classes.names[int(distances.argmin())],
        tuple(zip(classes.names, distances.tolist(), strict=True)),
        statistics,
        tuple(
            (f.__name__, None if np.isnan(r) else float(r))
            for f, r in zip(RATES, rates, strict=True)
        ),
        tuple(place.tolist()),
        classes.agreement_after(games),
    )
