"""Counts behind the riichi model: (24), (26), (28), (31)-(33).

The paper does not state its units. Here: (26) one row per decision facing a riichi, because that
is where the probability is used; (24) one per riichi deal-in; (28), (31)-(33) one per riichi at
its declaration, so that long hands do not count more. Suits are pooled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats
from haiyomi.dealin.riichi import (
    AVAILABILITY,
    LOCAL_INDEX,
    LOCAL_SUIT,
    LOCAL_WAITS,
    N_CONDITIONS,
    N_FU,
    N_HAN,
)
from haiyomi.dealin.waits import N_LOCAL, N_WAITS, SHAPE_SLICES, SHAPES, WAITS

PSEUDO = 20.0
"""Pseudo-counts: so many rows at the unconditional share are added to the counts."""


def two_sided_share(live: NDArray[Any], two_sided: NDArray[Any]) -> tuple[Floats, list[int]]:
    """(26): (19,) share of two-sided riichi by live suji, and the rows behind each."""
    n = np.bincount(live, minlength=19).astype(np.float64)
    hit = np.bincount(live, weights=two_sided.astype(np.float64), minlength=19)
    overall = hit.sum() / max(n.sum(), 1.0)
    share = (hit + PSEUDO * overall) / (n + PSEUDO)
    share[0] = 0.0  # no live suji, no two-sided wait that could win
    return share, [int(v) for v in n]


def shape_shares(waits: NDArray[Any]) -> Floats:
    """(27)-(28): (4,) hands with each shape other than two-sided, over the hands without a
    two-sided wait. Compound hands hold several shapes: they sum to more than one.

    ``waits`` (n, 113) of riichi hands.
    """
    held = np.column_stack([waits[:, SHAPE_SLICES[s]].any(axis=1) for s in SHAPES])
    shares = held.sum(axis=0) / max(int((~held[:, 0]).sum()), 1)
    shares[0] = 0.0
    out: Floats = shares.astype(np.float64)
    return out


def unit_shape_shares(waits: NDArray[Any]) -> Floats:
    """(4,) as ``shape_shares``, but of the hands without a two-sided wait alone, so that all
    shapes sum to one as (27) wants; a hand of several shapes counts in equal parts."""
    held = np.column_stack([waits[:, SHAPE_SLICES[s]].any(axis=1) for s in SHAPES])
    others = held[~held[:, 0]].astype(np.float64)
    parts = others / np.maximum(others.sum(axis=1, keepdims=True), 1.0)
    out: Floats = parts.sum(axis=0) / max(float(parts.sum()), 1.0)
    return out


def priors(waits: NDArray[Any]) -> Floats:
    """(31): (113,) P(m | k), the suits pooled, honours by kind."""
    out = np.zeros(N_WAITS)
    for shape in SHAPES:
        members = range(SHAPE_SLICES[shape].start, SHAPE_SLICES[shape].stop)
        with_shape = waits[:, SHAPE_SLICES[shape]].any(axis=1).sum()
        local: dict[int, list[int]] = {}
        for m in members:
            key = WAITS[m].local if WAITS[m].local >= 0 else -m
            local.setdefault(key, []).append(m)
        for same in local.values():
            count = waits[:, same].sum() / len(same)
            out[same] = (count + 0.5) / (with_shape + 0.5 * len(members))
    return out


def ratios(waits: NDArray[Any], conditions: NDArray[Any], prior: Floats) -> Floats:
    """(32): (19, 33) P(m | k, y) / P(m | k) of each condition and local wait, suits pooled.

    ``conditions`` (n, 3, 19).
    """
    shape_of = np.concatenate([np.full(6, 0), np.full(9, 1), np.full(9, 2), np.full(9, 3)])
    by_suit = np.zeros((len(waits), 3, N_LOCAL), dtype=np.float64)
    base = np.zeros(N_LOCAL)
    for m, wait in enumerate(WAITS):
        if wait.local >= 0:
            by_suit[:, wait.suit, wait.local] = waits[:, m]
            base[wait.local] = prior[m]
    held = np.column_stack([waits[:, SHAPE_SLICES[s]].any(axis=1) for s in SHAPES])
    out = np.ones((N_CONDITIONS, N_LOCAL))
    for y in range(N_CONDITIONS):
        active = conditions[:, :, y]
        hits = (by_suit * active[:, :, None]).sum(axis=(0, 1))
        # Each suit in which y holds is a row of its own.
        rows = (held[:, None, :] * active[:, :, None]).sum(axis=(0, 1))[shape_of]
        share = (hits + PSEUDO * base) / (rows + PSEUDO)
        out[y] = share / base
    return out


RIDGE = 50.0
"""Strength of the ridge on the logarithms of the ratios."""


def joint_factors(
    margins: NDArray[Any], conditions: NDArray[Any], waits: NDArray[Any]
) -> tuple[Floats, Floats]:
    """(113,) prior and (19, 33) ratios of (33), by maximum likelihood of (22) given (29).

    The product (33) is kept, but its factors are fitted together, under the normalisation
    that they are used with: counts (31)-(32) take each condition for the only one and never
    learn from tiles *not* thrown. Suits are pooled; honours have a prior alone, winds and
    dragons apart. Ratios are shrunk to one by a ridge on their logarithms.

    ``margins`` (n, 113) as ``wait_margins``, ``conditions`` (n, 3, 19), ``waits`` (n, 113).
    """
    from scipy.optimize import minimize

    local = LOCAL_WAITS
    honours = [m for m in range(N_WAITS) if WAITS[m].local < 0]
    # Four priors for honours: winds and dragons, as a shanpon pair and as a single wait.
    group = np.array([2 * (WAITS[m].shape == "single") + (WAITS[m].wins[0] >= 31) for m in honours])
    with np.errstate(divide="ignore"):
        offset = np.log(AVAILABILITY)[margins.astype(np.int64) + 1]
    target = waits.astype(bool) & (margins >= 0)
    given = conditions
    n_prior = N_LOCAL + 4
    n = max(len(margins), 1)

    def loss(x: Floats) -> tuple[float, Floats]:
        ratio = x[n_prior:].reshape(N_CONDITIONS, N_LOCAL)
        logits = offset.copy()
        by_suit = given @ ratio
        logits[:, local] += by_suit[:, LOCAL_SUIT, LOCAL_INDEX] + x[LOCAL_INDEX]
        logits[:, honours] += x[N_LOCAL + group]
        total = 0.0
        by_logit = np.zeros_like(logits)
        for part in SHAPE_SLICES.values():
            some, held = logits[:, part], target[:, part]
            top = some.max(axis=1, keepdims=True)
            top = np.where(np.isfinite(top), top, 0.0)
            odds = np.exp(some - top)
            whole = odds.sum(axis=1, keepdims=True)
            whole = np.where(whole > 0, whole, 1.0)
            with np.errstate(invalid="ignore"):
                total -= float(np.where(held > 0, some - top - np.log(whole), 0.0).sum())
            by_logit[:, part] = held.sum(axis=1, keepdims=True) * odds / whole - held
        gradient = np.zeros_like(x)
        summed = by_logit.sum(axis=0, dtype=np.float64)
        np.add.at(gradient, LOCAL_INDEX, summed[local])
        np.add.at(gradient, N_LOCAL + group, summed[honours])
        spread = np.zeros((len(logits), 3, N_LOCAL))
        spread[:, LOCAL_SUIT, LOCAL_INDEX] = by_logit[:, local]
        pulled = np.zeros((N_CONDITIONS, N_LOCAL))
        for suit in range(3):
            pulled += given[:, suit].T @ spread[:, suit]
        gradient[n_prior:] = (pulled + RIDGE * ratio).ravel()
        return (total + 0.5 * RIDGE * float((ratio**2).sum())) / n, gradient / n

    start = np.zeros(n_prior + N_CONDITIONS * N_LOCAL)
    best = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400, "gtol": 1e-6}
    )
    prior = np.zeros(N_WAITS)
    prior[local] = np.exp(best.x[LOCAL_INDEX])
    prior[honours] = np.exp(best.x[N_LOCAL + group])
    ratio = np.exp(best.x[n_prior:].reshape(N_CONDITIONS, N_LOCAL))
    return prior, ratio


def worth(han: NDArray[Any], fu: NDArray[Any], shift: NDArray[Any]) -> tuple[Floats, Floats]:
    """(24): (14,) distribution of han less its shift and (12,) of fu cells, of riichi deal-ins."""
    limit = fu == 0
    less = np.clip(han.astype(np.int64) - shift, 1, N_HAN - 1)
    p_han = np.bincount(less[~limit], minlength=N_HAN).astype(np.float64)[:N_HAN]
    p_han[N_HAN - 1] += limit.sum()
    p_fu = np.bincount(fu[~limit].astype(np.int64) // 10, minlength=N_FU).astype(np.float64)
    return p_han / p_han.sum(), p_fu / p_fu.sum()
