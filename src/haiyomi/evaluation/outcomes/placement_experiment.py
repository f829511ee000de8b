"""How good the placements are: beside a model of scores and round alone, and plain baselines.

Rows are the starts of all hands of whole games and the four seats of each. The log loss is that of
a seat's final place. Every baseline is fitted on the same train records.

*Scores and round*: the same network, but it sees only the four scores, the hand's number and the
game's length: not who deals, nor honba, deposits, or who is ahead on equal scores. *Multinomial*
and *boosted trees* predict a seat's place from the scores from that seat on, its turn, hand,
length, honba and deposits.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from haiyomi.arrays import Bools, Floats, Singles
from haiyomi.corpus import Skipped
from haiyomi.corpus.entry import nothing_read
from haiyomi.evaluation.metrics import by_game, calibration_bins, mean_estimate
from haiyomi.evaluation.outcomes.option_placement import hand_name
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.outcomes.placement import COLUMNS, PLACE_MARKS, PlacementModel, inputs
from haiyomi.outcomes.starts import Starts
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.training.fit_placement import (
    PlacementSettings,
    fit_network,
    place_loss,
)
from haiyomi.training.placement_rows import PlacementRows, placement_rows

SEED = 23
BINS = 10
BASELINES = ("scores and round", "multinomial", "boosted trees")


def placement_results(
    train: Sequence[Path],
    records: Sequence[Path],
    model: PlacementModel,
    what: str,
    progress: Progress | None = None,
) -> tuple[dict[str, Any], list[Skipped]]:
    """The results JSON of a model on ``records``, which are called ``what``, and what was left out.

    The baselines are fitted on ``train``. Raises DatasetError where a source cannot be read
    or has no whole game.
    """
    fitted_on, left_out = placement_rows(train, progress)
    rows, skipped = placement_rows(records, progress)
    for found, out in ((fitted_on, left_out), (rows, skipped)):
        if not len(found):
            raise nothing_read(out, "the records hold no whole game")
    places = {"placement": model.starts(rows.starts).places, **_baselines(fitted_on, rows)}
    losses = {name: place_loss(p, rows.place) for name, p in places.items()}
    cells = [("all", np.ones(len(rows), bool)), *_cells(rows.starts)]
    results = {
        "what": what,
        "games": int(rows.game.max(initial=-1)) + 1,
        "rows": len(rows),
        "train_games": int(fitted_on.game.max(initial=-1)) + 1,
        "cells": {name: _cell(rows, losses, mask) for name, mask in cells if mask.any()},
        "calibration": _calibration(rows, places["placement"]),
        "final": final_errors(rows, model.starts(rows.starts).final),
    }
    return results, skipped


def _cells(starts: Starts) -> list[tuple[str, Bools]]:
    """The rows of each hand of both lengths; those of extra rounds together."""
    found = []
    for rounds in (1, 2):
        those = starts.rounds == rounds
        for kyoku in range(4 * rounds):
            found.append((hand_name(rounds, kyoku), those & (starts.kyoku == kyoku)))
        found.append((hand_name(rounds, 4 * rounds), those & (starts.kyoku >= 4 * rounds)))
    return found


def _cell(rows: PlacementRows, losses: dict[str, Floats], mask: Bools) -> dict[str, Any]:
    """The log losses in a cell, and how much lower the model's is than that of each baseline."""
    game = rows.game[mask]

    def mean(values: Floats) -> dict[str, float | None]:
        return mean_estimate(values, game, generator(SEED)).to_json()

    own = losses["placement"][mask]
    return {
        "rows": len(game),
        "games": len(np.unique(game)),
        "log_loss": {name: mean(loss[mask]) for name, loss in losses.items()},
        "gain": {name: mean(losses[name][mask] - own) for name in BASELINES},
    }


def _calibration(rows: PlacementRows, places: Floats) -> dict[str, list[dict[str, Any]]]:
    """For each place ten bins of equal count of its probability: predicted and observed."""
    game = np.repeat(rows.game, 4)
    found = {}
    for place in range(4):
        hit = (rows.place == place).ravel()
        found[str(place + 1)] = calibration_bins(
            places[:, :, place].ravel(), hit, game, BINS, generator(SEED)
        )
    return found


def final_errors(rows: PlacementRows, final: Floats) -> dict[str, float]:
    """Root mean squared errors of the final score: of the model, and of the score as it is."""
    came = rows.final.astype(np.float64)  # int32 cannot hold the squares
    errors = {"model": final - came, "score": rows.starts.scores - came}
    return {name: float(np.sqrt((error**2).mean())) for name, error in errors.items()}


# -- baselines ------------------------------------------------------------------------------------


def _baselines(train: PlacementRows, rows: PlacementRows) -> dict[str, Floats]:
    """(n, 4, 4) probabilities by absolute seat of each of ``BASELINES``."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    by_score = fit_network(train, PlacementSettings(), _see_scores)
    p, _ = by_score.orders(_see_scores(rows.starts))
    linear = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200))
    linear.fit(_seat_rows(train.starts), train.place.ravel())
    return {
        "scores and round": (p @ PLACE_MARKS.T).reshape(-1, 4, 4),
        "multinomial": linear.predict_proba(_seat_rows(rows.starts)).reshape(-1, 4, 4),
        "boosted trees": _trees(train, rows),
    }


def _see_scores(starts: Starts) -> Singles:
    """What the model of scores and round sees: the scores, the hand, the length."""
    x = inputs(starts)
    for hidden in ("turns", "honba", "sticks"):
        x[:, :, COLUMNS[hidden]] = 0
    x[:, :, COLUMNS["ahead"]] = np.sign(x[:, :, COLUMNS["differences"]][:, :, :1])
    return x


def _trees(train: PlacementRows, rows: PlacementRows) -> Floats:
    """(n, 4, 4) by gradient boosting of a seat's place, made to sum to one over the seats."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    trees = HistGradientBoostingClassifier(
        max_iter=150, learning_rate=0.1, max_leaf_nodes=31, random_state=SEED, early_stopping=False
    )
    trees.fit(_seat_rows(train.starts), train.place.ravel())
    out: Floats = trees.predict_proba(_seat_rows(rows.starts)).reshape(-1, 4, 4)
    return out


def _seat_rows(starts: Starts) -> Floats:
    """(4n, 10): scores from the seat on, its turn and number, kyoku, length, honba, sticks."""
    n = len(starts)
    parts = []
    for seat in range(4):
        around = (seat + np.arange(4)) % 4
        turn = (seat - starts.kyoku) % 4
        parts.append(
            np.column_stack(
                [
                    starts.scores[:, around],
                    turn,
                    np.full(n, seat),
                    starts.kyoku,
                    starts.rounds,
                    starts.honba,
                    starts.sticks,
                ]
            )
        )
    return np.stack(parts, axis=1).reshape(4 * n, -1).astype(np.float64)


def reports(results: dict[str, Any]) -> list[Report]:
    """Log loss by hand, what each baseline loses to it, calibration."""
    scope = Scope(results["games"], results["what"], by_game(results["games"]))
    losses, gains = [], []
    for name, cell in results["cells"].items():
        loss = cell["log_loss"]
        shown = [Figure.of(loss["placement"], ".4f")]
        shown += [Figure(loss[baseline]["value"], ".4f") for baseline in BASELINES]
        losses.append((name, cell["rows"], *shown))
        gains.append((name, *(Figure.of(cell["gain"][b], ".4f") for b in BASELINES)))
    bins = [
        (f"{place}, {number}", b["n"], Figure(b["predicted"], ".1%"), _observed(b))
        for place, of_place in results["calibration"].items()
        for number, b in enumerate(of_place, 1)
    ]
    return [
        Report(
            "Log loss of a seat's final place",
            ("start of", "hands", "placement", *BASELINES),
            tuple(losses),
            scope,
        ),
        Report(
            "Log loss of a baseline less that of the placement model",
            ("start of", *BASELINES),
            tuple(gains),
            scope,
        ),
        Report(
            "Calibration",
            ("place, tenth of its probability", "n", "predicted", "observed"),
            tuple(bins),
            scope,
        ),
    ]


def _observed(b: dict[str, float]) -> Figure:
    return Figure(b["observed"], ".1%", b["low"], b["high"])
