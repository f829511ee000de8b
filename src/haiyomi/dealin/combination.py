"""P(ron) from two answers: the network's own, and P(tenpai) times the posterior over hands.

A logistic regression for each class of opponents joins their log odds. Its other numbers are what
both answers know too little about: honours, dora, two or more opponents in riichi, and kinds that
an opponent let pass with the hand that it still has (``tenpai_posterior.kinds_let_pass``). It is
fitted to the network's games (``training.fit_combination``) and kept with the network's weights. A
network without it takes the mean of the two log odds.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats
from haiyomi.dealin.tenpai_posterior import kinds_let_pass
from haiyomi.kernels.waits import KIND_BITS
from haiyomi.networks.network import Network
from haiyomi.networks.opponents import OpponentOutputs
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.tiles import N_KINDS, Kind, dora_of

TABLE: Final = "ron weights"
"""The name of the weights in a network's file."""
FEATURES: Final = (
    "network", "posterior", "constant", "honour", "dora", "two in riichi", "let pass"
)  # fmt: skip
MEAN: Final = np.tile(np.array([0.5, 0.5, 0, 0, 0, 0, 0], np.float32), (len(CLASSES), 1))
"""(5, 7) the weights of the mean, by class of opponents."""
_HONOUR: Final = np.arange(N_KINDS) >= 27
_DORA: Final = np.zeros((256, N_KINDS), np.bool_)
_DORA[np.arange(N_KINDS), [dora_of(Kind(k)) for k in range(N_KINDS)]] = True
"""The dora of an indicator's kind; none for the number that stands for no indicator."""


def weights_of(network: Network) -> NDArray[np.float32]:
    """(5, 7) the weights of a network by class of opponents."""
    found = network.tables.get(TABLE, MEAN)
    return found if found.shape == MEAN.shape else MEAN


def features_of(seen: OpponentOutputs, by_hands: Floats) -> Floats:
    """(m, 34, 7) FEATURES of the kinds; ``by_hands`` (m, 34) P(tenpai) times the posterior's."""
    out = np.empty((*by_hands.shape, len(FEATURES)))
    out[:, :, 0] = seen.ron
    out[:, :, 1] = logit(by_hands)
    out[:, :, 2] = 1.0
    out[:, :, 3] = _HONOUR
    out[:, :, 4] = _DORA[seen.observations["indicators"]].any(axis=1)
    riichi: NDArray[Any] = seen.observations["players"]["riichi"][:, 1:]
    out[:, :, 5] = ((riichi >= 0).sum(axis=1) > 1)[:, None]
    out[:, :, 6] = kinds_let_pass(seen.observations, seen.seats)[:, None] & KIND_BITS != 0
    return out


def logit(p: Floats) -> Floats:
    """Log odds of probabilities, which are clipped away from zero and one."""
    q = np.minimum(np.maximum(p, 1e-7), 1 - 1e-7)
    out: Floats = np.log(q) - np.log1p(-q)
    return out
