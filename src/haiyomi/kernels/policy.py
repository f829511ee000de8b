"""The policy's arithmetic: the tile efficiency of discards, the network's forward and backward
passes.

Decisions and labels come as rows of bytes: DECISION of ``game.decision_record`` and CHOICE
of ``game.decision_labels``.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.kernels.counts import Counts, as_rows

Bytes: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float32]
Sizes: TypeAlias = tuple[int, int, int]
"""Width, blocks and hidden numbers of a network."""
Losses: TypeAlias = tuple[float, float, float, float, int, int, int, int]
"""Nats of discards, kans, the turn's acts and offers, and how many of each."""


def tile_efficiency(counts: Counts, unseen: Counts) -> Bytes:
    """The tile efficiency of each discard of each hand.

    ``counts`` (n, 34): rows of 2, 5, 8, 11 or 14 tiles; ``unseen`` (n, 34) how many of each
    kind are left. Returns (n, 34, 4) uint8: the shanten after the discard (255 where the kind
    is not held), the unseen tiles that lower it, their kinds and, for discards of the least
    shanten above tenpai, four times the mean number of useful tiles after a useful draw and the
    best next discard. Raises ValueError naming the first bad row.
    """
    return _core.tile_efficiency(as_rows(counts), as_rows(unseen))


def parts(sizes: Sizes) -> list[tuple[str, int, int]]:
    """(name, rows, columns) of every weight in the order of the flat array."""
    return _core.policy_parts(*sizes)


def forward(
    sizes: Sizes, weights: Floats, rows: Bytes, mirror: Bytes, style: Floats
) -> tuple[Floats, Floats]:
    """Logits of n decisions: (n, 34, 2) of each kind's discard and kan, (n, 9) of acts.

    ``rows`` (n, bytes of a decision); ``mirror`` (n,) 1 to reverse the ranks of every suit;
    ``style`` (n, 8). Raises ValueError for sizes that do not fit and for a damaged row.
    """
    return _core.policy_forward(*sizes, weights, rows, mirror, style)


def learn(
    sizes: Sizes,
    weights: Floats,
    rows: Bytes,
    mirror: Bytes,
    style: Floats,
    labels: Bytes,
    gradient: Floats,
    style_gradient: Floats,
    threads: int = 1,
    whole: bool = False,
) -> Losses:
    """Add the gradient of the labels' summed loss to ``gradient`` and ``style_gradient``.

    ``labels`` (n, bytes of a label). Returns the losses in nats of discards, kans, the turn's
    acts and offers, and how many of each; the same to the bit for any number of ``threads``
    (1 to 4). Raises ValueError as ``forward``, and for a label that is not legal.

    A batch is summed in four shares, which are then added in order; with ``whole`` the rows are
    one such share (see ``shares``), for a caller that adds the sums itself.
    """
    return _core.policy_learn(
        *sizes, weights, rows, mirror, style, labels, gradient, style_gradient, threads, whole
    )


def shares(n: int) -> list[slice]:
    """The rows of each share that ``learn`` sums a batch of n in."""
    size = _core.policy_share_size(n)
    return [slice(at, min(n, at + size)) for at in range(0, n, size)]
