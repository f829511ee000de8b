"""Rons after an option that leaves a hand tenpai in furiten: only once its wait has changed.

In riichi it never changes. Else the share of its rons is measured on 1,789 branches of which the
option left such a wait: none of 397 with fewer than 12 draws left, .11 of what the networks expect
of them with 12 to 23, .23 with more. The networks do not see it: they expect as many rons of these
hands as of others.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DRAWS: Final = 160.0
"""A hand in furiten wins by ron draws left / DRAWS times as often as another."""
_RONS: Final = slice(1, 4)
"""The joint endings in which the seat wins by ron."""


def with_furiten(
    ending: Floats, furiten: NDArray[np.bool_], draws_left: Floats, riichi: NDArray[np.bool_]
) -> Floats:
    """(e, b, 33) P of each joint ending where the rons of options in ``furiten`` (b,) are as rare
    as they are. ``draws_left`` (b,); ``riichi`` (b,) whether the hand can change no more."""
    share = np.where(riichi, 0, draws_left / DRAWS)
    out = ending.copy()
    out[..., _RONS] *= np.where(furiten, share, 1)[:, None]
    out /= out.sum(axis=-1, keepdims=True)
    return np.where(furiten[:, None], out, ending)
