"""Hands drawn so that they win on each kind as often as the risk beside them says.

The posterior draws hands by their own weights; the network then corrects each risk. A pool of drawn
hands is reweighted by iterative proportional fitting, one kind after another, until the weighted
share of hands that win on a kind is the corrected risk. Of all such weights these are the nearest
to the posterior's.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Floats

SWEEPS: Final = 60
CLOSE: Final = 1e-4
"""The fit ends where every share is as close to its risk as this."""
LEAST: Final = 1e-6


def agreeing_weights(wins: Bools, risk: Floats) -> Floats:
    """(m,) weights that sum to one, of m hands of which ``wins`` (m, n) says on which of n kinds
    they win, so that kind k is won on with probability ``risk`` (n,).

    A kind on which no hand of the pool wins, or every hand, is left as it is.
    """
    m = len(wins)
    weight: Floats = np.full(m, 1.0 / max(m, 1))
    shares = wins.mean(axis=0) if m else np.zeros(wins.shape[1])
    kinds = np.flatnonzero((shares > 0.0) & (shares < 1.0))
    wanted = np.clip(risk, LEAST, 1.0 - LEAST)
    for _ in range(SWEEPS):
        for k in kinds:
            now = float(weight[wins[:, k]].sum())
            if not LEAST < now < 1.0 - LEAST:
                continue
            weight *= np.where(wins[:, k], wanted[k] / now, (1.0 - wanted[k]) / (1.0 - now))
        if np.abs(weight @ wins[:, kinds] - wanted[kinds]).max(initial=0.0) < CLOSE:
            break
    return weight / weight.sum() if m else weight
