"""Logits to probabilities."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", np.float32, np.float64)


def softmax(logits: NDArray[F]) -> NDArray[F]:
    """The softmax over the last axis; -inf is a probability of 0."""
    p = np.exp(logits - logits.max(axis=-1, keepdims=True))
    out: NDArray[F] = p / p.sum(axis=-1, keepdims=True)
    return out
