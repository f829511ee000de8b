"""A player's style vector from their choices, as the maximum of the posterior.

The prior is normal about a centre (the player's class), with the precision of the policy's fit;
with few choices the vector stays near the centre. The gradient by the eight numbers is a forward
difference, for which the core's forward pass is enough.
"""

from __future__ import annotations

from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.styles.choice_loss import choice_nats
from haiyomi.styles.lbfgs import minimise
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import STYLE, Singles

PRECISION: Final = 4.0
MOST: Final = 6000
"""The most choices used; of more, this many are taken at even distances and weighted up."""
STEPS: Final = 12
STEP: Final = 1 / 256
"""Of the forward differences."""


def style_vector(
    policy: Policy,
    rows: Decisions,
    labels: NDArray[Any],
    centre: Singles | None = None,
) -> Singles:
    """(STYLE,) from a player's decisions and their labels (``game.decision_labels.CHOICE``).

    ``centre`` (STYLE,) is the mean of the prior, by default zeros. Without choices it is the
    result.
    """
    start = np.zeros(STYLE) if centre is None else np.asarray(centre, dtype=np.float64)
    n = len(rows)
    if n == 0:
        return start.astype(np.float32)
    some = np.arange(n) if n <= MOST else np.linspace(0, n - 1, MOST).astype(np.int64)
    seen, chosen = rows[some], labels[some]
    weight = n / len(some)

    def nats(x: NDArray[np.float64]) -> float:
        found = policy.logits(seen, x.astype(np.float32), both=False)
        return float(choice_nats(found, seen, chosen).sum())

    def loss(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        offset = x - start
        try:
            here = nats(x)
            gradient = np.array([(nats(x + step) - here) / STEP for step in STEP * np.eye(STYLE)])
        except ModelError:
            if not offset.any():
                raise
            # So far from all players that the network's outputs are no odds.
            return inf, np.zeros(STYLE)
        value = weight * here + PRECISION / 2 * float(offset @ offset)
        return value, weight * gradient + PRECISION * offset

    return minimise(loss, start, STEPS).astype(np.float32)
