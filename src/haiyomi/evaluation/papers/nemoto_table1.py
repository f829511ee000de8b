"""The position that Nemoto, Komiya and Kotani print as Table 1, and what a CRF says of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi.arrays import Floats, Ints
from haiyomi.reading.nemoto import NemotoModel

RIVER: Final = "1000000012000000000000000000200301"
VISIBLE: Final = "2132010110000100013211101111014101"
HAND: Final = "0001103100011001100200001000000000"
"""Copies of each kind in the opponent's river, visible elsewhere, and in the opponent's hand."""


def counts(digits: str) -> Ints:
    """(1, 34) the counts of a column of the table."""
    return np.array([list(map(int, digits))], dtype=np.int64)


def marginals(model: NemotoModel) -> Floats:
    """(34, 5) the marginals of the real labels, of a CRF asked about the printed position."""
    found: Floats = model.label_marginals(counts(RIVER), counts(VISIBLE))[0]
    return found
