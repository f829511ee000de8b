"""Weights as a model file keeps them: networks in half precision, tables in five digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.reading.posterior import TABLES
from haiyomi.storage.model_file import half_array, half_text
from haiyomi.training.adam import Arrays


def halved(weights: Arrays) -> Arrays:
    """The weights as the model file keeps them: those of networks in half precision."""
    return {
        k: np.array(rounded(v)) if k in TABLES else half_array(half_text(v))
        for k, v in weights.items()
    }


def averaged(many: Sequence[Arrays]) -> Arrays:
    """The mean of weights that began alike, number by number, as the model file keeps them."""
    return halved(
        {
            k: np.mean([each[k] for each in many], axis=0, dtype=np.float64).astype(v.dtype)
            for k, v in many[0].items()
        }
    )


def weights_payload(weights: Arrays) -> dict[str, Any]:
    """Weights of tenpai hands as the model file has them."""
    return {k: rounded(v) if k in TABLES else half_text(v) for k, v in weights.items()}


def rounded(values: NDArray[Any]) -> Any:
    """Nested lists of numbers of five digits."""

    def walk(value: Any) -> Any:
        return [walk(v) for v in value] if isinstance(value, list) else float(f"{value:.5g}")

    return walk(values.tolist())
