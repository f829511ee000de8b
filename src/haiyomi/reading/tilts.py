"""How much likelier hands near tenpai are made among those drawn from counts, by discards.

Counts by kind know no sets: hands drawn from them are further from tenpai than true ones, the more
so the later in the hand. Hands one and two steps from tenpai get a weight each; those further away
come in the right proportions. The tilts belong to the network of opponents; ``haiyomi fit tilts``
fits them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats, Ints
from haiyomi.errors import ModelError
from haiyomi.reading.sampler import N_SHANTEN
from haiyomi.storage.model_file import read_model, write_model

NAME: Final = "count-tilts"
VERSION: Final = 2
SHIPPED: Final = Path(__file__).with_name("count_tilts.json")
LAST_DISCARDS: Final = (2, 4, 6, 8, 10, 12, 14, 24)
"""The groups: opponents with at most so many discards, and more than the group before has."""


@dataclass(frozen=True, slots=True)
class Tilts:
    """For each group of ``LAST_DISCARDS`` the log weights of hands one and two steps from tenpai;
    of hands further away it is 0."""

    values: tuple[tuple[float, float], ...]

    def weights(self, discards: NDArray[Any]) -> Floats:
        """(n, N_SHANTEN) the weight of a hand of each shanten after so many discards of the
        opponent (n,): at most 1, and 0 for tenpai."""
        logs = np.zeros((len(discards), N_SHANTEN))
        logs[:, 1:3] = np.array(self.values)[group_of(discards)]
        out: Floats = np.exp(logs - logs.max(axis=1, keepdims=True))
        out[:, 0] = 0
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
            values = tuple((float(one), float(two)) for one, two in payload["tilts"])
            groups = tuple(payload["last_discards"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path.name}: the tilts cannot be read ({error})") from None
        if groups != LAST_DISCARDS or len(values) != len(groups) or not np.isfinite(values).all():
            raise ModelError(f"{path.name}: other groups of discards than this haiyomi's")
        return cls(values)


def group_of(discards: NDArray[Any]) -> Ints:
    """(n,) the group of opponents with so many discards (n,)."""
    out: Ints = np.minimum(np.searchsorted(LAST_DISCARDS, discards), len(LAST_DISCARDS) - 1)
    return out


@cache
def shipped_tilts() -> Tilts:
    """The shipped tilts, read once. Raises ModelError."""
    return Tilts.load(SHIPPED)
