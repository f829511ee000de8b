"""How far the forecast of a difference between two options is off, luck taken out.

Of two options of one decision the forecast says a difference, and two independent samples say what
it came to: two halves of the worlds in playing on, or two walls of paired branches. With x the
forecast, y and z the samples, the mean of (x - y)(x - z) is the mean square of what the forecast is
off by: the luck of y and z is independent and falls out. In branches the hidden hands are the same
in both samples, so that there the error also holds what the seat cannot know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats, Ints
from haiyomi.evaluation.metrics import (
    RESAMPLES,
    Estimate,
    interval,
    mean_estimate,
    resample_weights,
)
from haiyomi.rows import Rows
from haiyomi.seeds import generator

BANDS: Final = (0.0, 100.0, 300.0, 600.0)
"""The least of each band of what two options differ by, in points, by the forecast."""
LEAST: Final = 20
"""Pairs below which a group or a band is not measured."""
SEED: Final = 23
_CERTAIN: Final = 300.0
"""Points: below it the luck of a pair hardly depends on how much its options differ."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs(Rows):
    """n pairs of options of one decision each: the ``game`` (n,) and the ``kind`` (n,) of the
    decision; the difference by the ``forecast`` (n,), 0 or more, and by two samples, ``one`` and
    ``other`` (n,), in points."""

    game: Ints
    kind: NDArray[np.str_]
    forecast: Floats
    one: Floats
    other: Floats


def pairs_of(
    decisions: Sequence[tuple[int, str, Sequence[float], Sequence[float], Sequence[float]]],
) -> Pairs:
    """Every pair of options of decisions: of each its game and kind, and the forecast and both
    samples of every option."""
    rows = [
        (game, kind, sign * (x[i] - x[j]), sign * (y[i] - y[j]), sign * (z[i] - z[j]))
        for game, kind, x, y, z in decisions
        for i, j in combinations(range(len(x)), 2)
        for sign in (1 if x[i] >= x[j] else -1,)
    ]
    game, kind, *numbers = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    forecast, one, other = (np.array(column, np.float64) for column in numbers)
    return Pairs(np.array(game, np.int64), np.array(kind, np.str_), forecast, one, other)


def error_results(pairs: Pairs) -> list[dict[str, Any]]:
    """The results JSON: of all pairs, of each kind and of each band of the forecast difference, how
    many there are, the mean difference by the forecast and by the samples, and the ``error``: the
    root mean square of what the forecast is off by, with 95% intervals by bootstrap of games. The
    root of a negative mean is given as 0. Of all and of each kind also how the error depends on the
    difference: its square is ``fixed`` squared plus ``growing`` times the difference, squared."""
    groups = {"all": np.ones(len(pairs), np.bool_)}
    groups |= {str(kind): pairs.kind == kind for kind in np.unique(pairs.kind)}
    for low, high in zip(BANDS, (*BANDS[1:], np.inf), strict=True):
        name = f"{low:.0f} to {high:.0f} points" if np.isfinite(high) else f"{low:.0f} points on"
        groups[name] = (pairs.forecast >= low) & (pairs.forecast < high)
    return [
        _error(name, pairs.take(mask), fitted=" points" not in name)
        for name, mask in groups.items()
        if mask.sum() >= LEAST
    ]


def _error(name: str, pairs: Pairs, *, fitted: bool) -> dict[str, Any]:
    x, y, z = pairs.forecast, pairs.one, pairs.other
    came = mean_estimate((y + z) / 2, pairs.game, generator(SEED, "came"))
    codes, index = np.unique(pairs.game, return_inverse=True)
    square = np.bincount(index, (x - y) * (x - z), len(codes))
    count = np.bincount(index, minlength=len(codes)).astype(np.float64)
    drawn = resample_weights(len(codes), generator(SEED, "error"), RESAMPLES).astype(np.float64)
    low, high = interval((drawn @ square) / np.maximum(drawn @ count, 1), len(codes))
    grows = _growth(pairs, index, drawn) if fitted else {}
    return {
        "group": name,
        "pairs": len(pairs),
        "forecast": float(x.mean()),
        "came": came.to_json(),
        "error": Estimate(*map(_root, (square.sum() / len(pairs), low, high))).to_json(),
        **grows,
    }


def _growth(pairs: Pairs, index: Ints, drawn: Floats) -> dict[str, Any]:
    """The least squares fit of the squared error on 1 and the squared difference. A pair weighs
    less the more its options differ, as its squared error is the less certain then."""
    x = pairs.forecast
    square = (x - pairs.one) * (x - pairs.other)
    weight = (_CERTAIN + x) ** -2.0
    terms = (np.ones(len(x)), x**2, x**4, square, square * x**2)
    by_game = np.stack([np.bincount(index, weight * term) for term in terms], axis=1)
    values = _solved(np.concatenate([by_game.sum(axis=0)[None], drawn @ by_game]))
    out = {}
    for name, column in zip(("fixed", "growing"), values.T, strict=True):
        bounds = interval(column[1:], drawn.shape[1])
        out[name] = Estimate(float(column[0]), *bounds).to_json()
    return out


def _solved(sums: Floats) -> Floats:
    """(m, 2) roots of the coefficients of 1 and of x squared, none below 0, from (m, 5) sums."""
    n, xx, xxxx, y, xxy = sums.T
    whole = np.maximum(n * xxxx - xx * xx, 1e-300)
    first, second = (y * xxxx - xxy * xx) / whole, (n * xxy - xx * y) / whole
    alone, slant = y / np.maximum(n, 1e-300), xxy / np.maximum(xxxx, 1e-300)
    fixed = np.where(second < 0, alone, np.where(first < 0, 0, first))
    growing = np.where(first < 0, slant, np.where(second < 0, 0, second))
    out: Floats = np.sqrt(np.maximum(np.stack([fixed, growing], axis=1), 0))
    return out


def _root(square: float) -> float:
    return float(np.sqrt(max(square, 0.0)))
