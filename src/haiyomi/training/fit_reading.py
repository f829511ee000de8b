"""``haiyomi fit reading``: rows of the corpus, a fit, a model file with its manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from haiyomi.reading.chain import N_TABLES, ChainModel
from haiyomi.reading.sampler import N_SHANTEN
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.folder_lock import only_writer
from haiyomi.training.adam import step_progress
from haiyomi.training.fit_chain import TABLES, Settings, fit, write_chain
from haiyomi.training.fit_nemoto import SEED as NEMOTO_SEED
from haiyomi.training.fit_nemoto import draw_positions, fit_crf, write_nemoto
from haiyomi.training.fit_shanten import fit_factors
from haiyomi.training.reading_rows import ReadingRows, build_rows, load_rows

VALID_ROWS = 1500
FACTOR_ROWS = 40_000
SEED = 20140501
MEMBERS: tuple[tuple[float, Settings], ...] = (
    (0.5, Settings(width=80, layers=4, passes=4.0, drop=0.0, decay=1e-6, mirror=True)),
    (
        0.5,
        Settings(width=64, layers=4, passes=4.0, drop=0.05, decay=1e-4, mirror=True, seed=20140502),
    ),
)
"""The networks of the shipped chain: their shares in the mean, and their settings."""
SHARPNESS = 0.97
"""An inverse temperature for all log potentials: on valid it calibrates P(holds at least one) to
within .6 points in every 5% bin up to 95% (1.1 without); the log loss does not change."""
Bar = Callable[[str, str], AbstractContextManager[Callable[[int, int], None]]]


def rows_digest(cache: Path) -> str:
    """A digest of the plan that a cache of rows was made by."""
    return hashlib.sha256((cache / "plan.json").read_bytes()).hexdigest()


def some(rows: ReadingRows, size: int, seed: int) -> ReadingRows:
    """So many rows at random, in their order; all where there are fewer."""
    chosen = generator(seed).permutation(len(rows))[:size]
    return rows.take(np.sort(chosen))


def fit_reading_chain(
    corpus: Path,
    cache: Path,
    out: Path,
    members: Sequence[tuple[float, Settings]],
    jobs: Jobs,
    bar: Bar,
) -> dict[str, Any]:
    """Fit the chain's networks on train, one after another, and write it; returns the report.

    A killed fit goes on from the checkpoints that it leaves in the cache, which is locked
    meanwhile. Raises DatasetError.
    """
    with bar("rows", "games") as progress:
        build_rows(corpus, cache, jobs, progress)
    with only_writer(cache):
        return _fit_chain(cache, out, members, bar)


def _fit_chain(
    cache: Path, out: Path, members: Sequence[tuple[float, Settings]], bar: Bar
) -> dict[str, Any]:
    train, valid = load_rows(cache, "train"), load_rows(cache, "valid")
    judged = some(valid, VALID_ROWS, SEED)
    fitted: list[tuple[float, dict[str, Any]]] = []
    histories = []
    for number, (share, settings) in enumerate(members):
        with bar(f"network {number + 1} of {len(members)}", "steps") as progress:
            weights, history = fit(
                train,
                judged,
                settings,
                cache / f"chain-checkpoint-{number}.npz",
                step_progress(progress),
            )
        fitted.append((share, tempered(weights, SHARPNESS)))
        histories.append(history)
    return finish(train, cache, out, fitted, histories, [s for _, s in members])


def tempered(weights: dict[str, Any], factor: float) -> dict[str, Any]:
    """The weights whose log potentials and tables are ``factor`` times those of ``weights``."""
    return {
        name: value * value.dtype.type(factor)
        if name in TABLES or name.startswith("out")
        else value
        for name, value in weights.items()
    }


def finish(
    train: ReadingRows,
    cache: Path,
    out: Path,
    members: Sequence[tuple[float, dict[str, Any]]],
    histories: Sequence[list[dict[str, Any]]],
    settings: Sequence[Settings],
) -> dict[str, Any]:
    """Fit the shanten factors on the chain's own draws, and write the model file."""
    manifest: dict[str, Any] = {
        "command": "haiyomi fit reading --model chain",
        "settings": [asdict(s) for s in settings],
        "sharpness": SHARPNESS,
        "rows": {"decisions": len(train), "games": len(train.games)},
        "plan_sha256": rows_digest(cache),
        "nats_a_hand": [
            {k: round(float(h[-1][k] or 0), 4) for k in ("train", "valid")} for h in histories
        ],
    }
    write_chain(out, members, np.zeros((N_TABLES, N_SHANTEN)), manifest)
    part = some(train, FACTOR_ROWS, SEED + 1)
    factors, report = fit_factors(ChainModel.load(out), part, SEED + 2)
    manifest["shanten"] = {k: round(v, 4) if v else v for k, v in report.items()}
    write_chain(out, members, factors, manifest)
    return {"histories": histories, **manifest}


def fit_reading_nemoto(
    corpus: Path,
    cache: Path,
    out: Path,
    positions: int,
    dummies: str,
    jobs: Jobs,
    bar: Bar,
) -> dict[str, Any]:
    """Fit the paper's CRF on positions of train drawn by a seed, and write it."""
    with bar("rows", "games") as progress:
        build_rows(corpus, cache, jobs, progress)
    train = load_rows(cache, "train")
    observations, opponent, hands, _ = draw_positions(train, positions, NEMOTO_SEED + 1)
    with bar(f"CRF, dummies {dummies}", "iterations") as progress:
        model, report = fit_crf(observations, opponent, hands, dummies, lambda n: progress(n, n))
    write_nemoto(
        out,
        model,
        {
            "command": f"haiyomi fit reading --model nemoto --dummies {dummies}",
            "seed": NEMOTO_SEED + 1,
            "plan_sha256": rows_digest(cache),
        },
    )
    return report
