"""The forward pass over pairs of seats, against the same network in NumPy."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from haiyomi.arrays import Floats, Singles
from haiyomi.kernels.pair_net import PairNet
from haiyomi.seeds import generator

INPUTS, PAIR, SEAT = 7, 16, 32


def _layers() -> list[tuple[Singles, Singles]]:
    rng = generator(1, "pair net")
    shapes = ((INPUTS, PAIR), (2 * PAIR, SEAT), (SEAT, 5), (PAIR, 1))
    return [
        (rng.normal(size=shape).astype(np.float32), rng.normal(size=shape[1]).astype(np.float32))
        for shape in shapes
    ]


def _silu(x: Singles) -> Singles:
    return x / (1 + np.exp(-x))


def _expected(x: Singles) -> tuple[Floats, Singles]:
    """(n, 24) logits of the orders, and (n, 4) the gains."""
    (w, b), (v, c), (u, d), (a, e) = _layers()
    hidden = _silu(x @ w + b)
    seats = hidden.reshape(-1, 4, 3, PAIR).mean(axis=2)
    table = np.broadcast_to(seats.mean(axis=1, keepdims=True), seats.shape)
    both = np.concatenate([seats, table], axis=2)
    of_place, ahead = _silu(both @ v + c) @ u + d, (hidden @ a + e)[:, :, 0]
    pairs = list(permutations(range(4), 2))
    logits = [
        sum(of_place[:, seat, place].astype(np.float64) for place, seat in enumerate(order))
        + sum(ahead[:, pairs.index(pair)] for pair in combinations(order, 2))
        for order in permutations(range(4))
    ]
    return np.array(logits).T, of_place[:, :, 4]


def _net() -> PairNet:
    flat = np.concatenate([part.reshape(-1) for layer in _layers() for part in layer])
    return PairNet(PAIR, SEAT, flat)


def test_the_core_agrees_with_numpy() -> None:
    """Zeros, which the core skips, and numbers far out, where exp saturates, among the inputs."""
    rng = generator(2, "rows")
    x = rng.normal(size=(50, 12, INPUTS)).astype(np.float32) * 3
    x[:, :, 2] = 0
    x[0, 0] = 100
    x[1, 0] = -100
    with np.errstate(over="ignore"):
        logits, gains = _expected(x)
    orders, gained = _net()(x)
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    # A probability moves by at most as much as its logit.
    assert np.abs(orders - p).max() < 1e-6 * np.abs(logits).max()
    assert (orders.max(axis=1) < 0.99).sum() > 5
    assert np.abs(gained - gains).max() < 1e-6 * np.abs(gains).max()


def test_a_row_has_the_same_bits_in_any_batch() -> None:
    x = generator(3, "rows").normal(size=(19, 12, INPUTS)).astype(np.float32)
    together = _net()(x)
    for i in range(len(x)):
        one = _net()(x[i : i + 1])
        assert one[0].tobytes() == together[0][i].tobytes()
        assert one[1].tobytes() == together[1][i].tobytes()


def test_weights_of_another_size_are_refused() -> None:
    net = _net()
    with pytest.raises(ValueError, match="another size"):
        PairNet(PAIR, SEAT + 16, net.weights)(np.zeros((1, 12, INPUTS), np.float32))
    with pytest.raises(ValueError, match="multiples of 16"):
        PairNet(PAIR + 1, SEAT, net.weights)(np.zeros((1, 12, INPUTS), np.float32))
