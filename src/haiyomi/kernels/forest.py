"""A forest of decision trees, as gradient boosting fits it, in flat arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from haiyomi import _core


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees as arrays over the nodes of all trees: ``feature`` (-1 at a leaf), ``value`` (of a
    leaf; else the threshold: a row goes ``left`` if its feature is at most this, else
    ``right``), ``roots`` of each tree. The score is ``base`` plus the leaves reached.
    ``features`` names the columns of a row.
    """

    features: tuple[str, ...]
    base: float
    roots: npt.NDArray[np.int32]
    feature: npt.NDArray[np.int16]
    value: npt.NDArray[np.float32]
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]

    def score(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """(n,) sums for rows (n, len(features)). Raises ValueError if the shape is another."""
        if rows.ndim != 2 or rows.shape[1] != len(self.features):
            raise ValueError(f"rows have shape {rows.shape}, not (n, {len(self.features)})")
        found = _core.forest(
            np.ascontiguousarray(rows, dtype=np.float32),
            self.roots, self.feature, self.value, self.left, self.right,
        )  # fmt: skip
        return found + self.base
