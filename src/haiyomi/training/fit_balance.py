"""The fit of the balance: wins by ron and others' threats from real hands of the train split."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.logs.sources import read_all
from haiyomi.models import write_model
from haiyomi.training.balance_rows import BalanceRow, balance_rows
from haiyomi.winning.recalibration import FEATURES, NAME, VERSION, features, value_features

SEED = 7
GAMES = 1500
Floats = NDArray[np.float64]


def rows_of(
    records: Sequence[Path], games: int, step: Callable[[int, int], None] | None = None
) -> Iterator[BalanceRow]:
    """Rows of the first ``games`` readable records of some files or folders."""
    read = 0
    for name, game in read_all(records):
        if isinstance(game, RecordError):
            continue
        yield from balance_rows(Path(name).stem, game, SEED)
        read += 1
        if step is not None:
            step(read, games)
        if read >= games:
            return


def fit_balance(
    records: Path,
    out: Path,
    games: int = GAMES,
    step: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Fit on ``games`` records and write the model file. Raises HaiyomiError for too few rows."""
    rows = list(rows_of([records], games, step))
    wins = sum(r.won for r in rows)
    if len(rows) < 200 or wins < 50:
        raise HaiyomiError(f"{records}: {len(rows)} decisions are too few to fit the balance")
    payload = payload_of(rows)
    manifest = {
        "fitted_on": records.name,
        "games": len({r.game for r in rows}),
        "rows": len(rows),
        "wins": wins,
        "seed": SEED,
    }
    write_model(out, NAME, VERSION, payload, manifest)
    return manifest


def payload_of(rows: Sequence[BalanceRow]) -> dict[str, Any]:
    """The tables of the model, fitted on some rows."""
    from sklearn.linear_model import LogisticRegression

    won = np.array([r.won for r in rows])
    x: Floats = np.array([features(r.position, r.own) for r in rows])
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    fitted = LogisticRegression(C=10.0, max_iter=2000, tol=1e-8).fit((x - mean) / scale, won)
    weights = fitted.coef_[0] / scale
    payload: dict[str, Any] = {
        "features": list(FEATURES),
        "constant": float(fitted.intercept_[0] - weights @ mean),
        "weights": weights.tolist(),
    }
    for name, opened in (("closed", False), ("opened", True)):
        those = [r for r in rows if r.won and bool(r.position.players[0].open_melds) == opened]
        v: Floats = np.array([value_features(r.position, r.own) for r in those])
        gain = np.array([float(r.gain) for r in those])
        # A little ridge: with few wins a column may not vary.
        ridge = np.diag([1e-6, 1.0, 1e-3, 1.0, 1e-3])
        payload[name] = np.linalg.solve(v.T @ v + ridge, v.T @ gain).tolist()
    return payload
