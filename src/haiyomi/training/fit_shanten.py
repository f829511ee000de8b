"""The factors by which samples are weighted by a hand's shanten, by exact maximum likelihood.

The chain's samples are a family with one log factor for each shanten and table of triples;
its likelihood is concave, its gradient the observed less the expected share of each shanten.
Expectations are taken over a fixed set of the chain's own draws at each row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.kernels.shanten import shanten
from haiyomi.reading.chain import N_TABLES, STATES, ChainModel, table_of
from haiyomi.reading.sampler import N_SHANTEN
from haiyomi.seeds import generator
from haiyomi.training.reading_rows import ReadingRows

Floats = NDArray[np.float64]
DRAWS = 64
PRIOR = 4.0


def fit_factors(model: ChainModel, rows: ReadingRows, seed: int) -> tuple[Floats, dict[str, Any]]:
    """((N_TABLES, N_SHANTEN) log factors, report) from one opponent of each row.

    ``PRIOR`` pulls a factor towards 0 where a table has few rows. Tables of riichi are left at
    0: there tenpai is given.
    """
    rng = generator(seed)
    opponent = rng.integers(1, 4, len(rows))
    which = table_of(rows.observations, opponent)
    truth = shanten(rows.hands[np.arange(len(rows)), opponent - 1]).astype(np.int64)
    share = np.zeros((len(rows), N_SHANTEN))
    for at in range(0, len(rows), 1000):
        part = slice(at, at + 1000)
        drawn = model.chain_samples(rows.observations[part], opponent[part], DRAWS, rng)
        away = shanten(drawn).astype(np.int64)
        index = away + N_SHANTEN * np.arange(len(away))[:, None]
        counted = np.bincount(index.reshape(-1), minlength=N_SHANTEN * len(away))
        share[part] = counted.reshape(-1, N_SHANTEN) / DRAWS
    factors = np.zeros((N_TABLES, N_SHANTEN))
    before = after = 0.0
    for table in range(N_TABLES):
        if table % len(STATES) == STATES.index("riichi"):
            continue
        here = which == table
        if not here.any():
            continue
        factors[table] = _climb(share[here], truth[here])
        before += float(share[here].mean(axis=0) @ np.arange(N_SHANTEN)) * int(here.sum())
        weighted = share[here] * np.exp(factors[table])
        mean = (weighted @ np.arange(N_SHANTEN)) / weighted.sum(axis=1)
        after += float(mean.sum())
    free = which % len(STATES) != STATES.index("riichi")
    n = max(int(free.sum()), 1)
    return factors, {
        "rows": n,
        "shanten": float(truth[free].mean()) if free.any() else None,
        "chain": before / n,
        "with factors": after / n,
    }


def _climb(share: Floats, truth: NDArray[np.int64], steps: int = 200) -> Floats:
    """Newton steps with a diagonal bound of the Hessian: slow but monotone, and cheap here."""
    observed = np.bincount(truth, minlength=N_SHANTEN).astype(np.float64)
    g = np.zeros(N_SHANTEN)
    for _ in range(steps):
        weighted = share * np.exp(g)
        p = weighted / weighted.sum(axis=1, keepdims=True)
        gradient = observed - p.sum(axis=0) - PRIOR * g
        bend = 0.5 * (p * (1 - p)).sum(axis=0) * 2 + PRIOR
        g += np.clip(gradient / bend, -0.5, 0.5)
    return g
