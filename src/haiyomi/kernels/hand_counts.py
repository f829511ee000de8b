"""Exact sums over every hand of a given number of tiles: marginals, samples, the likeliest.

The weight of a hand (34 counts 0-4) is the product of one factor a kind. ``logs`` are their
logarithms, ``(n, 34, 5)``, -inf where a count cannot be; ``totals`` (n,) how many tiles each row's
hand has, at most 14. All raise ValueError for shapes that do not fit and for a row that allows no
hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.arrays import Bytes, Floats


def hand_marginals(logs: Floats, totals: npt.ArrayLike) -> tuple[Floats, Floats]:
    """(n,) log of the sum over all hands, and (n, 34, 5) P(n_h = k)."""
    return _core.hand_marginals(*_rows(logs, totals))


def hand_samples(
    logs: Floats, totals: npt.ArrayLike, draws: int, rng: np.random.Generator
) -> Bytes:
    """(n, draws, 34) hands drawn from each row's distribution."""
    seeds = rng.integers(0, 2**64, size=len(logs), dtype=np.uint64)
    return _core.hand_samples(*_rows(logs, totals), seeds, draws)


def hand_best(logs: Floats, totals: npt.ArrayLike) -> tuple[Floats, Bytes]:
    """(n,) log weight and (n, 34) counts of each row's most probable hand."""
    return _core.hand_best(*_rows(logs, totals))


def _rows(logs: Floats, totals: npt.ArrayLike) -> tuple[Floats, Bytes]:
    def plain(values: Any, dtype: Any) -> Any:
        return np.ascontiguousarray(values, dtype=dtype)

    if np.shape(logs)[1:] != (34, 5):
        raise ValueError(f"log weights must have shape (n, 34, 5), not {np.shape(logs)}")
    return plain(logs, np.float64), plain(totals, np.uint8)
