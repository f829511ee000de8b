"""The forward pass of the network over pairs of seats, which ``outcomes.placement`` defines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from haiyomi import _core

Floats = npt.NDArray[np.float32]
LANE: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class PairNet:
    """``pair`` and ``seat``: widths of the hidden vectors, multiples of LANE. ``weights``: one flat
    array, the layers of ``outcomes.placement.LAYERS`` in order, each (in, out) by rows and then its
    biases."""

    pair: int
    seat: int
    weights: Floats

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """(n, 4, 5) numbers of each seat for the four places and its gain, and (n, 12) of each pair
        for the first being ahead; ``x`` (n, 12, inputs). Batch-invariant: a row's bits do not
        depend on the other rows. Raises ValueError for weights of another size."""
        return _core.pair_net(self.pair, self.seat, self.weights, np.ascontiguousarray(x))
