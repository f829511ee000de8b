"""The policy's network seen from Python: its shape, initial weights and logits.

The core does the arithmetic (``cpp/core/policy_net.hpp``): residual blocks over the kinds with
weights shared by the three suits, a suit's mean and the hand's mean between; for each kind the
logits of discarding it and of a kan, for the whole the logits of riichi, calls and wins.
All weights are one flat array; ``Shape.parts`` gives the place of each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.kernels import policy as kernel

Floats = NDArray[np.float32]
STYLE = 8
"""Numbers of a style vector; zeros are the pooled policy."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Channels of a kind (``width``), residual ``blocks``, and the ``hidden`` pooled layer."""

    width: int = 64
    blocks: int = 6
    hidden: int = 64

    @property
    def sizes(self) -> tuple[int, int, int]:
        """As the kernel takes them."""
        return self.width, self.blocks, self.hidden

    @property
    def parts(self) -> list[tuple[str, int, int]]:
        """(name, rows, columns) of every weight, in the order of the flat array."""
        return kernel.parts(self.sizes)

    @property
    def size(self) -> int:
        """The number of parameters."""
        return sum(rows * columns for _, rows, columns in self.parts)


def first_weights(shape: Shape, rng: np.random.Generator) -> Floats:
    """Initial weights: normal by their fan-in; biases and the output layers zero."""
    out = []
    for name, rows, columns in shape.parts:
        scale = (2.0 / rows) ** 0.5
        if rows == 1 or name in ("out", "out honours", "acts"):
            scale = 0.0
        elif "project" in name:
            scale *= 0.5 / shape.blocks**0.5
        elif name.endswith((" suit", " hand", " hand honours")):
            scale *= 0.5
        out.append((rng.normal(size=rows * columns) * scale).astype(np.float32))
    return np.concatenate(out)


@dataclass(frozen=True, slots=True, eq=False)
class Logits:
    """Of n decisions: ``discards`` and ``kans`` (n, 34), ``acts`` (n, 9) as ``ACTS`` names them.

    A discard's are compared with each other; a kan's, riichi's, tsumo's and nine terminals'
    with 0; those of another's tile with each other and with 0 for passing.
    """

    discards: Floats
    kans: Floats
    acts: Floats


def logits(
    shape: Shape, weights: Floats, rows: Decisions, style: Floats | None = None, both: bool = True
) -> Logits:
    """The logits of decisions; ``style`` (n, STYLE) or (STYLE,), by default zeros.

    ``both``: the mean over the decision and its mirror image (ranks 1-9 of every suit
    reversed), two equivalent views except for the order of dora.
    """
    n = len(rows)
    data = as_bytes(rows)
    vectors = np.zeros((n, STYLE), np.float32)
    if style is not None:
        vectors[:] = style
    if not both:
        kinds, acts = kernel.forward(shape.sizes, weights, data, np.zeros(n, np.uint8), vectors)
    else:
        mirror = np.repeat(np.array([0, 1], np.uint8), n)
        halves = kernel.forward(
            shape.sizes, weights, np.tile(data, (2, 1)), mirror, np.tile(vectors, (2, 1))
        )
        kinds, acts = (part[:n] / np.float32(2) + part[n:] / np.float32(2) for part in halves)
    return Logits(kinds[:, :, 0], kinds[:, :, 1], acts)


def logits_of_styles(shape: Shape, weights: Floats, rows: Decisions, styles: Floats) -> Logits:
    """The logits of n decisions in m ``styles`` (m, STYLE): (n, m, 34), (n, m, 34), (n, m, 9).

    The first style is averaged over both views. Another style is the first plus their difference
    on the unmirrored view: m + 1 passes instead of 2 m, with an error of at most 1.2e-4 nats.
    """
    n, m = len(rows), len(styles)
    data = as_bytes(rows)
    vectors = np.concatenate([np.tile(styles, (n, 1)), np.tile(styles[:1], (n, 1))])
    mirror = np.repeat(np.array([0, 1], np.uint8), [n * m, n])
    kinds, acts = kernel.forward(
        shape.sizes, weights, np.concatenate([np.repeat(data, m, axis=0), data]), mirror,
        vectors.astype(np.float32),
    )  # fmt: skip

    def of(found: Floats) -> Floats:
        plain, turned = found[: n * m].reshape(n, m, -1), found[n * m :].reshape(n, 1, -1)
        out: Floats = plain + (turned - plain[:, :1]) / np.float32(2)
        return out

    return Logits(of(kinds[:, :, 0]), of(kinds[:, :, 1]), of(acts))
