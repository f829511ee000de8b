"""A small network that says outright which tiles an opponent can ron, and whether it is tenpai.

Beside the posterior, which knows hands but sees each suit's pattern through eight numbers a
kind, this one knows no hands: the layers of ``reading.network`` end in two numbers a kind,
the log odds that the opponent can ron it now, and a vote for tenpai. The votes' mean and the
context make the log odds of tenpai. Networks that learned from different games are averaged
in log odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.reading.features import CONTEXT_FEATURES
from haiyomi.reading.network import Trace, n_layers, potentials, shapes, slopes

Floats = NDArray[np.float32]
Arrays = dict[str, NDArray[Any]]
OUTPUTS: Final = 2
TENPAI: Final = ("tenpai context", "tenpai bias")


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
    alone: bool = False,
) -> tuple[Floats, Floats, Trace]:
    """(n, 34) log odds of a ron, (n,) of tenpai, and unless ``alone`` the trace for
    ``log_odds_slopes``; ``alone`` as in ``network.potentials``."""
    out, trace = potentials(weights, x, context, not alone, drop, rng, alone)
    rows = context[:, None] if alone else context
    of_context = (rows @ weights["tenpai context"]).reshape(-1)
    tenpai = out[:, :, 1].mean(axis=1) + of_context
    return out[:, :, 0], tenpai + weights["tenpai bias"], trace


def log_odds_slopes(
    weights: Mapping[str, NDArray[Any]], trace: Trace, ron: Floats, tenpai: Floats
) -> Arrays:
    """The gradient by every weight of a sum whose gradients by the log odds are these."""
    both = np.stack([ron, np.repeat(tenpai[:, None] / np.float32(34), 34, axis=1)], axis=2)
    out: Arrays = dict(slopes(weights, trace, both))
    out["tenpai context"] = trace.context.T @ tenpai
    out["tenpai bias"] = tenpai.sum(keepdims=True)
    return out


def mean_log_odds(
    networks: Sequence[Mapping[str, NDArray[Any]]],
    x: Floats,
    context: Floats,
    alone: bool = False,
) -> tuple[Floats, Floats]:
    """(n, 34) and (n,) log odds of ron and tenpai, the mean of some networks'; ``alone`` as in
    ``network.potentials``."""
    ron = np.zeros(x.shape[:2], np.float32)
    tenpai = np.zeros(len(x), np.float32)
    for weights in networks:
        said = log_odds(weights, x, context, alone=alone)
        ron += said[0] / np.float32(len(networks))
        tenpai += said[1] / np.float32(len(networks))
    return ron, tenpai
