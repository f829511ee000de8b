"""A small network that says outright which tiles an opponent can ron, and whether it is tenpai.

Beside the posterior, which knows hands but sees each suit's pattern through eight numbers a
kind, this one knows no hands: the layers of ``reading.network`` end in two numbers a kind,
the log odds that the opponent can ron it now, and a vote for tenpai. The votes' mean and the
context make the log odds of tenpai. In use a hand is read from both ends of its suits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.reading.features import CONTEXT_FEATURES
from haiyomi.reading.network import (
    Trace,
    from_both_ends,
    gradients,
    n_layers,
    potentials,
    shapes,
)

Floats = NDArray[np.float32]
Arrays = dict[str, NDArray[Any]]
OUTPUTS: Final = 2


def ron_shapes(weights: Mapping[str, NDArray[Any]]) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight of a network of this width and depth."""
    out = shapes(weights["in"].shape[1], n_layers(weights), OUTPUTS)
    return out | {"tenpai context": (len(CONTEXT_FEATURES),), "tenpai bias": (1,)}


def log_odds(
    weights: Mapping[str, NDArray[Any]],
    x: Floats,
    context: Floats,
    drop: float = 0.0,
    rng: np.random.Generator | None = None,
) -> tuple[Floats, Floats, Trace]:
    """(n, 34) log odds of a ron, (n,) of tenpai, and the trace for ``log_odds_gradients``; ``drop``
    and ``rng`` as in ``network.potentials``."""
    out, trace = potentials(weights, x, context, True, drop, rng)
    return *_odds(weights, out, context), trace


def log_odds_from_both_ends(
    weights: Mapping[str, NDArray[Any]], x: Floats, context: Floats, batch_invariant: bool = False
) -> tuple[Floats, Floats]:
    """(n, 34) log odds of a ron and (n,) of tenpai, of rows read from both ends of the suits;
    ``batch_invariant`` as in ``network.potentials``."""
    return _odds(
        weights, from_both_ends(weights, x, context, batch_invariant), context, batch_invariant
    )


def _odds(
    weights: Mapping[str, NDArray[Any]], out: Floats, context: Floats, batch_invariant: bool = False
) -> tuple[Floats, Floats]:
    # A row's product by itself has the same bits whatever rows stand beside it.
    rows = context[:, None] if batch_invariant else context
    of_context = (rows @ weights["tenpai context"]).reshape(-1)
    tenpai = out[:, :, 1].mean(axis=1) + of_context
    return out[:, :, 0], tenpai + weights["tenpai bias"]


def log_odds_gradients(
    weights: Mapping[str, NDArray[Any]], trace: Trace, ron: Floats, tenpai: Floats
) -> Arrays:
    """The gradient by every weight, given the gradients by the log odds."""
    both = np.stack([ron, np.repeat(tenpai[:, None] / np.float32(34), 34, axis=1)], axis=2)
    out: Arrays = dict(gradients(weights, trace, both))
    out["tenpai context"] = trace.context.T @ tenpai
    out["tenpai bias"] = tenpai.sum(keepdims=True)
    return out
