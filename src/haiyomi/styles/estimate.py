"""A player's style vector from their choices, as the maximum of the posterior.

The prior is normal about a centre (the player's class), with the precision of the policy's fit;
with few choices the vector stays near the centre.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.kernels.policy import learn
from haiyomi.styles.lbfgs import minimise
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import STYLE, Floats

PRECISION: Final = 4.0
MOST: Final = 6000
"""The most choices used; of more, this many are taken at even distances and weighted up."""
STEPS: Final = 12


def style_vector(
    policy: Policy,
    rows: Decisions,
    labels: NDArray[Any],
    centre: Floats | None = None,
    precision: float = PRECISION,
) -> Floats:
    """(STYLE,) from a player's decisions and their labels (``game.decision_labels.CHOICE``).

    ``centre`` (STYLE,) is the mean of the prior, by default zeros. Without choices it is the
    result.
    """
    start = np.zeros(STYLE) if centre is None else np.asarray(centre, dtype=np.float64)
    n = len(rows)
    if n == 0:
        return start.astype(np.float32)
    some = np.arange(n) if n <= MOST else np.linspace(0, n - 1, MOST).astype(np.int64)
    data = as_bytes(rows[some])
    chosen = np.ascontiguousarray(labels[some])
    label_bytes = chosen.view(np.uint8).reshape(len(some), chosen.dtype.itemsize)
    mirror = np.zeros(len(some), np.uint8)
    weight = n / len(some)
    unused = np.zeros(policy.shape.size, np.float32)

    def loss(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        style = np.repeat(x.astype(np.float32)[None], len(some), axis=0)
        gradient = np.zeros_like(style)
        parts = learn(
            policy.shape.sizes, policy.weights, data, mirror, style, label_bytes, unused, gradient
        )
        offset = x - start
        value = weight * sum(parts[:4]) + precision / 2 * float(offset @ offset)
        return value, weight * gradient.sum(axis=0, dtype=np.float64) + precision * offset

    return minimise(loss, start, STEPS).astype(np.float32)
