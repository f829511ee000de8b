"""A forest in a model file: its arrays as they are in memory, in base64."""

from __future__ import annotations

from typing import Any

import numpy as np

from haiyomi.kernels.forest import Forest
from haiyomi.storage.model_file import ArrayKind, array_of, array_text

_ARRAYS: dict[str, ArrayKind] = {
    "roots": "int32",
    "feature": "int16",
    "value": "single",
    "left": "int32",
    "right": "int32",
}


def forest_payload(forest: Forest) -> dict[str, Any]:
    """The forest as JSON values."""
    arrays = {name: array_text(getattr(forest, name), kind) for name, kind in _ARRAYS.items()}
    return {"features": list(forest.features), "base": forest.base, **arrays}


def forest_of(payload: dict[str, Any], features: tuple[str, ...]) -> Forest:
    """The forest of ``forest_payload``. Raises ValueError if it is damaged or of other features
    than these."""
    if tuple(payload["features"]) != features:
        raise ValueError("the trees were fitted on other features")
    arrays = {name: array_of(payload[name], kind) for name, kind in _ARRAYS.items()}
    forest = Forest(features, float(payload["base"]), **arrays)
    forest.score(np.zeros((1, len(features)), np.float32))  # raises here if it is damaged
    return forest
