"""The weights of tenpai hands by exact maximum likelihood.

The likelihood of the true hand given tenpai, its normaliser and its gradient are exact (the
posterior's kernel); Adam runs over the tenpai opponents of some games in small random batches.
``fit_default`` and ``pretrain`` choose the games.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import DatasetError
from haiyomi.kernels.posterior import SUIT_SHAPES, likelihood_gradients
from haiyomi.kernels.waits import waits
from haiyomi.reading.features import CONTEXT_FEATURES, KIND_FEATURES
from haiyomi.reading.network import first_weights
from haiyomi.reading.opponent_class import CLASSES, class_of
from haiyomi.reading.posterior import (
    N_RIVER,
    N_SUIT,
    OUTPUTS,
    WINDOW,
    FactorRows,
    concealed_of,
    first_shape,
)
from haiyomi.seeds import generator
from haiyomi.training.adam import Adam, Arrays, History, Schedule
from haiyomi.training.reading_rows import ReadingRows

Report = Callable[[dict[str, Any]], None]
TABLES = ("shape", "irregular", "tiles class")
WARM = 200
"""Warm-up steps."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to fit; ``width`` 0 is the log-linear version. ``rows`` is the number of tenpai
    opponents drawn in all, each at most a few times; the rate follows a cosine schedule.
    ``drop``: the dropout rate."""

    width: int = 0
    layers: int = 2
    rows: int = 120_000
    batch: int = 128
    rate: float = 4e-3
    table_rate: float = 1e-2
    decay: float = 1e-4
    drop: float = 0.0
    mirror: bool = False
    seed: int = 20170706
    every: int = 100


def start(settings: Settings, chain: Arrays | None = None) -> Arrays:
    """Weights before the first step: no potentials, or a chain's of the counts; likely shapes.

    Raises DatasetError if the chain's network is of another size.
    """
    classes = len(CLASSES)
    out: Arrays
    if settings.width:
        rng = generator(settings.seed, 1)
        out = dict(first_weights(settings.width, settings.layers, rng, OUTPUTS))
        for name, values in (chain or {}).items():
            last = name.startswith("out")
            shape = out[name].shape if name in out else None
            if shape is None or (shape[:-1] if last else shape) != (
                values.shape[:-1] if last else values.shape
            ):
                raise DatasetError(
                    f"the chain's network has another size than the settings ({name})"
                )
            if last:
                out[name][..., : values.shape[-1]] = values
            else:
                out[name] = values.copy()
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
    assert out["shape"].shape == (classes, len(SUIT_SHAPES))
    return out


def tenpai_opponents(rows: ReadingRows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(row, relative seat) of every opponent that truly is tenpai and may be summed over."""
    found = []
    seats = []
    for r in (1, 2, 3):
        mask = np.zeros(len(rows), bool)
        tiles = rows.hands[:, r - 1].sum(axis=1)
        fits = tiles == concealed_of(rows.observations, np.full(len(rows), r))
        mask[fits] = waits(np.ascontiguousarray(rows.hands[fits, r - 1])) != 0
        index = np.flatnonzero(mask)
        found.append(index)
        seats.append(np.full(len(index), r))
    return np.concatenate(found), np.concatenate(seats)


def loss_and_gradients(
    weights: Arrays,
    rows: ReadingRows,
    opponent: NDArray[Any],
    gradients: bool = True,
    mirrored: NDArray[np.bool_] | None = None,
    drop: float = 0.0,
    rng: np.random.Generator | None = None,
) -> tuple[NDArray[np.float64], Arrays]:
    """(n,) negative log probability of each true hand given tenpai, and the mean's gradient.

    A true hand that the factors forbid (of a damaged count) has loss nan and no gradient.
    ``mirrored``, ``drop`` and ``rng`` as in ``FactorRows``.
    """
    factors = FactorRows(weights, rows.observations, opponent, None, mirrored, drop, rng)
    loss, found = _likelihood(factors, rows, opponent)
    if not gradients:
        return loss, {}
    found[np.isnan(loss)] = 0.0
    return loss, factors.gradients(-found / len(rows))


def losses_of(weights: Arrays, rows: ReadingRows, opponent: NDArray[Any]) -> NDArray[np.float64]:
    """(n,) negative log probability of each true hand given tenpai, its suits read from both
    ends; nan where the weights forbid it."""
    factors = FactorRows(weights, rows.observations, opponent, both_ends=True)
    return _likelihood(factors, rows, opponent)[0]


def _likelihood(
    factors: FactorRows, rows: ReadingRows, opponent: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n,) loss of each true hand, nan where forbidden, and the gradients of its log likelihood."""
    truth = np.ascontiguousarray(rows.hands[np.arange(len(rows)), opponent - 1])
    totals, found = likelihood_gradients(
        factors.concealed, factors.count, factors.tiles, factors.wait, factors.shape,
        factors.irregular, truth,
    )  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        loss: NDArray[np.float64] = np.log(totals[:, 0]) - np.log(totals[:, 1])
    loss[~np.isfinite(loss)] = np.nan
    return loss, found


def mean_loss(
    weights: Arrays, rows: ReadingRows, index: NDArray[Any], opponent: NDArray[Any]
) -> dict[str, float]:
    """Nats a true tenpai hand, over all and by class."""
    losses, groups = [], []
    for at in range(0, len(index), 256):
        part = rows.take(index[at : at + 256])
        seats = opponent[at : at + 256]
        losses.append(losses_of(weights, part, seats))
        groups.append(class_of(part.observations, seats))
    loss, group = np.concatenate(losses), np.concatenate(groups)
    out = {"all": float(np.nanmean(loss))}
    for c, name in enumerate(CLASSES):
        if (group == c).any():
            out[name] = float(np.nanmean(loss[group == c]))
    return out


def rows_of_half(rows: ReadingRows, first: bool) -> NDArray[np.bool_]:
    """(n,) which rows belong to the first half of the games, or to the others."""
    chosen: NDArray[np.bool_] = (rows.game % 2 == 0) == first
    return chosen


def games_of_half(rows: ReadingRows, first: bool) -> dict[str, int]:
    """The games of a half, names and numbers."""
    return {g: i for i, g in enumerate(rows.games) if (i % 2 == 0) == first}


def fit(
    train: ReadingRows,
    valid: ReadingRows | None,
    settings: Settings,
    checkpoint: Path | None = None,
    report: Report | None = None,
    valid_rows: int = 4000,
    allowed: NDArray[np.bool_] | None = None,
    begin: Arrays | None = None,
) -> tuple[Arrays, History]:
    """(weights, history), the same for the same rows and settings.

    ``valid``: rows of which ``valid_rows`` tenpai opponents are judged in the end, if any;
    ``allowed``: the rows to learn from, by default all; ``begin``: the weights to begin with, by
    default those of ``start``.
    With ``checkpoint`` a fit that was killed goes on from that file. Raises DatasetError.
    """
    index, opponent = tenpai_opponents(train)
    if allowed is not None:
        keep = allowed[index]
        index, opponent = index[keep], opponent[keep]
    if len(index) == 0:
        raise DatasetError("no tenpai opponents to fit on")
    steps = max(1, settings.rows // settings.batch)
    given = start(settings) if begin is None else begin
    weights = {name: values.copy() for name, values in given.items()}
    # Weight decay on every weight, the tables too, as the shipped ones were fitted.
    schedule = Schedule(
        steps,
        WARM,
        settings.rate,
        settings.table_rate,
        settings.decay,
        frozenset(TABLES),
        frozenset(weights),
    )
    adam = Adam(weights, schedule)
    history: History = []
    mark = json.dumps([asdict(settings), len(train), int(train.hands[:1000].sum()), len(index)])
    if checkpoint is not None:
        history = adam.resume(checkpoint, mark, weights)
    per_pass = max(1, len(index) // settings.batch)
    order = np.zeros(0, np.int64)
    shuffled = -1
    running: list[float] = []
    while adam.done < steps:
        epoch, at = divmod(adam.done, per_pass)
        if epoch != shuffled:
            order = generator(settings.seed, 3, epoch).permutation(len(index))
            shuffled = epoch
        drawn = np.sort(order[at * settings.batch : (at + 1) * settings.batch])
        rng = generator(settings.seed, 5, adam.done)
        mirrored = rng.random(len(drawn)) < 0.5 if settings.mirror else None
        loss, gradient = loss_and_gradients(
            weights, train.take(index[drawn]), opponent[drawn], True, mirrored, settings.drop, rng
        )
        adam.step(weights, gradient)
        running.append(float(np.nanmean(loss)))
        last = adam.done == steps
        if adam.done % settings.every == 0 or last:
            line: dict[str, Any] = {
                "step": adam.done,
                "steps": steps,
                "train": float(np.mean(running)),
            }
            if last and valid is not None:
                line["valid"] = _some_loss(weights, valid, valid_rows, settings.seed)
            running = []
            history.append(line)
            if checkpoint is not None:
                adam.save(checkpoint, mark, weights, history)
            if report is not None:
                report(line)
    return weights, history


def _some_loss(weights: Arrays, rows: ReadingRows, n: int, seed: int) -> dict[str, float]:
    """``mean_loss`` of so many tenpai opponents, drawn by the seed."""
    tenpai_rows, seats = tenpai_opponents(rows)
    chosen = np.sort(generator(seed, 4).permutation(len(tenpai_rows))[:n])
    return mean_loss(weights, rows, tenpai_rows[chosen], seats[chosen])
