"""Is the balance right? Win rates in ten bins, realised points by balance decile.

Three discards a seat and hand, drawn as the fit draws them, from games that the fit has not seen.
*Balance* = P(win the hand) x mean points of such a win - mean points lost by dealing in with this
discard. Its gap to the realised change of score is what it leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import rows_of
from haiyomi.evaluation.metrics import binary_score, interval, resample_weights
from haiyomi.events import Game
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.training.balance_rows import balance_rows
from haiyomi.training.first_games import first_games
from haiyomi.training.fit_balance import SEED

if TYPE_CHECKING:
    from haiyomi.dealin.answer import DealInModel
    from haiyomi.winning.recalibration import Recalibration

BINS = 10
RESAMPLES = 400
COLUMNS = 7
Floats = NDArray[np.float64]


def judged(piece: Corpus, model: str, fitted: Path | None) -> tuple[list[Floats], list[Skipped]]:
    """Of each game its rows (n, 7): P(win), that by own draws, whether the seat
    won, the balance, the realised change of score, the points of a win, what a win brought."""
    from haiyomi.dealin.answer import assess

    dealin, wins = _models(model, fitted)

    def of_game(name: str, game: Game) -> Floats:
        columns = []
        for row in balance_rows(name, game, SEED):
            loss = assess(dealin, row.position, (row.tile,)).expected_loss(row.tile)
            p, points = wins.win(row.position, row.own), wins.points(row.position, row.own)
            balance = p * points - loss
            won = float(row.won)
            columns.append((p, row.own.win, won, balance, row.realised, points, row.gain))
        return np.array(columns, dtype=np.float64).reshape(-1, COLUMNS)

    found, skipped = rows_of(piece, of_game)
    return found, list(skipped)


@lru_cache(maxsize=1)
def _models(model: str, fitted: Path | None) -> tuple[DealInModel, Recalibration]:
    from haiyomi.dealin.models import load_model
    from haiyomi.winning.recalibration import Recalibration

    return load_model(model), Recalibration.load(fitted)


def balance_results(
    sources: Sequence[Path],
    games: int,
    model: str,
    fitted: Path | None,
    what: str,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> tuple[dict[str, Any], list[Skipped]]:
    """The results JSON of the first ``games`` readable games, and what was left out. ``what`` names
    the records. Raises HaiyomiError for a model that is none."""
    dealin, _ = _models(model, fitted)
    ask = partial(judged, model=model, fitted=fitted)
    found, skipped = first_games(ask, sources, games, jobs, progress)
    tables = [table for table in found if len(table)]
    game = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    return _results(
        np.concatenate([np.zeros((0, COLUMNS)), *tables]), game, dealin.name, what
    ), skipped


def _results(table: Floats, game: NDArray[np.int64], dealin: str, what: str) -> dict[str, Any]:
    p, own, won, balance, realised, points, gain = table.T
    rng = generator(1)
    score = binary_score(p, won, game, rng, RESAMPLES)
    by_own_draws = binary_score(np.clip(own, 1e-6, 1 - 1e-6), won, game, rng, RESAMPLES)
    bins = _binned(p, p, won, game, rng)
    wins = won > 0
    return {
        "what": what,
        "deal_in_model": dealin,
        "games": int(game.max(initial=-1)) + 1,
        "rows": len(table),
        "win": None if score is None else score.to_json(),
        "own_draws": None if by_own_draws is None else by_own_draws.to_json(),
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
