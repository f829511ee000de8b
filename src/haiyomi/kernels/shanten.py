"""Shanten and useful tiles of many hands at once, and the shanten of one.

*Shanten* is how many tiles a hand must exchange to reach *tenpai* (one tile short of
complete): 0 at tenpai, -1 complete. Melds are inferred from the number of concealed tiles:
13 or 14 with none, 10 or 11 with one, ... 1 or 2 with four; a kan counts as one meld.
A hand never counts on a fifth copy of a kind that it holds four of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.kernels.counts import Counts, as_rows

NO_FORM: Final = 127
"""The shanten of seven pairs and thirteen orphans for a hand with melds."""


shanten_of: Final[Callable[[Iterable[int]], int]] = _core.shanten_of
"""The shanten of one hand of 34 counts: an array of uint8, bytes, or any iterable of integers.

Returns -1 to 8, as ``shanten`` does. Raises TypeError, or ValueError if this is no hand.
"""
shanten_of_ids: Final[Callable[[Iterable[int]], int]] = _core.shanten_of_ids
"""The shanten of one hand of tile ids, each 0-135; a kind counts at most four times."""


def shanten(counts: Counts) -> npt.NDArray[np.int8]:
    """The shanten of each hand, the least over its forms.

    ``counts``: ``(..., 34)`` uint8, each 0-4; rows of 1, 2, 4, 5, ... 13 or 14 tiles. Returns
    int8 of shape ``(...)``, -1 to 8. Raises TypeError, or ValueError naming the first bad row.
    """
    return _core.shanten(as_rows(counts)).reshape(counts.shape[:-1])


def shanten_forms(counts: Counts) -> npt.NDArray[np.int8]:
    """The shanten by form: four sets and a pair, seven pairs, thirteen orphans.

    ``counts`` as for ``shanten``. Returns int8 of shape ``(..., 3)``; the last two are
    ``NO_FORM`` for hands with melds.
    """
    return _core.shanten_forms(as_rows(counts)).reshape(*counts.shape[:-1], 3)


def useful(counts: Counts) -> npt.NDArray[np.uint64]:
    """The kinds whose draw lowers the shanten, as masks (bit k = kind k).

    ``counts`` as for ``shanten``, but rows of 1, 4, 7, 10 or 13 tiles. Returns uint64 of shape
    ``(...)``. A kind held four times is never useful.
    """
    return _core.useful_tiles(as_rows(counts)).reshape(counts.shape[:-1])
