"""Hidden hands of the three opponents, drawn jointly so that they agree with the models.

Who is tenpai is drawn first, by the deal-in model's P(tenpai). A tenpai hand comes from the
posterior, which wins on each kind as often as its risk says; another comes from the reading, given
that it is not tenpai. Three hands drawn so may need more copies of a tile than are unseen; then
they are drawn again for the same seats tenpai, so that P(tenpai) stays what it was.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.analysis.models import Models
from haiyomi.arrays import Bools, Bytes
from haiyomi.errors import HaiyomiError
from haiyomi.game.observation import NONE
from haiyomi.game.position import Position
from haiyomi.seeds import generator
from haiyomi.tiles import N_KINDS, RED_KINDS

BLOCK: Final = 256
"""Deals that are drawn together."""
POOL: Final = 512
"""Hands drawn of each opponent, tenpai and not; the deals combine them."""
_TRIED: Final = 64
_ROUNDS: Final = 128
"""A deal is drawn up to so many times ``_TRIED`` times."""
Hands = Bytes


class Deals:
    """Deals of one position in blocks, each of which depends on ``seed`` and its number alone."""

    def __init__(self, position: Position, seed: int, models: Models | None = None) -> None:
        models = models or Models()
        (read,) = models.deal_in.read([position])
        self.position = position
        self.seed = seed
        self.tenpai = np.array(read.deal_in(()).tenpai)
        """(3,) P(tenpai) of each opponent."""
        self.pools: list[tuple[Hands, Hands]] = []
        """Of each opponent hands that are not tenpai, and hands that are."""
        for r, reading in enumerate(read_hands(position, POOL, seed, models)):
            ready = models.tenpai_hands.hands_by_risk(position, r + 1, POOL, seed)
            noten = reading.samples[reading.shanten > 0]
            if not len(ready) and not len(noten):
                raise HaiyomiError("the reading has no hand for one of the opponents")
            if not len(ready) or not len(noten):
                self.tenpai[r] = float(len(ready) > 0)
            self.pools.append((noten, ready))

    def block(self, number: int) -> Hands:
        """(n, 3, 34) tiles of each kind that opponents 1, 2, 3 hold, at most BLOCK deals: without
        those for which no three hands were found that lie on one table."""
        rng = generator(self.seed, "deals", number)
        tenpai = rng.random((BLOCK, 3)) < self.tenpai
        unseen = np.array(self.position.unseen, np.uint8)
        deals = np.zeros((BLOCK, 3, N_KINDS), np.uint8)
        left = np.arange(BLOCK)
        for _ in range(_ROUNDS):
            hands = np.stack([self._some(r, tenpai[left, r], rng) for r in range(3)], axis=2)
            fits = (hands.sum(axis=2) <= unseen).all(axis=2)
            done = fits.any(axis=1)
            deals[left[done]] = hands[done, fits[done].argmax(axis=1)]
            left = left[~done]
            if not len(left):
                break
        return np.delete(deals, left, axis=0)

    def _some(self, r: int, tenpai: Bools, rng: np.random.Generator) -> Hands:
        """(m, _TRIED, 34) hands of an opponent for m deals."""
        noten, ready = self.pools[r]
        both = np.concatenate([noten, ready])
        size = np.where(tenpai, len(ready), len(noten))[:, None]
        drawn = (rng.random((len(tenpai), _TRIED)) * size).astype(np.int64)
        out: Hands = both[drawn + np.where(tenpai, len(noten), 0)[:, None]]
        return out


def with_reds(position: Position, deals: Hands, seed: int, number: int = 0) -> Bytes:
    """(n, 4, 14) the hands as tile codes by absolute seat, NONE after the last and for the viewer.

    An unseen red five is any of the unseen fives of its suit with equal probability. ``number`` is
    that of the block.
    """
    n = len(deals)
    rng = generator(seed, "reds", number)
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
