"""The policy's arithmetic: the outlook of discards, and the network's answers and slopes.

Decisions and labels come as rows of bytes, laid out as ``cpp/core/policy_row.hpp`` says;
``styles.decisions`` and ``training.policy_rows`` know them as structured arrays.
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


def outlook(counts: Counts, unseen: Counts) -> Bytes:
    """What each discard of each hand leaves.

    ``counts`` (n, 34): rows of 2, 5, 8, 11 or 14 tiles; ``unseen`` (n, 34) how many of each
    kind are left. Returns (n, 34, 4) uint8: the shanten after the discard (255 where the kind
    is not held), the unseen tiles that lower it, their kinds and, for discards of the least
    shanten above tenpai, four times the mean number of tiles useful after one of them and the
    best discard. Raises ValueError naming the first bad row.
    """
    return _core.outlook(as_rows(counts), as_rows(unseen))


def parts(sizes: Sizes) -> list[tuple[str, int, int]]:
    """(name, rows, columns) of every weight in the order of the flat array."""
    return _core.policy_parts(*sizes)


def forward(
    sizes: Sizes, weights: Floats, rows: Bytes, mirror: Bytes, style: Floats
) -> tuple[Floats, Floats]:
    """Logits of n decisions: (n, 34, 2) of each kind's discard and kan, (n, 9) of acts.

    ``rows`` (n, bytes of a decision); ``mirror`` (n,) 1 to read every suit the other way round;
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
    slope: Floats,
    style_slope: Floats,
    threads: int = 1,
    whole: bool = False,
) -> Losses:
    """Add the slopes of the labels' summed loss to ``slope`` and ``style_slope``.

    ``labels`` (n, bytes of a label). Returns the losses in nats of discards, kans, the turn's
    acts and offers, and how many of each; the same to the bit for any number of ``threads``
    (1 to 4). Raises ValueError as ``forward``, and for a label that is not legal.

    A batch is summed in four shares, and these in order; with ``whole`` the rows are one share
    (see ``shares``), whose sum another process may add.
    """
    return _core.policy_learn(
        *sizes, weights, rows, mirror, style, labels, slope, style_slope, threads, whole
    )


def shares(n: int) -> list[slice]:
    """The rows of each share that ``learn`` sums a batch of n in."""
    size = _core.policy_share_size(n)
    return [slice(at, min(n, at + size)) for at in range(0, n, size)]
