"""Arrays of a model file as text: half-precision numbers in base64, a third of their digits' size.

``{"shape": [64, 4], "half": "<base64 of little-endian IEEE 754 binary16>"}``: eleven
significant bits, some three decimal digits.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

import numpy as np
from numpy.typing import NDArray


def to_text(values: NDArray[Any]) -> dict[str, Any]:
    """The object of an array. Raises ValueError where a number does not fit."""
    with np.errstate(over="ignore"):
        half = np.ascontiguousarray(values, dtype="<f2")
    if not np.isfinite(half).all():
        raise ValueError("a number is too large for half precision")
    return {"shape": list(half.shape), "half": base64.b64encode(half.tobytes()).decode("ascii")}


def from_text(value: Any) -> NDArray[np.float32]:
    """The array of an object. Raises ValueError where it is damaged."""
    try:
        shape = [int(n) for n in value["shape"]]
        raw = base64.b64decode(value["half"], validate=True)
        out: NDArray[np.float32] = np.frombuffer(raw, dtype="<f2").astype(np.float32).reshape(shape)
    except (KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise ValueError(f"no array of half-precision numbers ({error})") from None
    return out
