"""How much rarer a hand drawn from counts is made by each step from tenpai, by discards.

Counts by kind know no sets: hands drawn from them are further from tenpai than true ones, the more
so the later in the hand. A drawn hand is kept with exp(-tilt) for each step. The tilts belong to
the network of opponents; ``haiyomi fit tilts`` fits them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import ModelError
from haiyomi.storage.model_file import read_model, write_model

NAME: Final = "count-tilts"
VERSION: Final = 1
SHIPPED: Final = Path(__file__).with_name("count_tilts.json")
LAST_DISCARDS: Final = (2, 4, 6, 8, 10, 12, 14, 24)
"""The groups: opponents with at most so many discards, and more than the group before has."""


@dataclass(frozen=True, slots=True)
class Tilts:
    """A tilt for each group of ``LAST_DISCARDS``."""

    values: tuple[float, ...]

    def of(self, discards: NDArray[Any]) -> NDArray[np.float64]:
        """(n,) the tilt after so many discards of the opponent (n,)."""
        out: NDArray[np.float64] = np.array(self.values)[group_of(discards)]
        return out

    def save(self, path: Path, manifest: dict[str, Any]) -> None:
        """Write the model file."""
        payload = {"last_discards": list(LAST_DISCARDS), "tilts": list(self.values)}
        write_model(path, NAME, VERSION, payload, manifest)

    @classmethod
    def load(cls, path: Path) -> Tilts:
        """Read a model file. Raises ModelError."""
        payload, _ = read_model(path, NAME, VERSION)
        try:
            values = tuple(float(v) for v in payload["tilts"])
            groups = tuple(payload["last_discards"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path.name}: the tilts cannot be read ({error})") from None
        if groups != LAST_DISCARDS or len(values) != len(groups) or not np.isfinite(values).all():
            raise ModelError(f"{path.name}: other groups of discards than this haiyomi's")
        return cls(values)


def group_of(discards: NDArray[Any]) -> NDArray[np.int64]:
    """(n,) the group of opponents with so many discards (n,)."""
    out: NDArray[np.int64] = np.minimum(
        np.searchsorted(LAST_DISCARDS, discards), len(LAST_DISCARDS) - 1
    )
    return out


@cache
def shipped_tilts() -> Tilts:
    """The shipped tilts, read once. Raises ModelError."""
    return Tilts.load(SHIPPED)
