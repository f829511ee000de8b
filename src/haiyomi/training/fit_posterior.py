"""``haiyomi fit posterior``: the weights of tenpai hands by exact maximum likelihood.

The likelihood of the true hand given tenpai, its normaliser and its gradient are exact (the
posterior's kernel); Adam walks over the tenpai opponents of half of the train games in small
batches drawn by a seed. The other half is left to the models that learn from the posterior's
answers (``fit_dealin``), which must not see answers made on their own rows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import DatasetError
from haiyomi.kernels.posterior import SHAPES, likelihood_slopes
from haiyomi.kernels.waits import waits
from haiyomi.reading.features import CONTEXT_FEATURES, KIND_FEATURES
from haiyomi.reading.network import first_weights
from haiyomi.reading.posterior import (
    CLASSES,
    N_RIVER,
    N_SUIT,
    OUTPUTS,
    WINDOW,
    FactorRows,
    concealed_of,
    first_shape,
)
from haiyomi.training.reading_rows import ReadingRows

Arrays = dict[str, NDArray[Any]]
Report = Callable[[dict[str, Any]], None]
TABLES = ("shape", "irregular", "tiles class")
WARM = 200
"""Steps over which the rate rises."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to fit; ``width`` 0 is the log-linear version. ``rows`` are tenpai opponents walked
    over, each seen at most a few times; the rate falls as a cosine."""

    width: int = 0
    layers: int = 2
    rows: int = 120_000
    batch: int = 128
    rate: float = 4e-3
    table_rate: float = 1e-2
    decay: float = 1e-4
    seed: int = 20170706
    every: int = 100


class Adam:
    """Adam with a warm start, a cosine rate, decoupled decay, and gradients cut to a norm of one.

    Its own, so that what the shipped weights came from stays as it is.
    """

    def __init__(self, weights: Arrays, settings: Settings, steps: int) -> None:
        self.settings = settings
        self.steps = steps
        self.done = 0
        self.first = {k: np.zeros_like(v) for k, v in weights.items()}
        self.second = {k: np.zeros_like(v) for k, v in weights.items()}

    def step(self, weights: Arrays, slope: Arrays) -> None:
        """One step, in place."""
        s = self.settings
        self.done += 1
        warm = min(1.0, self.done / WARM)
        turn = 0.5 * (1 + math.cos(math.pi * min(1.0, self.done / self.steps)))
        norm = math.sqrt(sum(float((g.astype(np.float64) ** 2).sum()) for g in slope.values()))
        cut = min(1.0, 1.0 / max(norm, 1e-12))
        for name, weight in weights.items():
            g = slope[name] * weight.dtype.type(cut)
            a, b = self.first[name], self.second[name]
            a *= weight.dtype.type(0.9)
            a += weight.dtype.type(0.1) * g
            b *= weight.dtype.type(0.999)
            b += weight.dtype.type(0.001) * g * g
            rate = (s.table_rate if name in TABLES else s.rate) * warm * turn
            rate *= math.sqrt(1 - 0.999**self.done) / (1 - 0.9**self.done)
            weight -= (rate * a / (np.sqrt(b) + 1e-8)).astype(weight.dtype)
            weight -= (rate * s.decay * weight).astype(weight.dtype)


def start(settings: Settings) -> Arrays:
    """Weights before the first step: no potentials, likely shapes."""
    classes = len(CLASSES)
    out: Arrays
    if settings.width:
        rng = np.random.default_rng([settings.seed, 1])
        out = dict(first_weights(settings.width, settings.layers, rng, OUTPUTS))
    else:
        wide = len(KIND_FEATURES) + len(WINDOW) * N_RIVER
        out = {
            "linear": np.zeros((wide, OUTPUTS), np.float32),
            "linear honours": np.zeros((len(KIND_FEATURES), OUTPUTS), np.float32),
            "linear context": np.zeros((len(CONTEXT_FEATURES), 2 * OUTPUTS), np.float32),
            "linear kinds": np.zeros((classes, 34, OUTPUTS), np.float32),
        }
    out["tiles"] = np.zeros((N_SUIT, 2), np.float32)
    out["tiles class"] = np.zeros((classes, 2, 14))
    out["shape"] = first_shape()
    out["irregular"] = np.tile([-1.5, 0.0], (classes, 1))
    assert out["shape"].shape == (classes, len(SHAPES))
    return out


def tenpai_rows(rows: ReadingRows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(row, relative seat) of every opponent that truly is tenpai and may be summed over."""
    found = []
    seats = []
    for r in (1, 2, 3):
        mask = np.zeros(len(rows), bool)
        tiles = rows.hands[:, r - 1].sum(axis=1)
        fits = tiles == concealed_of(rows.sights, np.full(len(rows), r))
        mask[fits] = waits(np.ascontiguousarray(rows.hands[fits, r - 1])) != 0
        index = np.flatnonzero(mask)
        found.append(index)
        seats.append(np.full(len(index), r))
    return np.concatenate(found), np.concatenate(seats)


def loss_and_slopes(
    weights: Arrays, rows: ReadingRows, opponent: NDArray[Any], slopes: bool = True
) -> tuple[NDArray[np.float64], Arrays]:
    """(n,) negative log probability of each true hand given tenpai, and the mean's gradient.

    A true hand that the factors forbid (of a damaged count) has loss nan and no gradient.
    """
    n = len(rows)
    factors = FactorRows(weights, rows.sights, opponent)
    truth = np.ascontiguousarray(rows.hands[np.arange(n), opponent - 1])
    totals, found = likelihood_slopes(
        factors.concealed, factors.count, factors.tiles, factors.wait, factors.shape,
        factors.irregular, truth,
    )  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(totals[:, 0]) - np.log(totals[:, 1])
    loss[~np.isfinite(loss)] = np.nan
    if not slopes:
        return loss, {}
    found[np.isnan(loss)] = 0.0
    return loss, factors.slopes(-found / n)


def mean_loss(
    weights: Arrays, rows: ReadingRows, index: NDArray[Any], opponent: NDArray[Any]
) -> dict[str, float]:
    """Nats a true tenpai hand, over all and by class."""
    from haiyomi.reading.posterior import class_of

    losses, groups = [], []
    for at in range(0, len(index), 256):
        part = rows.take(index[at : at + 256])
        seats = opponent[at : at + 256]
        losses.append(loss_and_slopes(weights, part, seats, slopes=False)[0])
        groups.append(class_of(part.sights, seats))
    loss, group = np.concatenate(losses), np.concatenate(groups)
    out = {"all": float(np.nanmean(loss))}
    for c, name in enumerate(CLASSES):
        if (group == c).any():
            out[name] = float(np.nanmean(loss[group == c]))
    return out


def part_of(rows: ReadingRows, first: bool) -> NDArray[np.bool_]:
    """(n,) which rows belong to the half of the games that the posterior learns from, or to the
    others."""
    chosen: NDArray[np.bool_] = (rows.game % 2 == 0) == first
    return chosen


def fit(
    train: ReadingRows,
    valid: ReadingRows,
    settings: Settings,
    checkpoint: Path | None = None,
    report: Report | None = None,
    valid_rows: int = 4000,
) -> tuple[Arrays, list[dict[str, Any]]]:
    """(weights, history), the same for the same rows and settings.

    With ``checkpoint`` a fit that was killed goes on from that file. Raises DatasetError.
    """
    index, opponent = tenpai_rows(train)
    keep = part_of(train, True)[index]
    index, opponent = index[keep], opponent[keep]
    if len(index) == 0:
        raise DatasetError("no tenpai opponents to fit on")
    steps = max(1, settings.rows // settings.batch)
    weights = start(settings)
    adam = Adam(weights, settings, steps)
    history: list[dict[str, Any]] = []
    mark = json.dumps([asdict(settings), len(train), int(train.hands[:1000].sum())])
    if checkpoint is not None and checkpoint.exists():
        history = _resume(checkpoint, mark, weights, adam)
    told, told_seat = tenpai_rows(valid)
    chosen = np.sort(np.random.default_rng([settings.seed, 4]).permutation(len(told))[:valid_rows])
    told, told_seat = told[chosen], told_seat[chosen]
    per_pass = max(1, len(index) // settings.batch)
    order = np.zeros(0, np.int64)
    shuffled = -1
    running: list[float] = []
    while adam.done < steps:
        epoch, at = divmod(adam.done, per_pass)
        if epoch != shuffled:
            order = np.random.default_rng([settings.seed, 3, epoch]).permutation(len(index))
            shuffled = epoch
        drawn = np.sort(order[at * settings.batch : (at + 1) * settings.batch])
        loss, slope = loss_and_slopes(weights, train.take(index[drawn]), opponent[drawn])
        adam.step(weights, slope)
        running.append(float(np.nanmean(loss)))
        last = adam.done == steps
        if adam.done % settings.every == 0 or last:
            line: dict[str, Any] = {
                "step": adam.done,
                "steps": steps,
                "train": float(np.mean(running)),
            }
            if last:
                line["valid"] = mean_loss(weights, valid, told, told_seat)
            running = []
            history.append(line)
            if checkpoint is not None:
                _save(checkpoint, mark, weights, adam, history)
            if report is not None:
                report(line)
    return weights, history


def _save(
    path: Path, mark: str, weights: Arrays, adam: Adam, history: list[dict[str, Any]]
) -> None:
    arrays: dict[str, Any] = {f"w {k}": v for k, v in weights.items()}
    arrays |= {f"a {k}": v for k, v in adam.first.items()}
    arrays |= {f"b {k}": v for k, v in adam.second.items()}
    part = path.with_name(path.name + ".part")
    with part.open("wb") as stream:
        np.savez(
            stream,
            mark=np.array(mark),
            done=np.array(adam.done),
            history=np.array(json.dumps(history)),
            **arrays,
        )
    part.replace(path)


def _resume(path: Path, mark: str, weights: Arrays, adam: Adam) -> list[dict[str, Any]]:
    try:
        with np.load(path, allow_pickle=False) as data:
            if str(data["mark"]) != mark:
                raise DatasetError(f"{path} is the checkpoint of other rows or settings")
            for name in weights:
                weights[name] = data[f"w {name}"]
                adam.first[name] = data[f"a {name}"]
                adam.second[name] = data[f"b {name}"]
            adam.done = int(data["done"])
            history: list[dict[str, Any]] = json.loads(str(data["history"]))
            return history
    except (OSError, ValueError, KeyError) as error:
        raise DatasetError(f"{path}: no checkpoint of this fit ({error})") from None
