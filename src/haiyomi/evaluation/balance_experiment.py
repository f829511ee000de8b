"""Is the balance right? Win rates in ten bins, realised points by balance decile.

Three discards a seat and hand, drawn as the fit draws them, from games that the fit has not seen.
*Balance* = P(win the hand) x mean points of such a win - mean points lost by dealing in with this
discard. Its gap to the realised change of score is what it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.evaluation.metrics import binary_score, interval, resample_weights
from haiyomi.training.balance_rows import BalanceRow

if TYPE_CHECKING:
    from haiyomi.dealin.answer import DealInModel
    from haiyomi.winning.recalibration import Recalibration

BINS = 10
RESAMPLES = 400
Floats = NDArray[np.float64]


def balance_results(
    rows: Iterable[BalanceRow], model: Recalibration, dealin: DealInModel, what: str
) -> dict[str, Any]:
    """The results JSON. ``what`` names the records."""
    games: list[str] = []
    columns: list[tuple[float, ...]] = []
    for row in rows:
        loss = dealin.assess(row.position, (row.tile,)).expected_loss(row.tile)
        p, points = model.win(row.position, row.own), model.points(row.position, row.own)
        games.append(row.game)
        columns.append(
            (p, row.own.win, float(row.won), p * points - loss, row.realised, points, row.gain)
        )
    table: Floats = np.array(columns, dtype=np.float64).reshape(-1, 7)
    p, own, won, balance, realised, points, gain = table.T
    _, game = np.unique(np.array(games), return_inverse=True)
    rng = np.random.default_rng(1)
    score = binary_score(p, won, game, rng, RESAMPLES)
    alone = binary_score(np.clip(own, 1e-6, 1 - 1e-6), won, game, rng, RESAMPLES)
    bins = _binned(p, p, won, game, rng)
    wins = won > 0
    return {
        "what": what,
        "deal_in_model": dealin.name,
        "games": int(game.max(initial=-1)) + 1,
        "rows": len(table),
        "win": None if score is None else score.to_json(),
        "own_draws_alone": None if alone is None else alone.to_json(),
        "win_bins": bins,
        "largest_gap": max((abs(b["predicted"] - b["observed"]) for b in bins), default=0.0),
        "points_of_wins": {
            "n": int(wins.sum()),
            "predicted": float(points[wins].mean()) if wins.any() else 0.0,
            "observed": float(gain[wins].mean()) if wins.any() else 0.0,
        },
        "balance_deciles": _binned(balance, balance, realised, game, rng),
    }


def _binned(
    by: Floats,
    predicted: Floats,
    observed: Floats,
    game: NDArray[np.int64],
    rng: np.random.Generator,
) -> list[dict[str, float]]:
    """Ten equal-count bins of ``by``; the interval is that of the observed mean, by game."""
    if len(by) == 0:
        return []
    order = np.argsort(by, kind="stable")
    weights = resample_weights(int(game.max()) + 1, rng, RESAMPLES).astype(np.float64)
    out = []
    for part in np.array_split(order, BINS):
        if len(part) == 0:
            continue
        w = weights[:, game[part]]
        with np.errstate(invalid="ignore"):
            low, high = interval(w @ observed[part] / w.sum(axis=1))
        out.append(
            {
                "n": len(part),
                "from": float(by[part[0]]),
                "to": float(by[part[-1]]),
                "predicted": float(predicted[part].mean()),
                "observed": float(observed[part].mean()),
                "low": low,
                "high": high,
            }
        )
    return out
