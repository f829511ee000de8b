"""Log factors of a ron's han, by class of opponent: players wait for value.

The posterior's potentials depend on kinds of tiles, not on the hand's value. But a closed hand
without riichi is worth more than its tiles suggest (a cheap one would have declared riichi), and
so, a little, is a hand with open melds. A factor for each number of han corrects the
distribution over (han, fu) given a ron; the probability of the ron does not change.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
HAN: Final = 9
"""Classes of han: 0 (none) to 7, and 8 or more."""
_AT: Final = np.minimum(np.arange(14), HAN - 1)


def weighed(cells: NDArray[Any], factors: Floats) -> Floats:
    """(..., 14, 12) distributions over (han, fu), each han times exp of its (..., HAN) factor,
    rescaled to their original sums."""
    weights = np.exp(factors)[..., _AT]
    by_han = cells @ np.ones(cells.shape[-1])
    before, after = by_han.sum(axis=-1), (by_han * weights).sum(axis=-1)
    scale = np.divide(before, after, out=np.zeros_like(after), where=after > 0)
    out: Floats = cells * (weights * scale[..., None])[..., None]
    return out


def by_han(cells: NDArray[Any]) -> Floats:
    """(..., HAN) probabilities of each number of han of (..., 14, 12) cells."""
    out: Floats = np.zeros((*cells.shape[:-2], HAN))
    np.add.at(np.moveaxis(out, -1, 0), _AT, np.moveaxis(cells.sum(axis=-1), -1, 0))
    return out
