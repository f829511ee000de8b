"""How well the differences between the options of a decision are predicted, where each option was
measured twice.

Prediction and both measurements are taken less their means over the options of the decision: a
prediction that ignores the option scores 0. The *coefficient* is that of the regression of the
measured on the predicted differences, 1 for differences of the right size. How far the two
measurements agree says how much of them is luck: with it the *correlation* is that with the mean
over infinitely many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats
from haiyomi.evaluation.metrics import RESAMPLES, Estimate, interval, resample_weights


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of so many ``decisions`` and ``options``: the ``coefficient`` and the ``correlation``;
    ``predicted`` and ``measured``, the standard deviations of the differences, luck taken out."""

    decisions: int
    options: int
    coefficient: Estimate
    correlation: Estimate
    predicted: float
    measured: float


def agreement(
    predicted: Floats,
    one: Floats,
    other: Floats,
    decision: NDArray[Any],
    drawn: NDArray[Any],
    rng: np.random.Generator,
) -> Agreement:
    """Of n options, at least one, the prediction and two measurements (n,); ``decision`` (n,) codes
    of their decisions, and ``drawn`` (n,) of what the bootstrap draws: games, or decisions."""
    _, row = np.unique(decision, return_inverse=True)
    x, y, z = (_centred(value, row) for value in (predicted, one, other))
    _, index = np.unique(drawn, return_inverse=True)
    sums = np.stack([np.bincount(index, part) for part in (x * x, x * y, x * z, y * z)], axis=1)
    weights = resample_weights(len(sums), rng, RESAMPLES).astype(np.float64)
    whole = sums.sum(axis=0)
    xx, xy, xz, yz = np.concatenate([whole[None], weights @ sums]).T
    both = (xy + xz) / 2
    known = xx * yz > 0  # else the measurements do not agree, or the prediction ignores the option
    correlations = both / np.sqrt(np.where(known, xx * yz, np.nan))
    decisions = int(row.max()) + 1
    free = max(len(x) - decisions, 1)
    return Agreement(
        decisions,
        len(x),
        _estimate(both / np.maximum(xx, 1e-300), len(sums)),
        _estimate(correlations, len(sums)),
        float(np.sqrt(whole[0] / free)),
        float(np.sqrt(max(whole[3], 0) / free)),
    )


def _centred(value: Floats, row: NDArray[np.intp]) -> Floats:
    out: Floats = value - (np.bincount(row, value) / np.bincount(row))[row]
    return out


def _estimate(values: Floats, drawn: int) -> Estimate:
    """The first of ``values``, with the interval of the others; nan where fewer than half of them
    are known."""
    if np.isfinite(values[1:]).mean() < 0.5:
        return Estimate(float("nan"), float("nan"), float("nan"))
    return Estimate(float(values[0]), *interval(values[1:], drawn))
