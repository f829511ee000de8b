"""The forward pass of the small network over the kinds, which ``reading.network`` defines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from haiyomi import _core

Floats = npt.NDArray[np.float32]
LANE: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class KindNet:
    """A network's weights as the core takes them: one flat array, every width padded with zeros
    to a multiple of LANE. ``outputs`` is the number of outputs of a kind."""

    width: int
    layers: int
    outputs: int
    weights: Floats

    @classmethod
    def of(cls, weights: Mapping[str, npt.NDArray[Any]], layers: int) -> KindNet:
        """From the named weights of ``reading.network.shapes``."""
        width = _padded(weights["in"].shape[1])
        outputs = weights["out"].shape[1]
        lanes = _padded(outputs)
        flat: list[Floats] = []

        def add(name: str, rows: int | None, columns: int = width) -> None:
            given = np.atleast_2d(weights[name])
            out = np.zeros((len(given) if rows is None else rows, columns), np.float32)
            out[: given.shape[0], : given.shape[1]] = given
            flat.append(out.reshape(-1))

        add("in", None)
        add("in context", None)
        add("in bias", 1)
        add("in context honours", None)
        for i in range(layers):
            for name in ("below", "own", "above", "suit", "hand"):
                add(f"{i} {name}", width)
            add(f"{i} bias", 1)
            add(f"{i} honours", width)
            add(f"{i} hand honours", width)
            add(f"{i} bias honours", 1)
        for name in ("out", "out honours"):
            add(name, width, lanes)
            add(name.replace("out", "out bias"), 1, lanes)
        return cls(width, layers, outputs, np.concatenate(flat))

    def __call__(self, x: Floats, context: Floats) -> Floats:
        """(n, 34, outputs) for x (n, 34, features) and context (n, contexts). Batch-invariant: a
        row's bits do not depend on the other rows. Raises ValueError for other shapes."""
        return _core.kind_net(
            self.width, self.layers, self.outputs, self.weights,
            np.ascontiguousarray(x, np.float32), np.ascontiguousarray(context, np.float32),
        )  # fmt: skip


def _padded(width: int) -> int:
    return -(-width // LANE) * LANE
