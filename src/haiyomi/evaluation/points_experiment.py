"""Han and points of real rons, each predicted by models that were fitted without its game.

All games of the corpus are dealt to folds. For each fold the weights of tenpai hands are fitted
on the other folds' games, and the factors of a ron's han on the other folds' rons; the paper's
model likewise, on the same rons. The constant is what winners of a class had in the other folds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.corpus import Corpus
from haiyomi.corpus.splits import SPLITS, corpus_files
from haiyomi.dealin.han_factors import weighed
from haiyomi.dealin.payment import points_grid
from haiyomi.errors import DatasetError
from haiyomi.evaluation.dealin_experiment import SEED, fold
from haiyomi.evaluation.dealin_tables import finite
from haiyomi.evaluation.metrics import interval, resample_weights
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.model_file import read_model, write_model
from haiyomi.training.fit_han import Rons, collect_rons, fit_factors
from haiyomi.training.fit_posterior import Settings
from haiyomi.training.reading_rows import ReadingRows, build_rows, load_rows

Floats = NDArray[np.float64]
RESAMPLES = 1000
CRPS = ("crps", "other_crps", "constant_crps")


def run(
    corpus: Path,
    dataset: Path,
    rows_folder: Path,
    folds: int,
    settings: Settings,
    bar: Callable[[str, str], Any],
    jobs: Jobs = None,
) -> dict[str, Any]:
    """Fit, ask and judge; results JSON. ``bar(what, unit)`` is a context giving a progress
    callback. Raises DatasetError."""
    files = corpus_files(corpus) or {}
    records = Corpus([path for split in SPLITS for path in files.get(split, [])])
    with bar("rows", "games") as progress:
        build_rows(corpus, rows_folder, jobs, progress)
    rows = ReadingRows.concat([load_rows(rows_folder, split) for split in SPLITS])
    fold_of = np.array([fold(game, folds) for game in rows.games])
    numbers = {game: i for i, game in enumerate(rows.games)}
    with tempfile.TemporaryDirectory(prefix="haiyomi-folds-") as folder:
        models = {
            "posterior": posteriors(Path(folder), rows, fold_of, settings, bar),
            "kurita-hoki": papers(Path(folder), dataset, rows.games, fold_of),
        }
        rons_of: dict[str, Rons] = {}
        for name, paths in models.items():
            parts = []
            for k, path in enumerate(paths):
                mine = {g: i for g, i in numbers.items() if fold_of[i] == k}
                with bar(f"predicting with {name} without fold {k + 1}", "games") as progress:
                    parts.append(collect_rons(records, path, mine, jobs, progress))
            rons_of[name] = Rons.concat(parts)
    ours, theirs = matched(rons_of["posterior"], rons_of["kurita-hoki"])
    if len(ours.han) == 0:
        raise DatasetError(f"{corpus}: no ron to judge")
    factored = with_factors(ours, fold_of[ours.game], folds)
    return {
        "experiment": "evaluate points",
        "haiyomi": haiyomi.__version__,
        "folds": folds,
        "games": len(rows.games),
        "rons": {name: len(found.han) for name, found in rons_of.items()} | {"both": len(ours.han)},
        "interval": "95%, bootstrap by game",
        "seed": SEED,
        "by_class": judge(ours, factored, theirs.cells.astype(np.float64), fold_of[ours.game]),
    }


def posteriors(
    folder: Path,
    rows: ReadingRows,
    fold_of: NDArray[Any],
    settings: Settings,
    bar: Callable[[str, str], Any],
) -> list[Path]:
    """Model files, one a fold: weights fitted without it, the shipped forests and network (which
    say how likely a ron is, not what it is worth), no factors of han."""
    from haiyomi.dealin.posterior_model import NAME, VERSION, shipped_file
    from haiyomi.training.fit_posterior import fit
    from haiyomi.training.model_average import to_float16, weights_payload
    from haiyomi.training.pretrain import pretrained_weights

    payload, _ = read_model(shipped_file(), NAME, VERSION)
    payload["han"] = np.zeros_like(np.array(payload["han"])).tolist()
    _, begin = pretrained_weights()
    out = []
    for k in range(int(fold_of.max()) + 1):
        with bar(f"weights without fold {k + 1}", "steps") as progress:
            found, _ = fit(
                rows, None, replace(settings, every=100_000),
                report=lambda line, tell=progress: tell(line["step"], line["steps"]),  # type: ignore[misc]
                allowed=fold_of[rows.game] != k, begin=begin,
            )  # fmt: skip
        payload["weights"] = weights_payload(to_float16(found))
        out.append(folder / f"posterior-{k}.json")
        write_model(out[-1], NAME, VERSION, payload, {"fold": k})
    return out


def papers(
    folder: Path, dataset: Path, games: tuple[str, ...], fold_of: NDArray[Any]
) -> list[Path]:
    """The paper's model fitted without each fold."""
    from haiyomi.dealin.kurita_hoki import VERSION
    from haiyomi.dealin.variant import NAME
    from haiyomi.training.fit_dealin import fit, load_fit_data

    data = load_fit_data(dataset, SPLITS)
    number = dict(zip(games, fold_of.tolist(), strict=True))
    where = np.array([number.get(game, -1) for game in data.games])
    out = []
    for k in range(int(fold_of.max()) + 1):
        payload, _ = fit(data.only(where != k), None)
        out.append(folder / f"paper-{k}.json")
        write_model(out[-1], NAME, VERSION, payload, {"fold": k})
    return out


def matched(a: Rons, b: Rons) -> tuple[Rons, Rons]:
    """The rons that both models hold for possible, in one order."""

    def keys(rons: Rons) -> NDArray[np.int64]:
        found: NDArray[np.int64] = rons.game * 10_000 + rons.order
        return found

    _, at, bt = np.intersect1d(keys(a), keys(b), return_indices=True)

    def take(rons: Rons, index: NDArray[Any]) -> Rons:
        return Rons(*(getattr(rons, k)[index] for k in Rons.__slots__))

    return take(a, at), take(b, bt)


def with_factors(rons: Rons, fold_of: NDArray[Any], folds: int) -> Floats:
    """(n, 14, 12) cells times the factors of han fitted on the other folds' rons."""
    out: Floats = rons.cells.astype(np.float64)
    for k in range(folds):
        other = fold_of != k
        factors = fit_factors(Rons(*(getattr(rons, c)[other] for c in Rons.__slots__)))
        for c in range(len(CLASSES)):
            those = (fold_of == k) & (rons.group == c)
            out[those] = weighed(out[those], factors[c])
    return out


def crps(p: Floats, points: NDArray[Any], paid: NDArray[Any]) -> Floats:
    """(n,) continuous ranked probability scores of distributions p (n, m) over points (n, m)."""
    order = np.argsort(points, axis=1, kind="stable")
    at = np.take_along_axis(points, order, axis=1).astype(np.float64)
    up_to = np.cumsum(np.take_along_axis(p, order, axis=1), axis=1)
    y = paid.astype(np.float64)[:, None]
    low, high, f = at[:, :-1], at[:, 1:], up_to[:, :-1]
    cut = np.clip(y, low, high)
    inside = (f**2 * (cut - low) + (1 - f) ** 2 * (high - cut)).sum(axis=1)
    outside = np.maximum(at[:, 0] - y[:, 0], 0) + np.maximum(y[:, 0] - at[:, -1], 0)
    out: Floats = inside + outside
    return out


def judge(rons: Rons, ours: Floats, theirs: Floats, fold_of: NDArray[Any]) -> dict[str, Any]:
    """By class: likeliest han class right, of both and of the class mode; points predicted and
    paid; CRPS of both and of the constant. ``_gain`` are differences, paired."""
    grids = np.stack([points_grid(False, 0), points_grid(True, 0)])[rons.dealer.astype(int)]
    n = len(rons.han)
    flat = grids.reshape(n, -1)
    actual = np.clip(rons.han, 1, 4)
    columns: dict[str, Floats] = {"paid": rons.points.astype(np.float64)}
    for name, cells in (("", ours), ("other_", theirs)):
        han = cells.sum(axis=2)
        classes = np.stack([han[:, 1], han[:, 2], han[:, 3], han[:, 4:].sum(axis=1)], axis=1)
        columns[f"{name}right"] = (classes.argmax(axis=1) + 1 == actual).astype(np.float64)
        columns[f"{name}predicted"] = (cells * grids).sum(axis=(1, 2))
        columns[f"{name}crps"] = crps(cells.reshape(n, -1), flat, rons.points)
    columns["mode_right"], columns["constant_crps"] = constant(rons, actual, fold_of)
    out = {}
    for c, name in enumerate(("all", *CLASSES)):
        mask = np.ones(n, bool) if c == 0 else rons.group == c - 1
        if mask.any():
            out[name] = _means({k: v[mask] for k, v in columns.items()}, rons.game[mask])
    return dict(finite(out))


def constant(rons: Rons, actual: NDArray[Any], fold_of: NDArray[Any]) -> tuple[Floats, Floats]:
    """(n,) whether the commonest han class of the class in other folds was right, and the CRPS of
    the points that the class was paid there."""
    right, score = np.zeros(len(actual)), np.zeros(len(actual))
    for k in np.unique(fold_of):
        for c in range(len(CLASSES)):
            those = (fold_of == k) & (rons.group == c)
            other = (fold_of != k) & (rons.group == c)
            if not those.any() or not other.any():
                continue
            mode = int(np.bincount(actual[other], minlength=5).argmax())
            right[those] = actual[those] == mode
            points, count = np.unique(rons.points[other], return_counts=True)
            m = int(those.sum())
            p = np.tile(count / count.sum(), (m, 1))
            score[those] = crps(p, np.tile(points, (m, 1)), rons.points[those])
    return right, score


GAINS = (
    ("right_gain", "right", "other_right"),
    ("right_over_mode", "right", "mode_right"),
    ("bias", "predicted", "paid"),
    ("other_bias", "other_predicted", "paid"),
    ("crps_gain", "constant_crps", "crps"),
    ("crps_gain_over_other", "other_crps", "crps"),
)


def _means(columns: dict[str, Floats], game: NDArray[Any]) -> dict[str, Any]:
    _, index = np.unique(game, return_inverse=True)
    n = np.bincount(index).astype(np.float64)
    draws = resample_weights(len(n), generator(SEED), RESAMPLES).astype(np.float64)

    def mean(values: Floats) -> dict[str, float]:
        sums = np.bincount(index, weights=values)
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = interval((draws @ sums) / (draws @ n))
        return {"value": float(values.mean()), "low": low, "high": high}

    out: dict[str, Any] = {"n": len(game)}
    out |= {name: mean(values) for name, values in columns.items()}
    return out | {name: mean(columns[a] - columns[b]) for name, a, b in GAINS}


def reports(results: dict[str, Any]) -> list[Report]:
    """The tables of the results."""
    scope = Scope(results["games"], "all splits, cross-fitted", results["interval"])
    han, points, score = [], [], []
    for name, e in results["by_class"].items():
        n = e["n"]
        han.append((
            name, n, Figure.of(e["right"], ".1%"), Figure(e["other_right"]["value"], ".1%"),
            Figure(e["mode_right"]["value"], ".1%"), Figure.of(e["right_gain"], "+.1%"),
            Figure.of(e["right_over_mode"], "+.1%"),
        ))  # fmt: skip
        points.append((
            name, n, Figure(e["paid"]["value"], ",.0f"), Figure(e["predicted"]["value"], ",.0f"),
            Figure.of(e["bias"], "+,.0f"), Figure(e["bias"]["value"] / e["paid"]["value"], "+.1%"),
            Figure(e["other_predicted"]["value"], ",.0f"),
        ))  # fmt: skip
        score.append((
            name, n, *(Figure(e[of]["value"], ",.0f") for of in CRPS),
            Figure.of(e["crps_gain"], "+,.0f"),
        ))  # fmt: skip
    return [
        Report(
            "Likeliest han class right, given the ron",
            ("winner", "rons", "posterior", "kurita-hoki", "mode", "over kurita-hoki", "over mode"),
            tuple(han),
            scope,
        ),
        Report(
            "Points of a ron",
            ("winner", "rons", "paid", "predicted", "difference", "", "kurita-hoki"),
            tuple(points),
            scope,
        ),
        Report(
            "CRPS of the points, lower is better",
            ("winner", "rons", "posterior", "kurita-hoki", "constant", "gain over constant"),
            tuple(score),
            scope,
        ),
    ]
