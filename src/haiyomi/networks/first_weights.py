"""The initial weights of a network."""

from __future__ import annotations

import numpy as np

from haiyomi.arrays import Singles
from haiyomi.networks.shape import Shape

_OUTPUTS = ("out", "out honours", "whole")


def first_weights(shape: Shape, rng: np.random.Generator) -> Singles:
    """(shape.size,) normal by their fan-in; biases and the output layers zero."""
    out = []
    for name, rows, columns in shape.parts:
        tower = shape.opponent if name.startswith("opponent ") else shape.decision
        part = name.removeprefix("opponent ")
        scale = (2.0 / rows) ** 0.5
        if rows == 1 or part in _OUTPUTS:
            scale = 0.0
        elif "project" in part:
            scale *= 0.5 / tower.blocks**0.5
        elif part.endswith((" suit", " hand", " hand honours")):
            scale *= 0.5
        out.append((rng.normal(size=rows * columns) * scale).astype(np.float32))
    return np.concatenate(out)
