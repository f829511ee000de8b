"""The waits that risks are made of, by what the core names them in the hands drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from haiyomi.arrays import Ints32
from haiyomi.dealin.answer import Waits, WaitShare
from haiyomi.dealin.waits import N_WAITS, WAITS
from haiyomi.tiles import Kind


def shares_of(waits: Ints32, kinds: Sequence[int]) -> Waits:
    """The waits of ``RonCells`` with their shares."""
    out: dict[tuple[int, int], tuple[WaitShare, ...]] = {}
    for (opponent, place), rows in groupby(waits.tolist(), key=itemgetter(0, 1)):
        kind = kinds[place]
        counts = [(_named(name, kind), hands) for _, _, name, hands in rows]
        n = sum([hands for _, hands in counts])
        out[opponent + 1, kind] = tuple([WaitShare(*wait, hands / n) for wait, hands in counts])
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
