"""A player's style vector from their choices, as the maximum of the posterior.

The prior is normal about a centre (the player's class), with the precision of the policy's fit;
with few choices the vector stays near the centre. The gradients by the eight numbers are
differences, for which the core's forward pass is enough. Steps are those of Fisher scoring, with
the outer products of the choices' gradients as their information (Berndt, Hall, Hall and Hausman
1974).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats, Singles
from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.kernels.network import STYLE
from haiyomi.styles.choice_loss import choice_nats
from haiyomi.styles.policy import Policy

PRECISION: Final = 4.0
MOST: Final = 6000
"""The most choices used; of more, this many are taken at even distances and weighted up."""
STEPS: Final = 40
HALVINGS: Final = 12
"""Of a step that does not make the choices likelier."""
ENOUGH: Final = 0.003
"""Nats that a step must promise."""
STEP: Final = 1 / 256
"""Of the differences."""


def style_vector(
    policy: Policy,
    rows: Decisions,
    labels: NDArray[Any],
    centre: Singles | None = None,
) -> Singles:
    """(STYLE,) from a player's decisions and their labels (``game.decision_labels.CHOICE``).

    ``centre`` (STYLE,) is the mean of the prior, by default zeros. Without choices it is the
    result. Raises ModelError where the network has no answers at the centre.
    """
    start = np.zeros(STYLE) if centre is None else np.asarray(centre, dtype=np.float64)
    n = len(rows)
    if n == 0:
        return start.astype(np.float32)
    some = np.arange(n) if n <= MOST else np.linspace(0, n - 1, MOST).astype(np.int64)
    seen, chosen = rows[some], labels[some]
    weight = n / len(some)

    def nats(x: Floats) -> Floats:
        found = policy.logits(seen, x.astype(np.float32), both=False)
        return choice_nats(found, seen, chosen)

    def slope(x: Floats, here: Floats, step: Floats) -> Floats:
        with suppress(ModelError):
            return (nats(x + step) - here) / STEP
        return (here - nats(x - step)) / STEP

    def loss(x: Floats, of: Floats) -> float:
        return weight * float(of.sum()) + PRECISION / 2 * float((x - start) @ (x - start))

    x, here = start, nats(start)
    for _ in range(STEPS):
        try:
            by_choice = np.array([slope(x, here, step) for step in STEP * np.eye(STYLE)])
        except ModelError:
            break
        gradient = weight * by_choice.sum(axis=1) + PRECISION * (x - start)
        information = weight * by_choice @ by_choice.T + PRECISION * np.eye(STYLE)
        step = -np.linalg.solve(information, gradient)
        if -gradient @ step < 2 * ENOUGH:
            break
        for _ in range(HALVINGS):
            # So far from all players the network's outputs may be no odds.
            with suppress(ModelError):
                there = nats(x + step)
                if loss(x + step, there) < loss(x, here):
                    break
            step = step / 2
        else:
            break
        x, here = x + step, there
    return x.astype(np.float32)
