"""Hidden hands of the three opponents, drawn jointly from the reading.

The reading says of each opponent by itself what it may hold. Three hands drawn so may need more
copies of a tile than are unseen; such draws are refused. What is left is the product of the three
readings, given that the hands can lie on one table.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.analysis.models import Models
from haiyomi.errors import HaiyomiError
from haiyomi.game.observation import NONE
from haiyomi.game.position import Position
from haiyomi.seeds import generator
from haiyomi.tiles import N_KINDS, RED_KINDS

POOL: Final = 512
"""Hands drawn of each opponent; the deals combine them."""
_PROPOSALS: Final = 1 << 14
_MOST: Final = 1 << 23
Hands = NDArray[np.uint8]


def draw_deals(position: Position, n: int, seed: int, models: Models | None = None) -> Hands:
    """(n, 3, 34) tiles of each kind that opponents 1, 2, 3 hold in n deals.

    The same arguments give the same deals, and the first of more are those of fewer. Raises
    HaiyomiError where no three hands of the reading can lie on one table.
    """
    readings = read_hands(position, POOL, seed, models)
    pools = [reading.samples for reading in readings]
    if not all(map(len, pools)):
        raise HaiyomiError("the reading has no hand for one of the opponents")
    unseen = np.array(position.unseen, np.uint8)
    rng = generator(seed, "deals")
    found: list[Hands] = []
    kept = tried = 0
    while kept < n and tried < _MOST:
        of = [rng.integers(len(pool), size=_PROPOSALS) for pool in pools]
        hands = np.stack([pool[index] for pool, index in zip(pools, of, strict=True)], axis=1)
        fits = hands[(hands.sum(axis=1) <= unseen).all(axis=1)]
        found.append(fits)
        kept, tried = kept + len(fits), tried + _PROPOSALS
    if kept < n:
        raise HaiyomiError(
            f"only {kept} of {tried:,} draws of three hands could lie on one table, {n} are wanted"
        )
    return np.concatenate(found)[:n]


def with_reds(position: Position, deals: Hands, seed: int) -> NDArray[np.uint8]:
    """(n, 4, 14) the hands as tile codes by absolute seat, NONE after the last and for the viewer.

    An unseen red five is any of the unseen fives of its suit with equal probability.
    """
    n = len(deals)
    rng = generator(seed, "reds")
    counts = np.zeros((n, 3, N_KINDS + 3), np.int64)
    counts[:, :, :N_KINDS] = deals
    for suit, kind in enumerate(RED_KINDS):
        left = position.unseen[kind]
        if position.reds_seen >> suit & 1 or not position.rules.red_fives:
            continue
        place = rng.integers(left, size=n)
        ends = np.cumsum(deals[:, :, kind], axis=1)
        holder = (place[:, None] >= ends).sum(axis=1)  # 3: it lies in the wall
        world = np.flatnonzero(holder < 3)
        counts[world, holder[world], kind] -= 1
        counts[world, holder[world], N_KINDS + suit] += 1
    out = np.full((n, 4, 14), NONE, np.uint8)
    for i in range(n):
        for r in range(3):
            codes = np.repeat(np.arange(N_KINDS + 3), counts[i, r])
            out[i, position.absolute(r + 1), : len(codes)] = codes
    return out
