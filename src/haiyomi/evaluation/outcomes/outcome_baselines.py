"""The baselines of the outcome forecast: constants, and boosted trees on summary numbers.

Decisions of train teach, decisions of valid measure; both are a fixed share of all decisions, drawn
by a hash of their place. The trees see ``outcome_summary.summary`` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats
from haiyomi.evaluation.metrics import (
    by_game,
    calibration_bins,
    ratio_estimate,
    score_json,
)
from haiyomi.evaluation.outcomes.outcome_summary import summary
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.outcomes.ending import Ending
from haiyomi.seeds import generator
from haiyomi.training.outcome_rows import OutcomeRows

SEED = 23
BINS = 10
LATE_DRAWS = 24
"""A decision is late with fewer draws left: from the end of the twelfth turn on."""
TSUMO_OF_ANOTHER = {Ending.TSUMO_RIGHT, Ending.TSUMO_ACROSS, Ending.TSUMO_LEFT}


def _among(rows: OutcomeRows, endings: Callable[[Ending], bool]) -> Bools:
    wanted = np.array([endings(ending) for ending in Ending])
    out: Bools = wanted[rows.ending]
    return out


def labels_of(rows: OutcomeRows) -> dict[str, Bools]:
    """What is predicted of each decision: the win, a deal-in with a later tile, another's tsumo."""
    deals_in = _among(rows, lambda ending: ending.deals_in)
    return {
        "win": _among(rows, lambda ending: ending.wins),
        "later deal-in": deals_in & ~rows.at_once,
        "tsumo of another": _among(rows, lambda ending: ending in TSUMO_OF_ANOTHER),
    }


def baseline_results(train: OutcomeRows, valid: OutcomeRows, what: str) -> dict[str, Any]:
    """The results JSON: label statistics, and what constants and boosted trees reach on valid."""
    x, held = summary(train.decisions), summary(valid.decisions)
    game = valid.labels["game"]
    known = labels_of(valid)
    binary = {
        name: score_json(_classifier(x, label, held), known[name], game, generator(SEED))
        for name, label in labels_of(train).items()
    }
    predicted = _regressor(x, train.change, held)
    change = valid.change
    late = valid.decisions["observation"]["draws_left"] < LATE_DRAWS
    mean = float(train.change.mean())
    return {
        "what": what,
        "features": x.shape[1],
        "train": _size(train),
        "valid": _size(valid),
        "endings": _endings(train, valid),
        "binary": binary,
        "change": {
            "all": squared_skill(predicted, change, mean, game),
            "fewer than 24 draws left": squared_skill(
                predicted[late], change[late], mean, game[late]
            ),
        },
        "change_deciles": calibration_bins(predicted, change, game, BINS, generator(SEED)),
    }


def _size(rows: OutcomeRows) -> dict[str, int]:
    return {"games": len(np.unique(rows.labels["game"])), "decisions": len(rows)}


def _endings(train: OutcomeRows, valid: OutcomeRows) -> list[dict[str, Any]]:
    """The share of each ending in both splits, and the mean and spread of the change with it."""
    out = []
    ended, held = train.ending, valid.ending
    for ending in Ending:
        mine = ended == ending
        change = train.change[mine]
        out.append(
            {
                "ending": ending.text,
                "train": float(mine.mean()),
                "valid": float((held == ending).mean()),
                "points": float(change.mean()) if len(change) else None,
                "spread": float(change.std()) if len(change) else None,
            }
        )
    return out


def _classifier(x: NDArray[Any], label: Bools, held: NDArray[Any]) -> Floats:
    """P(label) of held rows by boosted trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    trees = HistGradientBoostingClassifier(
        max_iter=200, learning_rate=0.06, max_leaf_nodes=31, min_samples_leaf=100,
        l2_regularization=5.0, early_stopping=False, random_state=SEED,
    )  # fmt: skip
    out: Floats = trees.fit(x, label).predict_proba(held)[:, 1]
    return out


def _regressor(x: NDArray[Any], y: Floats, held: NDArray[Any]) -> Floats:
    """The expected change of score of held rows by boosted trees."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    trees = HistGradientBoostingRegressor(
        max_iter=150, learning_rate=0.05, max_leaf_nodes=31, min_samples_leaf=200,
        l2_regularization=5.0, early_stopping=False, random_state=SEED,
    )  # fmt: skip
    out: Floats = trees.fit(x, y).predict(held)
    return out


def squared_skill(
    predicted: Floats, change: Floats, mean: float, game: NDArray[Any]
) -> dict[str, Any]:
    """1 - squared error / squared distance from ``mean``, and its interval by game."""
    error = (change - predicted) ** 2
    ratio = ratio_estimate(error, (change - mean) ** 2, game, generator(SEED))
    return {"n": len(change), **ratio.complement().to_json()}


def reports(results: dict[str, Any]) -> list[Report]:
    """What the trees reach, the change of score by decile, and the endings."""
    scope = Scope(results["valid"]["games"], results["what"], by_game(results["valid"]["games"]))
    binary = [
        (
            name,
            score["n"],
            Figure(score["rate"], ".1%"),
            Figure(score["constant"], ".4f"),
            Figure.of(score["log_loss"], ".4f"),
            Figure.of(score["skill"], ".1%"),
            Figure.of(score["auc"], ".3f"),
        )
        for name, score in results["binary"].items()
        if score is not None
    ]
    change = [(name, r["n"], Figure.of(r, ".3f")) for name, r in results["change"].items()]
    deciles = [
        (
            str(number),
            b["n"],
            Figure(b["predicted"], ",.0f"),
            Figure(b["observed"], ",.0f", b["low"], b["high"]),
        )
        for number, b in enumerate(results["change_deciles"], 1)
    ]
    endings = [
        (
            e["ending"],
            Figure(e["train"], ".2%"),
            Figure(e["valid"], ".2%"),
            Figure(e["points"], ",.0f"),
            Figure(e["spread"], ",.0f"),
        )
        for e in results["endings"]
    ]
    return [
        Report(
            "Boosted trees on summary numbers",
            ("what", "n", "rate", "log loss of the constant", "log loss", "skill", "AUC"),
            tuple(binary),
            scope,
        ),
        Report("R2 of the change of score", ("decisions", "n", "R2"), tuple(change), scope),
        Report(
            "Change of score by tenth of the prediction, points",
            ("tenth", "n", "predicted", "observed"),
            tuple(deciles),
            scope,
        ),
        Report(
            "Endings",
            (
                "ending",
                "share of train",
                "share of valid",
                "mean change, points",
                "standard deviation, points",
            ),
            tuple(endings),
            Scope(interval="change of score on train"),
        ),
    ]
