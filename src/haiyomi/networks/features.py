"""The inputs of a network for training: features by the core, whole columns at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from haiyomi.arrays import Bytes, Ints, Singles
from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.game.observation import NONE
from haiyomi.kernels import network as kernel

MIRROR: Final = np.array([k // 9 * 9 + 8 - k % 9 if k < 27 else k for k in range(35)])
"""The kind in a mirror: 1 for 9 in every suit; 34 stands for no kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """Of n records, as ``kernels.network`` makes them; ``focus`` (n,) the kind drawn or offered,
    34 without. Opponents' are empty for a network that does not answer for them."""

    x: Singles
    context: Singles
    focus: Ints
    opponent_x: Singles | None = None
    opponent_context: Singles | None = None


def inputs_of(rows: Decisions, mirror: Bytes, opponents: bool) -> Inputs:
    """The inputs of records, those with ``mirror`` (n,) 1 with the ranks of every suit reversed."""
    records, mirror = as_bytes(rows), np.ascontiguousarray(mirror)
    x, context = kernel.decision_features(records, mirror)
    kind = np.where(rows["from"] == NONE, rows["drawn"], rows["offered"])
    focus = np.where(kind == NONE, 34, kind).astype(np.int64)
    focus = np.where(mirror != 0, MIRROR[focus], focus)
    if not opponents:
        return Inputs(x, context, focus)
    return Inputs(x, context, focus, *kernel.opponent_features(records, mirror))
