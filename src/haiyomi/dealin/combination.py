"""P(ron) from two answers: the network's own, and P(tenpai) times the posterior over hands.

A logistic regression for each class of opponents joins their log odds. Its other numbers are what
both answers know too little about: honours, dora, two or more opponents in riichi, and kinds that
an opponent let pass with the hand that it still has (``kernels.posterior.Shown.masks``). It is
fitted to the network's games (``training.fit_combination``) and kept with the network's weights. A
network without it takes the mean of the two log odds.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Singles
from haiyomi.errors import ModelError
from haiyomi.networks.network import Network
from haiyomi.reading.opponent_class import CLASSES

TABLE: Final = "ron weights"
"""The name of the weights in a network's file."""
FEATURES: Final = (
    "network", "posterior", "constant", "honour", "dora", "two in riichi", "let pass"
)  # fmt: skip
MEAN: Final = np.tile(np.array([0.5, 0.5, 0, 0, 0, 0, 0], np.float32), (len(CLASSES), 1))
"""(5, 7) the weights of the mean, by class of opponents."""


def weights_of(network: Network) -> Singles:
    """(5, 7) the weights of a network by class of opponents. Raises ModelError for a table of
    another shape, such as one that was fitted with other features."""
    found = network.tables.get(TABLE, MEAN)
    if found.shape != MEAN.shape:
        raise ModelError(
            f"{network.file}: the table {TABLE!r} has the shape {found.shape}, not {MEAN.shape}: "
            "fit the network anew"
        )
    return found
