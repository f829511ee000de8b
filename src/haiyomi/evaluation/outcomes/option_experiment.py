"""How well differences between options are predicted: against paired branches of other games.

Prediction and outcome of a branch, in own points, are taken less their means over the branches of
the decision: a model that says the same of all options scores 0. The *coefficient* is that of the
regression of the outcome on the prediction, 1 for a calibrated model. Branches on two walls each
show how much of the outcome is luck: with it the *correlation* is that with the outcomes' mean over
walls. The hidden hands are the true ones on both walls; what they cause counts as predictable, so a
seat that does not see them cannot reach a correlation of 1. Branches whose tile is won on at once
are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import DatasetError
from haiyomi.outcomes.later import Later
from haiyomi.outcomes.option_actions import (
    CHI_HIGHS,
    CHI_LOWS,
    KANS,
    OPEN_KANS,
    PASSES,
    PONS,
    RIICHIS,
)
from haiyomi.seeds import generator
from haiyomi.training.branches import Branches
from haiyomi.training.option_rows import OptionRows

Floats = NDArray[np.float64]

GROUPS: Final = ("all", "discard", "riichi or not", "call or pass", "kan")
_CALLS: Final = (CHI_LOWS, CHI_LOWS + 1, CHI_HIGHS, PONS, OPEN_KANS, PASSES)
RESAMPLES: Final = 1000


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of one kind of decisions: how many ``decisions`` and ``branches``; the ``coefficient`` and
    the ``correlation`` with their 95% intervals, by bootstrap of decisions; ``spread`` the standard
    deviation of the predicted and ``truth`` of the real differences, in points."""

    decisions: int
    branches: int
    coefficient: tuple[float, float, float]
    correlation: tuple[float, float, float]
    spread: float
    truth: float


def expected_points(rows: OptionRows, answers: Later, option: NDArray[np.int64]) -> Floats:
    """(e, b) the own points that the members expect of some options."""
    row = np.searchsorted(rows.begins, option, "right") - 1
    p = answers.ending[:, option]
    won = p[:, :, :4].sum(axis=2)
    worth = (answers.own[:, option] * rows.win[row]).sum(axis=2)
    out: Floats = (p * rows.pay[row]).sum(axis=2) + won * worth + rows.fixed[option] * (1 - won)
    return out


def agreement(
    predicted: Floats, rows: OptionRows, branches: Branches, again: Branches, seed: int = 0
) -> Mapping[str, Agreement]:
    """By group; ``predicted`` (b,) points of the branches, ``again`` the same branches on another
    wall. Raises DatasetError where they are of other decisions or options."""
    if not np.array_equal(branches.number, again.number) or not np.array_equal(
        branches.taken, again.taken
    ):
        raise DatasetError("the branches on the second wall are of other decisions or options")
    kept = rows.later & (again.ronned == 0)
    row = rows.row[kept]
    n = len(rows)
    x, one, other = (
        _centred(column[kept].astype(np.float64), row, n)
        for column in (predicted, branches.change[:, 0], again.change[:, 0])
    )
    sums = [np.bincount(row, part, n) for part in (x * x, x * one, x * other, one * other)]
    count = np.bincount(row, minlength=n)
    group = _groups(branches)
    rng = generator(seed, "agreement")
    out = {}
    for number, name in enumerate(GROUPS):
        chosen = (count > 1) & ((group == number) | (number == 0))
        if chosen.sum() < 10:
            continue
        found = np.stack([part[chosen] for part in sums], axis=1)
        draws = rng.integers(len(found), size=(RESAMPLES, len(found)))
        resampled = np.stack([found[draw].sum(axis=0) for draw in draws])
        whole = found.sum(axis=0)[None]
        coefficient, correlation = _scores(whole), _scores(resampled)
        m = int(count[chosen].sum())
        free = m - int(chosen.sum())
        out[name] = Agreement(
            int(chosen.sum()),
            m,
            _interval(coefficient[0], correlation[0]),
            _interval(coefficient[1], correlation[1]),
            float(np.sqrt(whole[0, 0] / free)),
            float(np.sqrt(max(whole[0, 3], 0) / free)),
        )
    return out


def _scores(sums: Floats) -> tuple[Floats, Floats]:
    """Slopes and correlations from sums of xx, xy, xz, yz."""
    both = (sums[:, 1] + sums[:, 2]) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        coefficient = both / sums[:, 0]
        correlation = both / np.sqrt(sums[:, 0] * np.maximum(sums[:, 3], 0))
    return coefficient, np.where(np.isfinite(correlation), correlation, np.nan)


def _interval(value: Floats, resampled: Floats) -> tuple[float, float, float]:
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    return float(value[0]), float(low), float(high)


def _centred(value: Floats, row: NDArray[np.int64], n: int) -> Floats:
    count = np.maximum(np.bincount(row, minlength=n), 1)
    out: Floats = value - (np.bincount(row, value, n) / count)[row]
    return out


def _groups(branches: Branches) -> NDArray[np.int64]:
    """(n,) an index into GROUPS, by the options that were played."""
    sort = branches.options.sort[branches.taken]
    row = branches.options.row[branches.taken]
    out = np.ones(len(branches), np.int64)
    for number, sorts in ((2, (RIICHIS,)), (3, _CALLS), (4, (KANS,))):
        out[np.unique(row[np.isin(sort, sorts)])] = number
    return out
