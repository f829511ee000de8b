"""Wait sets and completeness of many hands at once.

A *wait* is a kind that completes a tenpai hand. Melds are inferred from the number of
concealed tiles, as in ``kernels.shanten``; seven pairs and thirteen orphans need 13 or 14.
A kind of which the hand itself holds four is no wait.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.kernels.counts import Counts, as_rows


def waits(counts: Counts) -> npt.NDArray[np.uint64]:
    """The kinds that complete each hand, as masks (bit k = kind k); 0 if it is not tenpai.

    ``counts``: ``(..., 34)`` uint8, each 0-4; rows of 1, 4, 7, 10 or 13 tiles. Returns uint64
    of shape ``(...)``. Raises TypeError, or ValueError naming the first bad row.
    """
    return _core.waits(as_rows(counts)).reshape(counts.shape[:-1])


def is_complete(counts: Counts) -> npt.NDArray[np.bool_]:
    """Whether each hand is complete in any form; rows of 2, 5, 8, 11 or 14 tiles."""
    return _core.is_complete(as_rows(counts)).reshape(counts.shape[:-1])


@dataclass(frozen=True, slots=True)
class CompleteHands:
    """Distinct complete hands of 14 concealed tiles; ``either`` counts each of them once."""

    standard: int
    seven_pairs: int
    both: int
    thirteen_orphans: int
    either: int


def count_complete() -> CompleteHands:
    """Count the complete hands over the entries of the core's tables (a check of them)."""
    return CompleteHands(*_core.count_complete())


def count_tenpai() -> dict[int, int]:
    """Distinct standard-form tenpai hands by their number of concealed tiles, over the tables."""
    return dict(zip((1, 4, 7, 10, 13), _core.count_tenpai(), strict=True))
