"""The rows behind Table 4: as many discards of every class, each player giving as many games.

Players differ in how many games they have by a factor of forty. Games are therefore drawn in
rounds, one game of every player of the class a round, until the class has its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Ints
from haiyomi.corpus import Corpus
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.styles.discard_network import Discards
from haiyomi.styles.statistics import COLUMN
from haiyomi.styles.sums_table import Tallies
from haiyomi.training.fit_discard_network import SEED, collect_discards

DISCARDS_A_HAND: Final = 9
"""Fewer discards than a player makes in a hand on average: games are drawn until they suffice."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Rows of each class: to learn from, to follow the fit on, and to test on."""

    learn: int = 40_000
    choose: int = 3_000
    test: int = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Table4Rows:
    """Rows by use, one ``Discards`` for each class: ``learn`` of games of the train split,
    ``choose`` of the valid split, ``test`` of the tenth of each player's games that neither
    classes nor networks learn from. ``players`` who gave rows to each class."""

    learn: tuple[Discards, ...]
    choose: tuple[Discards, ...]
    test: tuple[Discards, ...]
    players: tuple[int, ...]

    def mixed(self, rows: int) -> Discards:
        """So many rows to learn from, an equal share of each class."""
        rng = generator(SEED, 4)
        share = rows // len(self.learn)
        return Discards.join([
            part.take(np.sort(rng.permutation(len(part))[:share])) for part in self.learn
        ])  # fmt: skip


def splits_of(
    tallies: Tallies,
    label: dict[int, int],
    sources: Sequence[Path],
    valid: Sequence[Path],
    sizes: Sizes,
    engine: Jobs = None,
    progress: Progress | None = None,
) -> Table4Rows:
    """Draw games for every class and read their discards; ``label`` is the class of each player's
    code. Raises DatasetError where a class has too few rows."""
    classes = max(label.values()) + 1
    use = _uses(tallies, valid)
    wanted: dict[str, tuple[int, dict[str, int]]] = {}
    drawn: dict[tuple[int, int], tuple[int, int]] = {}
    for number in range(classes):
        for part, size in enumerate((sizes.learn, sizes.choose, sizes.test)):
            mine = [p for p, c in label.items() if c == number]
            for row in _drawn(tallies, mine, use == part, size, (number, part)):
                player, game = int(tallies.player[row]), int(tallies.game[row])
                drawn[player, game] = (number, part)
                names = wanted.setdefault(tallies.games[game], (game, {}))[1]
                names[tallies.players[player]] = player
    found = collect_discards(sources, wanted, engine, progress)
    keys = [drawn[key] for key in zip(found.player.tolist(), found.game.tolist(), strict=True)]
    of = np.array(keys, dtype=np.int64).reshape(-1, 2)
    rng = generator(SEED, 5)

    def cut(number: int, part: int, size: int) -> Discards:
        rows = np.flatnonzero((of[:, 0] == number) & (of[:, 1] == part))
        if len(rows) < size:
            raise DatasetError(
                f"class {number} has {len(rows):,} of {size:,} rows: give more records, or fewer "
                "rows by --sample"
            )
        return found.take(np.sort(rng.permutation(rows)[:size]))

    learn, choose, test = (
        tuple(cut(number, part, size) for number in range(classes))
        for part, size in enumerate((sizes.learn, sizes.choose, sizes.test))
    )
    return Table4Rows(learn, choose, test, tuple(len(np.unique(rows.player)) for rows in learn))


def _uses(tallies: Tallies, valid: Sequence[Path]) -> Ints:
    """(n,) of each row of the tallies: 0 to learn, 1 to choose, 2 to test."""
    held_out = {entry.game_name for entry in Corpus(valid).entries}
    choosing = np.array([name in held_out for name in tallies.games])[tallies.game]
    out: Ints = np.where(tallies.holdout_mask(), 2, choosing.astype(np.int64))
    return out


def _drawn(
    tallies: Tallies, players: Sequence[int], usable: Bools, size: int,
    name: tuple[int, int],
) -> list[int]:  # fmt: skip
    """Rows of the tallies: one of every player a round, until they hold enough discards."""
    rng = generator(SEED, 3, *name)
    games = [
        rng.permutation(np.flatnonzero(usable & (tallies.player == p))).tolist() for p in players
    ]
    out: list[int] = []
    expected = 0.0
    for turn in range(max(map(len, games), default=0)):
        for mine in games:
            if turn < len(mine) and expected < size:
                out.append(mine[turn])
                expected += DISCARDS_A_HAND * tallies.sums[mine[turn], COLUMN["hands"]]
    return out
