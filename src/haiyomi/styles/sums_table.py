"""Sums by player and game, and the style vectors computed from them.

Every statistic is a ratio of sums, so the vector of any set of games (a split, a bootstrap
sample) is the sum over its rows and 19 divisions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.events import Game
from haiyomi.rows import Rows
from haiyomi.styles.game_sums import tallied
from haiyomi.styles.statistics import SUMS, TalliedGame, divide, occasions

TESTED = 10
"""One in this many of a player's games is held out for testing (the paper's 9 : 1)."""


@dataclass(frozen=True, slots=True, eq=False)
class Tallies(Rows):
    """One row a player and game: ``sums`` (n, len(SUMS)), ``player`` and ``game`` (n,) codes
    of the names in ``players`` and ``games``."""

    _WHOLE: ClassVar = ("players", "games")
    players: tuple[str, ...]
    games: tuple[str, ...]
    player: Ints
    game: Ints
    sums: Floats

    def counts(self) -> Ints:
        """(players,) the number of each player's games."""
        return np.bincount(self.player, minlength=len(self.players))

    def totals(self) -> Floats:
        """(players, len(SUMS)) sums over each player's games."""
        out = np.zeros((len(self.players), len(SUMS)))
        np.add.at(out, self.player, self.sums)
        return out

    def of(self, least: int) -> list[int]:
        """Codes of the players with at least so many games, most games first, then by name."""
        counts = self.counts()
        found = [int(p) for p in np.flatnonzero(counts >= max(least, 1))]
        return sorted(found, key=lambda p: (-int(counts[p]), self.players[p]))

    def holdout_mask(self) -> Bools:
        """(n,) mask of the rows held out for testing: a tenth of each player's games.

        Of a player's n games those n // 10 with the lowest hash of player and game, so a game
        may be in the training part of one player and in the test part of another, whose
        decisions differ.
        """
        out = np.zeros(len(self), dtype=bool)
        order: dict[int, list[tuple[bytes, int]]] = {}
        for row in range(len(self)):
            player, game = self.players[self.player[row]], self.games[self.game[row]]
            digest = hashlib.sha256(f"{player}\0{game}".encode()).digest()
            order.setdefault(int(self.player[row]), []).append((digest, row))
        for rows in order.values():
            for _, row in sorted(rows)[: len(rows) // TESTED]:
                out[row] = True
        return out


def tallies_of(games: Iterable[TalliedGame]) -> Tallies:
    """Tallies of some games; seats without a name or a hand played are left out."""
    players: dict[str, int] = {}
    names: list[str] = []
    player: list[int] = []
    game: list[int] = []
    sums: list[Sequence[float]] = []
    for name, sitting, rows in games:
        for seat, who in enumerate(sitting):
            if who and rows[seat][0] > 0:
                player.append(players.setdefault(who, len(players)))
                game.append(len(names))
                sums.append(rows[seat])
        names.append(name)
    return Tallies(
        tuple(players),
        tuple(names),
        np.array(player, dtype=np.int64),
        np.array(game, dtype=np.int64),
        np.array(sums).reshape(len(sums), len(SUMS)),
    )


def tally(games: Iterable[tuple[str, Game]]) -> Tallies:
    """Tallies of the hanchan among some (name, game). Raises RecordError, naming the game."""
    return tallies_of(tallied(games))


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Style vectors of some players: ``values`` (n, 19) with nan for what never occurred,
    ``occasions`` (n, 19) how often it did, ``games`` (n,)."""

    players: tuple[str, ...]
    games: Ints
    values: Floats
    occasions: Floats


def vectors(tallies: Tallies, least: int = 1) -> Vectors:
    """The style vectors of the players with at least so many games, most games first."""
    chosen = tallies.of(least)
    sums = tallies.totals()[chosen]
    return Vectors(
        tuple(tallies.players[p] for p in chosen),
        tallies.counts()[chosen],
        divide(sums),
        occasions(sums),
    )
