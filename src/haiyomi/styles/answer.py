"""A player's style: the statistics with the games behind them, and the nearest class."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from haiyomi.errors import ArgumentError, HaiyomiError, RecordError, check_type, no_player, some_of
from haiyomi.styles.classes import StyleClasses, shipped_classes
from haiyomi.styles.nearest import distances_of, place_of, trust_of
from haiyomi.styles.statistics import COLUMN, NAMES, RATES, SUMS, TalliedGame, ratios

if TYPE_CHECKING:
    from haiyomi.events import Game


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
    player's other games, None where the model has no such figure. ``coordinates`` (19,), in
    which distances to the classes are measured, in the order of ``statistics``: by the shipped
    classes the difference of each from the mean in standard deviations, times its trust; 0 where
    it never occurred. Conditions on nothing but these games.
    """

    player: str
    games: int
    hands: int
    absent_hands: int
    style: str
    distances: tuple[tuple[str, float], ...]
    statistics: tuple[StyleStatistic, ...]
    rates: tuple[tuple[str, float | None], ...]
    coordinates: tuple[float, ...]
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

    ``records``: games, such as ``[game for _, game in Corpus("records")]``.
    Raises HaiyomiError where there is no such player, more than one, or no hanchan of theirs;
    ArgumentError for what is no Game.
    """
    from haiyomi.events import Game
    from haiyomi.styles.game_sums import tallied

    given: object = records
    if isinstance(given, Game):  # which is an iterable too
        raise ArgumentError("style_of takes a list of games, such as [game], not a Game")

    def numbered() -> Iterator[tuple[str, Game]]:
        for number, game in enumerate(records):
            check_type(game, "style_of", Game)
            yield str(number), game

    return style_in(tallied(numbered()), player, classes)


def style_in(
    games: Sequence[TalliedGame], player: str, classes: StyleClasses | None = None
) -> PlayerStyle:
    """``style_of`` over games that are tallied."""
    name = find_player(games, player)
    sums = [0.0] * len(SUMS)
    count = 0
    for who, row in _rows(games):
        if who == name:
            count += 1
            sums = [total + number for total, number in zip(sums, row, strict=True)]
    return style_from(name, sums, count, classes)


def _rows(games: Iterable[TalliedGame]) -> Iterator[tuple[str, Sequence[float]]]:
    """The name and the sums of every seat that has a name and played a hand."""
    for _, names, rows in games:
        for who, row in zip(names, rows, strict=True):
            if who and row[0] > 0:
                yield who, row


def players_of(games: Iterable[TalliedGame]) -> tuple[str, ...]:
    """The names of those who played a hand, each once, in the order of the games."""
    return tuple(dict.fromkeys(who for who, _ in _rows(games)))


def find_player(games: Sequence[TalliedGame], player: str) -> str:
    """The name of a player of these games (see ``full_name``). Raises HaiyomiError."""
    if player and not games:
        raise HaiyomiError(
            "there is no hanchan among these records, and East-only games do not count"
        )
    return full_name(player, players_of(games), f"{len(games)} hanchan")


def full_name(
    player: str, names: Collection[str], where: str, skipped: Sequence[RecordError] = ()
) -> str:
    """The one of some names that is ``player``, else the only one that contains it, in any case;
    ``where`` they are found; ``skipped``: the records that could not be read. Raises
    HaiyomiError."""
    if not player:
        raise HaiyomiError("no player is named: give a name or part of it")
    if player in names:
        return player
    found = sorted(name for name in names if player.casefold() in name.casefold())
    if not found:
        raise no_player(player, where, names, skipped)
    if len(found) > 1:
        raise HaiyomiError(f"more than one player is named {player!r}: {some_of(found)}")
    return found[0]


def style_from(
    name: str, sums: Sequence[float], games: int, classes: StyleClasses | None
) -> PlayerStyle:
    """The style behind one row of sums (``styles.statistics.SUMS``) over some games."""
    classes = shipped_classes() if classes is None else classes
    scaler = classes.scaler
    values, behind = zip(*ratios(sums), strict=True)
    place = place_of(scaler, values, behind)
    distances = distances_of(classes, place)
    statistics = tuple(
        StyleStatistic(key, value, int(n), mean, scale, trust)
        for key, value, n, mean, scale, trust in zip(
            NAMES, values, behind, scaler.mean, scaler.scale, trust_of(scaler, behind), strict=True
        )
    )
    return PlayerStyle(
        name,
        games,
        int(sums[COLUMN["hands"]]),
        int(sums[COLUMN["absent_hands"]]),
        classes.names[distances.index(min(distances))],
        tuple(zip(classes.names, distances, strict=True)),
        statistics,
        tuple((f.__name__, r) for f, (r, _) in zip(RATES, ratios(sums, RATES), strict=True)),
        tuple(place),
        classes.agreement_after(games),
    )
