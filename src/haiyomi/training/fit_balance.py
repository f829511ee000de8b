"""The fit of the balance: wins by ron and others' threats from real hands of the train split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError, PositionError, RecordError
from haiyomi.logs.sources import read_all
from haiyomi.models import write_model
from haiyomi.training.balance_rows import BalanceRow, balance_rows
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


def rows_of(
    records: Sequence[Path],
    games: int,
    step: Callable[[int, int], None] | None = None,
    skipped: list[tuple[str, str]] | None = None,
) -> Iterator[BalanceRow]:
    """Rows of the first ``games`` readable records of some files or folders; (record, reason) of
    the others go to ``skipped``."""
    read = 0
    for name, game in read_all(records):
        try:
            if isinstance(game, RecordError):
                raise game
            rows = list(balance_rows(Path(name).stem, game, SEED))
        except (RecordError, PositionError) as error:
            if skipped is not None:
                skipped.append((name, error.what if isinstance(error, RecordError) else str(error)))
            continue
        yield from rows
        read += 1
        if step is not None:
            step(read, games)
        if read >= games:
            return


@dataclass(frozen=True, slots=True, eq=False)
class BalanceTable:
    """Rows as columns: ``features`` (n, len(FEATURES)), ``values`` (n, 6) as ``value_inputs``,
    ``opened``, ``won`` (n,), ``gain`` (n,) points, ``game`` (n,) numbered."""

    features: NDArray[np.float32]
    values: Floats
    opened: NDArray[np.bool_]
    won: NDArray[np.bool_]
    gain: Floats
    game: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Iterable[BalanceRow]) -> BalanceTable:
        """The columns of some rows, which need not fit in memory."""
        x, v, rest, games = [], [], [], []
        for r in rows:
            x.append(np.array(features(r.position, r.own), np.float32))
            v.append(value_inputs(r.position, r.own))
            rest.append((r.position.players[0].open_melds > 0, r.won, r.gain))
            games.append(r.game)
        other: Floats = np.array(rest, dtype=np.float64).reshape(-1, 3)
        return cls(
            np.array(x, dtype=np.float32).reshape(-1, len(FEATURES)),
            np.array(v, dtype=np.float64).reshape(-1, 6),
            other[:, 0] > 0,
            other[:, 1] > 0,
            other[:, 2],
            np.unique(np.array(games), return_inverse=True)[1],
        )


def fit_balance(
    records: Path,
    out: Path,
    games: int = GAMES,
    step: Callable[[int, int], None] | None = None,
    skipped: list[tuple[str, str]] | None = None,
) -> dict[str, Any]:
    """Fit on ``games`` records and write the model file; (record, reason) of what could not be
    read go to ``skipped``. Raises HaiyomiError for too few rows.
    """
    if not records.exists():
        raise HaiyomiError(f"no such file or folder: {records}")
    table = BalanceTable.of(rows_of([records], games, step, skipped))
    wins = int(table.won.sum())
    if len(table.won) < 200 or wins < 50:
        raise HaiyomiError(f"{records}: {len(table.won)} decisions are too few to fit the balance")
    payload = payload_of(table)
    manifest = {
        "command": "haiyomi fit balance TRAIN",
        "fitted_on": records.name,
        "games": int(table.game.max()) + 1,
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
    fitted = LogisticRegression(C=10.0, max_iter=2000, tol=1e-8).fit((x - mean) / scale, table.won)
    weights = fitted.coef_[0] / scale
    payload: dict[str, Any] = {
        "features": list(FEATURES),
        "constant": float(fitted.intercept_[0] - weights @ mean),
        "weights": weights.tolist(),
    }
    odds = payload["constant"] + x @ weights
    columns = value_columns(table.values, 1 / (1 + np.exp(-odds)))
    for name, opened in (("closed", False), ("opened", True)):
        those = table.won & (table.opened == opened)
        v, gain = columns[those], table.gain[those]
        # A little ridge: with few wins a column may not vary.
        ridge = 0.1 * np.eye(VALUES)
        payload[name] = np.linalg.solve(v.T @ v + ridge, v.T @ gain).tolist()
    return payload
