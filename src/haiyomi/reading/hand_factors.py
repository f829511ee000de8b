"""The factors of the posterior over an opponent's tenpai hands, from the network's heads.

Every kind gets eight log factors: of holding 1, 2, 3 or 4 of it and of waiting on it two-sided,
shanpon, edge or closed and single. A hand gets one for the number of tiles of each suit, for the
shape of each waiting suit, and for seven pairs and thirteen orphans.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.observation import NONE
from haiyomi.kernels.posterior import Given, Posterior, RonAnswer, ways
from haiyomi.networks.opponents import Seen

Floats = NDArray[np.float64]
LIMIT: Final = 20.0
"""No log factor is larger."""
_SUITS: Final = np.repeat(np.arange(2), (3, 1))


def concealed_of(seen: Seen) -> NDArray[np.uint8]:
    """(m,) concealed tiles of each opponent between its turns: 13 minus three a meld."""
    melds = (seen.own["melds"][:, :, 0] != NONE).sum(axis=1)
    out: NDArray[np.uint8] = (13 - 3 * melds).astype(np.uint8)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class HandFactors:
    """The factors of m opponents: ``count`` (m, 34, 5), ``tiles`` (m, 4, 14), ``wait`` (m, 34,
    4), ``shape`` (m, 15), ``irregular`` (m, 2), as ``kernels.posterior.Factors`` has them, of hands
    of ``concealed`` (m,) tiles."""

    concealed: NDArray[np.uint8]
    count: Floats
    tiles: Floats
    wait: Floats
    shape: Floats
    irregular: Floats

    @classmethod
    def of(cls, seen: Seen) -> HandFactors:
        """From the network's answers and the unseen tiles."""
        of_kinds = _exp(seen.factors)
        count = ways(seen.observations["unseen"])
        count[:, :, 1:] *= of_kinds[:, :, :4]
        return cls(
            concealed_of(seen),
            count,
            _exp(seen.tiles).reshape(-1, 2, 14)[:, _SUITS],
            of_kinds[:, :, 4:],
            _exp(seen.shape),
            _exp(seen.irregular),
        )

    def posteriors(self, given: list[Given]) -> tuple[list[Posterior], RonAnswer]:
        """The posterior of each opponent, and what they may win on (``Posterior.read``)."""
        return Posterior.read(
            self.concealed, self.count, self.tiles, self.wait, self.shape, self.irregular, given
        )


def _exp(log: NDArray[Any]) -> Floats:
    out: Floats = np.exp(np.clip(log.astype(np.float64), -LIMIT, LIMIT))
    return out
