"""Hands as counts of the 34 kinds: the arrays that the kernels take."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from haiyomi.tiles import N_KINDS, Tile, kind_counts, parse_tiles

Counts = npt.NDArray[np.uint8]
"""``(..., 34)`` copies of each kind, each 0-4."""


def counts_of(*hands: str | Iterable[Tile]) -> Counts:
    """The counts of some hands in notation or tiles: ``counts_of("123m406p11z")``.

    Returns ``(34,)`` for one hand, else ``(n, 34)``. Raises TileError.
    """
    rows = np.array(
        [kind_counts(parse_tiles(h) if isinstance(h, str) else tuple(h)) for h in hands],
        dtype=np.uint8,
    ).reshape(len(hands), N_KINDS)
    return rows[0] if len(hands) == 1 else rows


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


def kinds_in(mask: int | np.uint64) -> list[int]:
    """The kinds of a mask (bit k = kind k), ascending."""
    bits = int(mask)
    return [k for k in range(N_KINDS) if bits >> k & 1]
