"""A network to which the three suits are alike, made from one that tells them apart.

No rule tells suits apart, and the towers treat them alike. Only three numbers of the context name
suits: whether the red five of each one is seen. With the mean of their weights in place of each,
a network reads how many red fives are seen, and a decision with its suits renamed has the same
answers. Which of them are seen remains visible in the features of the fives.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from haiyomi.kernels.network import CONTEXT
from haiyomi.networks.network import Network

REDS_SEEN: Final = slice(CONTEXT - 3, CONTEXT)
"""The numbers of the context that name suits."""
_READ_BY: Final = ("in context", "in context honours", "pooled context")


def suits_alike(network: Network) -> Network:
    """The network with the mean of the three weights of ``REDS_SEEN`` in place of each."""
    weights = network.weights.copy()
    at = 0
    for name, rows, wide in network.shape.parts:
        part = weights[at : at + rows * wide].reshape(rows, wide)
        if name in _READ_BY:
            part[REDS_SEEN] = part[REDS_SEEN].mean(axis=0)
        at += rows * wide
    return replace(network, weights=weights)
