"""The forward pass of the ensemble of networks of options (``outcomes.option_model``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from haiyomi import _core
from haiyomi.arrays import Bytes, Ints, Singles

LANE: Final = 16
"""The width of a hidden layer is a multiple of this."""
MOST_HIDDEN: Final = 4096
"""The widest hidden layer."""
LAYERS: Final = ("channels", "pooled", "exact", "bias", "hidden", "hidden bias", "out")


def option_net(
    layers: Mapping[str, Singles],
    row: Ints,
    kind: Bytes,
    channels: Singles,
    pooled: Singles,
    exact: Singles,
) -> Singles:
    """(members, b, columns of ``out``) of b options of n decisions, those of one side by side.

    ``layers`` (members, rows, columns) by the names of ``LAYERS``; ``row`` (b,) the decision and
    ``kind`` (b,) the tile of each option; ``channels`` (n, 34, width), ``pooled`` (n, hidden) and
    ``exact`` (b, numbers). Batch-invariant: an option's bits do not depend on the other decisions.
    Raises ValueError for layers that do not fit.
    """
    of_channels, of_pooled, of_exact, bias, of_hidden, hidden_bias, of_out = (
        np.ascontiguousarray(layers[name]) for name in LAYERS
    )
    return _core.option_net(
        of_channels, of_pooled, of_exact, bias, of_hidden, hidden_bias, of_out,
        row, kind, np.ascontiguousarray(channels), np.ascontiguousarray(pooled), exact,
    )  # fmt: skip
