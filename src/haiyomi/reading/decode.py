"""From marginals to one hand to show."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Floats


def best_agreement(marginals: NDArray[Any], totals: NDArray[Any]) -> Bytes:
    """(n, 34): the hand of the largest expected agreement.

    ``marginals`` (n, 34, 5) of P(n_h = k), ``totals`` (n,) tiles of the hand. The expected
    agreement of a hand is the sum over its tiles of P(n_h >= k), k counting the copies of h;
    so the hand takes the c largest of these, ties by kind.
    """
    n = len(marginals)
    at_least = np.cumsum(marginals[:, :, :0:-1], axis=2)[:, :, ::-1].reshape(n, 136)
    # Within a kind P(n_h >= k) never rises with k, but rounding may tie it: a stable sort keeps
    # the copies in order.
    order = np.argsort(-at_least, axis=1, kind="stable")
    taken = np.zeros((n, 136), np.uint8)
    rank = np.arange(136)
    np.put_along_axis(taken, order, (rank < totals[:, None]).astype(np.uint8), axis=1)
    out: Bytes = taken.reshape(n, 34, 4).sum(axis=2).astype(np.uint8)
    return out


def expected_agreement(marginals: NDArray[Any], hands: Bytes) -> Floats:
    """(n,) expected share of a hand's tiles that are truly held."""
    at_least = np.cumsum(marginals[:, :, :0:-1], axis=2)[:, :, ::-1]
    shown = hands[:, :, None] > np.arange(4)
    out: Floats = (at_least * shown).sum(axis=(1, 2)) / hands.sum(axis=1)
    return out


def roulette(marginals: NDArray[Any], totals: NDArray[Any], rng: np.random.Generator) -> Bytes:
    """(n, 34): the paper's hand (section 4.4). Kinds by ascending P(0), ties by kind; each takes
    1 to 4 copies in proportion to their marginals, until the hand is full; the last is clipped
    to the tiles left. No cap by what is visible.
    """
    n = len(marginals)
    order = np.argsort(marginals[:, :, 0], axis=1, kind="stable")
    some = np.take_along_axis(marginals[:, :, 1:], order[:, :, None], axis=1)
    upto = np.cumsum(some, axis=2)
    spun = rng.random((n, 34)) * upto[:, :, -1]
    label = 1 + (spun[:, :, None] >= upto[:, :, :3]).sum(axis=2)
    # Where the hand would stay short, a kind of probability 0 still fills it.
    before = np.cumsum(label, axis=1) - label
    drawn = np.clip(np.asarray(totals, dtype=np.int64)[:, None] - before, 0, label)
    out = np.zeros((n, 34), np.uint8)
    np.put_along_axis(out, order, drawn.astype(np.uint8), axis=1)
    return out


def random_hands(unseen: Bytes, totals: NDArray[Any], rng: np.random.Generator) -> Bytes:
    """(n, 34): as many tiles as the hand has, uniform from those the viewer does not see."""
    n = len(unseen)
    copy = np.arange(4) < unseen[:, :, None]
    key = np.where(copy.reshape(n, 136), rng.random((n, 136)), 2.0)
    order = np.argsort(key, axis=1)
    taken = np.zeros((n, 136), np.uint8)
    first = (np.arange(136) < np.asarray(totals)[:, None]).astype(np.uint8)
    np.put_along_axis(taken, order, first, axis=1)
    out: Bytes = taken.reshape(n, 34, 4).sum(axis=2).astype(np.uint8)
    return out
