"""The factors of a ron's han, fitted to real rons: exact likelihood of the han that was paid.

Each ron of the train games is predicted by weights that did not see its game; the factors of
each class of opponent maximise the likelihood of the han paid, with a smoothness penalty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus
from haiyomi.corpus.walk import rows_of
from haiyomi.dealin.grid import GridOpponents
from haiyomi.dealin.han_factors import HAN, by_han
from haiyomi.dealin.models import load_model
from haiyomi.dealin.payment import red_grid
from haiyomi.events import Game
from haiyomi.game.labelled import labelled
from haiyomi.game.position import Position
from haiyomi.reading.opponent_class import CLASSES, class_of_player
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.tiles import Seat

Floats = NDArray[np.float64]
Row = tuple[int, Floats, int, int, bool, int]
GAMES_A_PIECE = 24
SMOOTH = 5.0
"""Weight of the squared steps from one number of han to the next, in rons."""


class Answers(Protocol):
    """A model's predictions of a ron: (34, 14, 12) cells of one opponent."""

    def read(self, positions: Sequence[Position]) -> Sequence[GridOpponents]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Rons:
    """(n,) rons: ``group`` the class of the winner, ``cells`` (n, 14, 12) the distribution over
    (han, fu) given the ron, ``han`` and ``points`` what it had and paid (without honba),
    ``dealer`` whether the winner was, ``game`` the number of its game and ``order`` which ron of
    that game it was."""

    group: NDArray[np.int64]
    cells: NDArray[np.float32]
    han: NDArray[np.int64]
    points: NDArray[np.int64]
    dealer: NDArray[np.bool_]
    game: NDArray[np.int64]
    order: NDArray[np.int64]

    @staticmethod
    def of(rows: Sequence[Row], game: int) -> Rons:
        """Columns of the rows of one game."""
        n = len(rows)
        return Rons(
            np.array([r[0] for r in rows], np.int64),
            np.array([r[1] for r in rows], np.float32).reshape(n, 14, 12),
            np.array([r[2] for r in rows], np.int64),
            np.array([r[3] for r in rows], np.int64),
            np.array([r[4] for r in rows], np.bool_),
            np.full(n, game),
            np.array([r[5] for r in rows], np.int64),
        )

    @staticmethod
    def concat(parts: Sequence[Rons]) -> Rons:
        """All rons of some parts, games as they are."""
        if not parts:
            return Rons.of([], 0)
        return Rons(*(np.concatenate([getattr(p, k) for p in parts]) for k in Rons.__slots__))


def rons_of(model: Answers, game: Game, number: int = 0) -> Rons:
    """The rons on discards of one game, as ``model`` (with no factors yet) answers.

    Raises RecordError if the record does not replay.
    """
    return Rons.of(list(_rons(model, game)), number)


def _rons(model: Answers, game: Game) -> Iterator[Row]:
    order = -1
    for one in labelled(game, lambda labels: labels.ronned > 0):
        position, tile, labels, i = one.position, one.discard.tile, one.labels, one.decision
        # The order is that of the decider's neighbours, from the right.
        for r in (1, 2, 3):
            opponent = Seat((one.seat + r) % 4)
            if opponent not in one.ronned_by:
                continue
            order += 1
            cells: Floats = model.read([position])[0].ron_grid(r).ron[tile.kind]
            if tile.red:
                cells = red_grid(cells)
            # A ron of probability 0 has no distribution over han.
            if (total := float(cells.sum())) > 0:
                group = class_of_player(position.players[r])
                han, paid = int(labels.han[i, opponent]), int(labels.points[i, opponent])
                yield group, cells / total, han, paid, position.dealer == r, order


def fit_factors(rons: Rons) -> Floats:
    """(len(CLASSES), HAN) log factors, mean zero over 1-3 han; zeros for a class without rons."""
    from scipy.optimize import minimize

    out = np.zeros((len(CLASSES), HAN))
    for c in range(len(CLASSES)):
        those = rons.group == c
        if not those.any():
            continue
        p = by_han(rons.cells[those].astype(np.float64)) + 1e-6
        han = np.minimum(rons.han[those], HAN - 1)
        counts = np.bincount(han, minlength=HAN)
        rows = np.arange(len(han))

        def loss(
            w: Floats, p: Floats = p, han: Any = han, counts: Any = counts, rows: Any = rows
        ) -> tuple[float, Floats]:
            z = p * np.exp(w)
            total = z.sum(axis=1)
            step = np.diff(w[1:])
            value = np.log(total).sum() - np.log(z[rows, han]).sum() + SMOOTH * (step @ step)
            gradient = (z / total[:, None]).sum(axis=0) - counts
            gradient[2:] += 2 * SMOOTH * step
            gradient[1:-1] -= 2 * SMOOTH * step
            # No win has 0 han; a small penalty keeps its factor finite.
            gradient[0] += 1e-2 * w[0]
            return float(value + 5e-3 * w[0] ** 2), gradient

        found = minimize(loss, np.zeros(HAN), jac=True, method="L-BFGS-B").x
        out[c] = found - found[1:4].mean()
    return out


def rons_of_piece(piece: Corpus, model: str) -> list[tuple[str, Rons]]:
    """(name, rons) of the games of a piece of a corpus; those that do not replay have none."""
    fitted: Any = load_model(model)
    return rows_of(piece, lambda name, game: (name, rons_of(fitted, game)))[0]


def collect_rons(
    records: Corpus,
    model: Path,
    games: Mapping[str, int],
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> Rons:
    """The rons of the named and numbered ``games`` among some records, in the records' order, as
    the ``model`` of a file answers."""
    chosen = records.where(lambda entry: entry.game_name in games).distinct()
    asking = partial(rons_of_piece, model=str(model))
    found = chosen.map_pieces(asking, GAMES_A_PIECE, jobs, progress)
    return Rons.concat(
        [
            replace(rons, game=np.full(len(rons.game), games[name]))
            for part in found
            for name, rons in part
        ]
    )
