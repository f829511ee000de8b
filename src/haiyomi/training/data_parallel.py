"""Data-parallel steps of the policy's fit: several processes or machines sum shares of a batch.

The shares are those of ``kernels.policy.learn``, added in the same order, so the fit is the same
to the bit for any number of processes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from haiyomi.kernels.policy import Bytes, Floats, Losses, Sizes, learn, shares
from haiyomi.shards import Team


class Learner(Protocol):
    """``kernels.policy.learn`` without its threads."""

    def __call__(
        self, sizes: Sizes, weights: Floats, rows: Bytes, mirror: Bytes, style: Floats,
        labels: Bytes, gradient: Floats, style_gradient: Floats, /,
    ) -> Losses: ...  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """One share of a batch, as ``kernels.policy.learn`` takes it."""

    sizes: Sizes
    weights: Floats
    rows: Bytes
    mirror: Bytes
    style: Floats
    labels: Bytes


def share_gradient(share: Share) -> tuple[Losses, Floats, Floats]:
    """The losses of a share and its gradients by the weights and by its rows' styles."""
    gradient, style_gradient = np.zeros_like(share.weights), np.zeros_like(share.style)
    losses = learn(
        share.sizes, share.weights, share.rows, share.mirror, share.style, share.labels, gradient,
        style_gradient, whole=True,
    )  # fmt: skip
    return losses, gradient, style_gradient


def learner(team: Team) -> Learner:
    """``kernels.policy.learn``, its shares summed by a team."""

    def by_shares(
        sizes: Sizes, weights: Floats, rows: Bytes, mirror: Bytes, style: Floats, labels: Bytes,
        gradient: Floats, style_gradient: Floats,
    ) -> Losses:  # fmt: skip
        parts = shares(len(rows))
        batch_shares = [
            Share(sizes, weights, rows[p], mirror[p], style[p], labels[p]) for p in parts
        ]
        sums = team(share_gradient, batch_shares)
        for part, (_, by_weight, by_style) in zip(parts, sums, strict=True):
            gradient += by_weight
            style_gradient[part] += by_style
        columns = zip(*(losses for losses, _, _ in sums), strict=True)
        a, b, c, d, *counts = (sum(column) for column in columns)
        n, m, k, j = (int(count) for count in counts)
        return float(a), float(b), float(c), float(d), n, m, k, j

    return by_shares
