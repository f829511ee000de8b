"""Names for arrays of numbers, and values that hold some."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Ints32: TypeAlias = NDArray[np.int32]
Bytes: TypeAlias = NDArray[np.uint8]
Bools: TypeAlias = NDArray[np.bool_]


def same_values(one: Any, other: Any) -> bool:
    """Whether two values of one dataclass have equal fields, arrays by their numbers."""
    return all(_same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return bool(type(one) is type(other) and one == other)
