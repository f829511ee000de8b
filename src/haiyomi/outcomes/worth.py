"""What a win of each class of worth pays on average: ``worth.json``, measured by ``fit worth``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.errors import ModelError
from haiyomi.outcomes.joint import WORTH_BASES
from haiyomi.storage.model_file import read_model

NAME: Final = "worth"
VERSION: Final = 1
RON, TSUMO_DEALER, TSUMO_OTHER = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """``points`` (2, 9, 3), of another's and a dealer's win, by class of ``WORTH_BASES``: a ron,
    what the dealer pays on a tsumo (0 where he wins), and what each other pays; without honba.
    ``tilt`` (2, 9): how much likelier each class is by ron, and by tsumo, than by either."""

    points: Floats
    tilt: Floats

    @classmethod
    def load(cls, path: Path) -> Worth:
        """The table of a file. Raises ModelError."""
        payload, _ = read_model(path, NAME, VERSION)
        try:
            points = np.array(payload["points"], np.float64)
            won = np.array(payload["won"], np.float64)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path.name}: {error}") from None
        if points.shape != (2, len(WORTH_BASES), 3) or (np.diff(points[:, :, 0]) <= 0).any():
            raise ModelError(f"{path.name}: no table of points that rise with the class")
        if won.shape != (2, len(WORTH_BASES)) or (won <= 0).any():
            raise ModelError(f"{path.name}: no count of the hands of each class")
        shares = won / won.sum(axis=1, keepdims=True)
        return cls(points, shares / (won.sum(axis=0) / won.sum()))


@cache
def shipped() -> Worth:
    """The shipped table. Raises ModelError where it cannot be loaded."""
    return Worth.load(Path(__file__).with_name("worth.json"))
