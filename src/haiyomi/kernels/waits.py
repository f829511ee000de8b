"""Wait sets of many hands at once.

A *wait* is a kind that completes a tenpai hand. Melds are inferred from the number of
concealed tiles, as in ``kernels.shanten``; seven pairs and thirteen orphans need 13 or 14.
A kind of which the hand itself holds four is no wait.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.kernels.counts import Counts, as_rows

KIND_BITS: Final = np.uint64(1) << np.arange(34, dtype=np.uint64)
"""(34,) the masks of single kinds."""


def waits(counts: Counts, melded: Counts | None = None) -> npt.NDArray[np.uint64]:
    """The kinds that complete each hand, as masks (bit k = kind k); 0 if it is not tenpai.

    ``counts``: ``(..., 34)`` uint8, each 0-4; rows of 1, 4, 7, 10 or 13 tiles. With ``melded``, the
    tiles of its melds (``(..., 34)`` uint8), less the kinds of which hand and melds hold all four.
    Returns uint64 of shape ``(...)``. Raises TypeError, or ValueError naming the first bad row.
    """
    found = _core.waits(as_rows(counts)).reshape(counts.shape[:-1])
    if melded is not None and found.any():
        found &= ~((counts + melded >= 4) * KIND_BITS).sum(axis=-1, dtype=np.uint64)
    return found
