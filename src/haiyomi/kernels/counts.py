"""Hands as counts of the 34 kinds: the arrays that the kernels take."""

from __future__ import annotations

import numpy as np

from haiyomi.arrays import Bytes
from haiyomi.tiles import N_KINDS

Counts = Bytes
"""``(..., 34)`` copies of each kind, each 0-4."""


def as_rows(counts: Counts) -> Counts:
    """The counts as a contiguous ``(n, 34)`` uint8 array, a copy only where needed.

    Raises TypeError if they are no uint8 array, ValueError if the last axis is not 34.
    """
    if not isinstance(counts, np.ndarray) or counts.dtype != np.uint8:
        found = getattr(counts, "dtype", type(counts).__name__)
        raise TypeError(f"counts must be a numpy array of uint8, not {found}")
    if counts.ndim == 0 or counts.shape[-1] != N_KINDS:
        raise ValueError(f"counts must have shape (..., 34), not {counts.shape}")
    return np.ascontiguousarray(counts).reshape(-1, N_KINDS)
