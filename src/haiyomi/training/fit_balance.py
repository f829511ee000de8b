"""The fit of the balance: a regression of wins on real hands of the train split."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import rows_of
from haiyomi.errors import HaiyomiError
from haiyomi.events import Game
from haiyomi.shards import Jobs
from haiyomi.storage.model_file import write_model
from haiyomi.storage.resume import Progress
from haiyomi.training.balance_rows import BalanceRow, balance_rows
from haiyomi.training.first_games import first_games
from haiyomi.winning.recalibration import (
    FEATURES,
    NAME,
    VALUES,
    VERSION,
    features,
    value_columns,
    value_inputs,
)

SEED = 7
GAMES = 2500
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BalanceTable:
    """Rows as columns: ``features`` (n, len(FEATURES)), ``values`` (n, 6) as ``value_inputs``,
    ``opened``, ``won`` (n,), ``gain`` (n,) points."""

    features: NDArray[np.float32]
    values: Floats
    opened: NDArray[np.bool_]
    won: NDArray[np.bool_]
    gain: Floats

    @classmethod
    def of(cls, rows: Iterable[BalanceRow]) -> BalanceTable:
        """The columns of the rows of one game."""
        x, v, rest = [], [], []
        for r in rows:
            x.append(np.array(features(r.position, r.own), np.float32))
            v.append(value_inputs(r.position, r.own))
            rest.append((r.position.players[0].open_melds > 0, r.won, r.gain))
        other: Floats = np.array(rest, dtype=np.float64).reshape(-1, 3)
        return cls(
            np.array(x, dtype=np.float32).reshape(-1, len(FEATURES)),
            np.array(v, dtype=np.float64).reshape(-1, 6),
            other[:, 0] > 0,
            other[:, 1] > 0,
            other[:, 2],
        )

    @classmethod
    def concat(cls, tables: Sequence[BalanceTable]) -> BalanceTable:
        """The rows of some games, one after the other."""
        columns = (np.concatenate([getattr(t, f.name) for t in tables]) for f in fields(cls))
        return cls(*columns)


def tables_of(piece: Corpus) -> tuple[list[BalanceTable], Sequence[Skipped]]:
    """The rows of each game of a piece of the corpus."""

    def table(name: str, game: Game) -> BalanceTable:
        return BalanceTable.of(balance_rows(name, game, SEED))

    return rows_of(piece, table)


def fit_balance(
    records: Path,
    out: Path,
    games: int = GAMES,
    step: Progress | None = None,
    skipped: list[Skipped] | None = None,
    jobs: Jobs = None,
) -> dict[str, Any]:
    """Fit on ``games`` records and write the model file; (record, reason) of what could not be
    read go to ``skipped``. Raises HaiyomiError for too few rows.
    """
    if not records.exists():
        raise HaiyomiError(f"no such file or folder: {records}")
    tables, left_out = first_games(tables_of, [records], games, jobs, step)
    if skipped is not None:
        skipped += left_out
    table = BalanceTable.concat([BalanceTable.of(()), *tables])
    wins = int(table.won.sum())
    if len(table.won) < 200 or wins < 50:
        raise HaiyomiError(f"{records}: {len(table.won)} decisions are too few to fit the balance")
    payload = payload_of(table)
    manifest = {
        "command": "haiyomi fit balance TRAIN",
        "fitted_on": records.name,
        "games": sum(len(each.won) > 0 for each in tables),
        "rows": len(table.won),
        "wins": wins,
        "seed": SEED,
    }
    write_model(out, NAME, VERSION, payload, manifest)
    return manifest


def payload_of(table: BalanceTable) -> dict[str, Any]:
    """The tables of the model, fitted on some rows."""
    from sklearn.linear_model import LogisticRegression

    x = table.features.astype(np.float64)
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    # Newton's method converges to the same point whatever the order of the sums; L-BFGS stopped
    # about 1e-4 apart with one thread and with two.
    solver = LogisticRegression(C=10.0, solver="newton-cholesky", max_iter=200, tol=1e-10)
    fitted = solver.fit((x - mean) / scale, table.won)
    weights = fitted.coef_[0] / scale
    payload: dict[str, Any] = {
        "features": list(FEATURES),
        "constant": _eight_digits(fitted.intercept_[0] - weights @ mean),
        "weights": [_eight_digits(w) for w in weights],
    }
    odds = payload["constant"] + x @ np.array(payload["weights"])
    columns = value_columns(table.values, 1 / (1 + np.exp(-odds)))
    for name, opened in (("closed", False), ("opened", True)):
        those = table.won & (table.opened == opened)
        v, gain = columns[those], table.gain[those]
        # A little ridge: with few wins a column may not vary.
        ridge = 0.1 * np.eye(VALUES)
        payload[name] = [_eight_digits(w) for w in np.linalg.solve(v.T @ v + ridge, v.T @ gain)]
    return payload


def _eight_digits(value: float) -> float:
    """Rounded to eight digits, which do not depend on the order of the sums."""
    return float(f"{value:.8g}")
