"""The forward pass of the network over pairs of seats, which ``outcomes.placement`` defines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from haiyomi import _core
from haiyomi.arrays import Floats, Ints32, Singles

LANE: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class PairNet:
    """``pair`` and ``seat``: widths of the hidden vectors, multiples of LANE. ``weights``: one flat
    array, the layers of ``outcomes.placement.LAYERS`` in order, each (in, out) by rows and then its
    biases. Batch-invariant: a row's bits do not depend on the other rows."""

    pair: int
    seat: int
    weights: Singles

    def __call__(self, x: Singles) -> tuple[Floats, Singles]:
        """(n, 24) the probability of each order of the seats, in the order of ``permutations``, and
        (n, 4) each seat's gain; ``x`` (n, 12, inputs). Raises ValueError for weights of another
        size."""
        orders, found = _core.pair_net(self.pair, self.seat, self.weights, np.ascontiguousarray(x))
        return orders, found[:, :, 4]

    def placements(self, starts: Ints32) -> tuple[Floats, Floats]:
        """(n, 4, 4) P that a seat has each place, first to last, and (n, 4) its expected final
        score; ``starts`` (n, 8): rounds, kyoku, honba, sticks and the scores of the four seats.
        Raises ValueError for weights of another size."""
        return _core.placements(self.pair, self.seat, self.weights, starts)


def pair_inputs(starts: Ints32) -> Singles:
    """(n, 12, inputs) what the network sees of ``starts`` (n, 8), as ``PairNet.placements`` has
    them."""
    return _core.pair_inputs(starts)
