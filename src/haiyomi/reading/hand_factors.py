"""The factors of the posterior over an opponent's tenpai hands, from the network's heads.

Every kind gets eight log factors: of holding 1, 2, 3 or 4 of it and of waiting on it two-sided,
shanpon, edge or closed and single. A hand gets one for the number of tiles of each suit, for the
shape of each waiting suit, and for seven pairs and thirteen orphans.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Bytes, Floats
from haiyomi.game.observation import NONE
from haiyomi.kernels.posterior import Posterior, RonAnswer, Shown
from haiyomi.networks.opponents import OpponentOutputs

LIMIT: Final = 20.0
"""No log factor is larger."""


def concealed_of(seen: OpponentOutputs) -> Bytes:
    """(m,) concealed tiles of each opponent between its turns: 13 minus three a meld."""
    melds = (seen.own["melds"][:, :, 0] != NONE).sum(axis=1)
    out: Bytes = (13 - 3 * melds).astype(np.uint8)
    return out


def posteriors_of(
    seen: OpponentOutputs, shown: Shown, keep: bool = True
) -> tuple[list[Posterior], RonAnswer]:
    """The posterior of each opponent by the network's answers and the unseen tiles, and what they
    may win on; ``keep`` as in ``Posterior.read``."""
    kinds = seen.factors.reshape(len(seen.factors), -1)
    logs: Floats = np.concatenate(
        (kinds, seen.tiles, seen.shape, seen.irregular), axis=1, dtype=np.float64
    )
    np.maximum(logs, -LIMIT, out=logs)
    np.minimum(logs, LIMIT, out=logs)
    return Posterior.read(shown, np.exp(logs, out=logs), keep)
