"""Log factors of a ron's han, by class of opponent: people wait for value.

The posterior's potentials look at kinds of tiles, and so weigh a cheap hand and a dear one of
the same tiles' likelihood alike. But a closed hand that stays silent is dearer than its tiles
tell (a cheap one would have declared riichi), and a hand with open melds a little. A factor
for each number of han, given that this ron happens, mends the distribution over (han, fu) of
a ron; that it happens stays what it was.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
HAN: Final = 9
"""Numbers of han told apart: 0 (none) to 7, and 8 and more."""
_AT: Final = np.minimum(np.arange(14), HAN - 1)


def weighed(cells: NDArray[Any], factors: Floats) -> Floats:
    """(..., 14, 12) distributions over (han, fu), each han times exp of its (..., HAN) factor and
    the whole made to sum to what it did."""
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
