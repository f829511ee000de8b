"""Exact sums over every hand of a given number of tiles: marginals, samples, gradients.

The weight of a hand (34 counts 0-4) is the product of one factor a kind and, within each
suit, one factor for each three neighbouring kinds. ``nodes`` are the logarithms of the first,
``(n, 34, 5)``, -inf where a count cannot be; ``tables`` the second as factors,
``(m, 7, 125)``: for the triples that start at ranks 1-7, counts a, b, c at ``25a + 5b + c``.
``which`` (n,) names each row's table, ``totals`` (n,) how many tiles its hand has, at most 14.
All raise ValueError for shapes that do not fit and for a row that allows no hand.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from haiyomi import _core

Floats = npt.NDArray[np.float64]
TRIPLE_STARTS: Final = 7
TRIPLE_CELLS: Final = 125
FREE: Final = np.ones((1, TRIPLE_STARTS, TRIPLE_CELLS))
"""One table that prefers nothing."""


class ChainGradient(NamedTuple):
    """``log_likelihood`` (n,) nats; ``nodes`` (n, 34, 5) and ``tables`` (m, 7, 125, summed over
    rows): expected less true counts, the gradient of minus the log likelihood by the
    logarithms of the factors."""

    log_likelihood: Floats
    nodes: Floats
    tables: Floats


def chain_marginals(
    nodes: Floats, totals: npt.ArrayLike, which: npt.ArrayLike, tables: Floats
) -> tuple[Floats, Floats]:
    """(n,) log of the sum over all hands, and (n, 34, 5) P(n_h = k)."""
    return _core.chain_marginals(*_rows(nodes, totals, which, tables))


def chain_gradient(
    nodes: Floats,
    totals: npt.ArrayLike,
    which: npt.ArrayLike,
    tables: Floats,
    truth: npt.NDArray[np.uint8],
) -> ChainGradient:
    """The likelihood of the hands ``truth`` (n, 34) and its gradient."""
    held = np.ascontiguousarray(truth, dtype=np.uint8)
    return ChainGradient(*_core.chain_gradient(*_rows(nodes, totals, which, tables), held))


def chain_samples(
    nodes: Floats,
    totals: npt.ArrayLike,
    which: npt.ArrayLike,
    tables: Floats,
    draws: int,
    rng: np.random.Generator,
) -> npt.NDArray[np.uint8]:
    """(n, draws, 34) hands drawn from each row's distribution."""
    seeds = rng.integers(0, 2**64, size=len(nodes), dtype=np.uint64)
    return _core.chain_samples(*_rows(nodes, totals, which, tables), seeds, draws)


def chain_best(
    nodes: Floats, totals: npt.ArrayLike, which: npt.ArrayLike, tables: Floats
) -> tuple[Floats, npt.NDArray[np.uint8]]:
    """(n,) log weight and (n, 34) counts of each row's most probable hand."""
    return _core.chain_best(*_rows(nodes, totals, which, tables))


def _rows(
    nodes: Floats, totals: npt.ArrayLike, which: npt.ArrayLike, tables: Floats
) -> tuple[Floats, npt.NDArray[np.uint8], npt.NDArray[np.uint16], Floats]:
    def plain(values: Any, dtype: Any) -> Any:
        return np.ascontiguousarray(values, dtype=dtype)

    nodes, tables = plain(nodes, np.float64), plain(tables, np.float64)
    if nodes.shape[1:] != (34, 5):
        raise ValueError(f"nodes must have shape (n, 34, 5), not {nodes.shape}")
    if tables.shape[1:] != (TRIPLE_STARTS, TRIPLE_CELLS):
        raise ValueError(f"tables must have shape (m, 7, 125), not {tables.shape}")
    return nodes, plain(totals, np.uint8), plain(which, np.uint16), tables
