"""P(ron) from the posterior, the trees and the network: a linear blend of log odds by class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BLEND_INPUTS = ("one", "posterior", "forest", "network")
"""The inputs of the blend; the first is the constant."""


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x))."""
    out: Floats = 1.0 / (1.0 + np.exp(-np.clip(x, -60, 60)))
    return out


def logit(p: NDArray[Any]) -> Floats:
    """Log odds of probabilities, which are clipped away from zero and one."""
    q = np.clip(p.astype(np.float64), 1e-7, 1 - 1e-7)
    out: Floats = np.log(q) - np.log1p(-q)
    return out


def odds_of(posterior: Floats, forest: Floats, network: NDArray[Any]) -> Floats:
    """(m, 4) by BLEND_INPUTS, of the posterior's P(ron) and the others' log odds."""
    return np.stack([np.ones(len(posterior)), logit(posterior), forest, network], axis=1)


def blended(blend: Floats, group: NDArray[Any], odds: Floats, tenpai: Floats) -> Floats:
    """(m,) P(ron) by the weights ``blend`` (5, 4) of each row's class, at most P(tenpai)."""
    return np.minimum(sigmoid((blend[group] * odds).sum(axis=1)), tenpai)
