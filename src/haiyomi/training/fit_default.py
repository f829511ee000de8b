"""``haiyomi fit posterior``: the default deal-in model, from records to a model file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.dealin.posterior_model import NAME, VERSION
from haiyomi.models import write_model
from haiyomi.shards import Jobs
from haiyomi.training.dataset import read_manifest
from haiyomi.training.fit_boosting import (
    Boosted,
    BoostRows,
    BoostSettings,
    chosen,
    collect,
    fit_boosting,
    labels_of,
)
from haiyomi.training.fit_posterior import Settings, fit, part_of
from haiyomi.training.reading_rows import ReadingRows, build_rows, load_rows

Bar = Callable[[str, str], Any]
SHIPPED = Settings(width=32, layers=2, rows=128_000)
"""The settings of the shipped weights."""


def fit_default(
    corpus: Path,
    dataset: Path,
    rows_folder: Path,
    out: Path,
    settings: Settings,
    boosting: BoostSettings,
    bar: Bar,
    jobs: Jobs = None,
) -> dict[str, Any]:
    """Fit weights, forests and blend and write the model file; the report.

    ``rows_folder`` keeps the reading rows, ``OUT.checkpoint.npz`` the weights under way, so that
    a killed fit goes on; ``bar(what, unit)`` is a context giving a progress callback. Raises
    DatasetError.
    """
    with bar("rows", "games") as progress:
        build_rows(corpus, rows_folder, jobs, progress)
    train, valid = load_rows(rows_folder, "train"), load_rows(rows_folder, "valid")
    checkpoint = out.with_name(out.name + ".checkpoint.npz")
    with bar("weights", "steps") as progress:
        weights, history = fit(
            train,
            valid,
            settings,
            checkpoint,
            lambda line: progress(line["step"], line["steps"]),
        )
    tables = []
    for split, rows in (("train", train), ("valid", valid)):
        with bar(f"answers on {split}", "decisions") as progress:
            tables.append(boost_rows(weights, rows, dataset, split, boosting, progress))
    with bar("forests", "fits"):
        boosted = fit_boosting(tables[0], tables[1], boosting)
    manifest = {
        "command": "haiyomi dataset build CORPUS DATASET && haiyomi fit posterior CORPUS DATASET",
        "haiyomi": haiyomi.__version__,
        "records_sha256": read_manifest(dataset)["records_sha256"],
        "games": {"train": len(train.games), "valid": len(valid.games)},
        "settings": asdict(settings),
        "boosting": asdict(boosting),
    }
    report = {"weights": history[-1], "boosting": boosted.report}
    write_model(out, NAME, VERSION, payload_of(weights, boosted), {**manifest, "valid": report})
    checkpoint.unlink(missing_ok=True)
    return report


def boost_rows(
    weights: dict[str, NDArray[Any]],
    rows: ReadingRows,
    dataset: Path,
    split: str,
    settings: BoostSettings,
    progress: Callable[[int, int], None] | None = None,
) -> BoostRows:
    """What the forests learn from, of train games that the weights did not see, or valid."""
    labels = labels_of(dataset, rows, split)
    if split == "train":
        shares = settings.train_threat, settings.train_quiet
        allowed = part_of(rows, False)
    else:
        shares = settings.valid_threat, settings.valid_quiet
        allowed = np.ones(len(rows), bool)
    index = chosen(labels, *shares, allowed, settings.seed)
    found = collect(weights, rows, labels, index, progress)
    if split != "train" or not settings.more_open:
        return found
    allowed[index] = False
    index = chosen(labels, settings.more_open, 0.0, allowed, settings.seed + 1)
    return BoostRows.concat([found, collect(weights, rows, labels, index, progress, False)])


def payload_of(weights: dict[str, NDArray[Any]], boosted: Boosted) -> dict[str, Any]:
    """The model file's payload."""
    return {
        "weights": {name: rounded(values) for name, values in weights.items()},
        "tenpai": boosted.tenpai.to_payload(),
        "tiles": boosted.tiles.to_payload(),
        "blend": boosted.blend,
    }


def rounded(values: NDArray[Any]) -> Any:
    """Nested lists of numbers of five digits."""

    def walk(value: Any) -> Any:
        return [walk(v) for v in value] if isinstance(value, list) else float(f"{value:.5g}")

    return walk(values.tolist())
