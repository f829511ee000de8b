"""The waits that risks are made of, by what the core names them in the hands drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import WaitShare
from haiyomi.dealin.waits import N_WAITS, WAITS
from haiyomi.tiles import Kind


def shares_of(
    waits: NDArray[np.int32], kinds: Sequence[int]
) -> dict[tuple[int, int], tuple[WaitShare, ...]]:
    """By relative seat and kind, the waits of ``RonCells`` with their shares."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for opponent, place, name, hands in waits.tolist():
        found.setdefault((opponent + 1, kinds[place]), []).append((name, hands))
    out = {}
    for (seat, kind), counts in found.items():
        n = sum(hands for _, hands in counts)
        out[seat, kind] = tuple(WaitShare(*_named(name, kind), hands / n) for name, hands in counts)
    return out


@lru_cache(maxsize=4096)
def _named(name: int, kind: int) -> tuple[str, tuple[Kind, ...], tuple[Kind, ...]]:
    """Shape, wins and held tiles of a number of the core's ``wait_name``."""
    first, other = divmod(name, N_WAITS + 1)
    if first == N_WAITS:
        return "orphans", (Kind(kind),), ()
    wait = WAITS[first]
    if wait.shape != "shanpon":
        return wait.shape, wait.wins, wait.held
    pairs = () if other == N_WAITS else WAITS[other].wins
    return "shanpon", (Kind(kind), *pairs), (Kind(kind), Kind(kind))
