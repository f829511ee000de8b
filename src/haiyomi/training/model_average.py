"""Model averages, and weights as a model file stores them: networks in float16, tables rounded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.reading.posterior import TABLES
from haiyomi.storage.model_file import float16_array, float16_text
from haiyomi.training.adam import Arrays


def to_float16(weights: Arrays) -> Arrays:
    """The weights after a round trip through the model file: networks in float16."""
    return {
        k: np.array(rounded(v)) if k in TABLES else float16_array(float16_text(v))
        for k, v in weights.items()
    }


def averaged(many: Sequence[Arrays]) -> Arrays:
    """The element-wise mean of weights fine-tuned from the same start, as the file stores them."""
    return to_float16(
        {
            k: np.mean([each[k] for each in many], axis=0, dtype=np.float64).astype(v.dtype)
            for k, v in many[0].items()
        }
    )


def weights_payload(weights: Arrays) -> dict[str, Any]:
    """Weights of tenpai hands as the model file has them."""
    return {k: rounded(v) if k in TABLES else float16_text(v) for k, v in weights.items()}


def rounded(values: NDArray[Any]) -> Any:
    """Nested lists of numbers rounded to five digits."""

    def shortened(value: Any) -> Any:
        return [shortened(v) for v in value] if isinstance(value, list) else float(f"{value:.5g}")

    return shortened(values.tolist())
