"""Small networks with random weights."""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.networks.first_weights import first_weights
from haiyomi.networks.network import Network
from haiyomi.networks.shape import OPPONENT_KINDS, OPPONENT_WHOLE, Shape, Tower, policy_shape

OPPONENTS: Final = Shape(Tower(16, 1), Tower(16, 1, 16, OPPONENT_KINDS, OPPONENT_WHOLE))
POLICY: Final = policy_shape(16, 1, 16)


def made_network(shape: Shape, seed: int, noise: float = 0.05) -> Network:
    """The initial weights of a fit with ``noise`` on each: without it the outputs are all zero."""
    rng = np.random.default_rng(seed)
    weights = first_weights(shape, rng) + (rng.normal(size=shape.size) * noise).astype(np.float32)
    return Network(shape, weights)
