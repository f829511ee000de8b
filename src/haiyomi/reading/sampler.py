"""Samples of whole hands: rejection sampling from the counts, by shanten.

It is exact: accepted hands are distributed as the counts times the acceptance probability. It
conditions a hand on tenpai, and adds the whole hand's shanten to counts that know no sets.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Floats, Ints
from haiyomi.kernels.hand_counts import hand_samples
from haiyomi.kernels.shanten import shanten

N_SHANTEN: Final = 9
"""Shanten 0 to 8; a hand of 3k + 1 tiles is never complete."""
MOST_DRAWS: Final = 1 << 19


class Samples(NamedTuple):
    """``hands`` (n, draws, 34) and their ``shanten`` (n, draws); the first ``found`` (n,) of a
    row are valid. There are fewer than wanted only where almost no proposal was accepted."""

    hands: Bytes
    shanten: NDArray[np.int8]
    found: Ints


def draw_hands(
    logs: Floats,
    totals: NDArray[Any],
    accept: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Samples:
    """``draws`` hands a row: proposals by the counts (see ``kernels.hand_counts``), each accepted
    with the probability ``accept`` (n, N_SHANTEN) of its shanten. Gives up on a row after
    MOST_DRAWS proposals.
    """
    n = len(logs)
    hands = np.zeros((n, draws, 34), np.uint8)
    steps = np.zeros((n, draws), np.int8)
    found = np.zeros(n, np.int64)
    left = np.arange(n)
    size, spent = max(2 * draws, 8), 0
    while len(left) and spent < MOST_DRAWS:
        drawn = hand_samples(logs[left], totals[left], size, rng)
        away = shanten(drawn)
        keep = rng.random(away.shape) < np.take_along_axis(accept[left], away.astype(int), axis=1)
        for i in np.flatnonzero(keep.any(axis=1)):
            row = left[i]
            chosen = np.flatnonzero(keep[i])[: draws - found[row]]
            upto = found[row] + len(chosen)
            hands[row, found[row] : upto] = drawn[i, chosen]
            steps[row, found[row] : upto] = away[i, chosen]
            found[row] = upto
        left = left[found[left] < draws]
        spent += size
        # Few rows left and few hands kept: more proposals at a time, within bounded memory.
        size = min(4 * size, max(8, (1 << 17) // max(len(left), 1)))
    return Samples(hands, steps, found)
