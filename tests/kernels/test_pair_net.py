"""The forward pass over pairs of seats, against the same network in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.kernels.pair_net import Floats, PairNet
from haiyomi.seeds import generator

INPUTS, PAIR, SEAT = 7, 16, 32


def _layers() -> list[tuple[Floats, Floats]]:
    rng = generator(1, "pair net")
    shapes = ((INPUTS, PAIR), (2 * PAIR, SEAT), (SEAT, 5), (PAIR, 1))
    return [
        (rng.normal(size=shape).astype(np.float32), rng.normal(size=shape[1]).astype(np.float32))
        for shape in shapes
    ]


def _silu(x: Floats) -> Floats:
    return x / (1 + np.exp(-x))


def _expected(x: Floats) -> tuple[Floats, Floats]:
    (w, b), (v, c), (u, d), (a, e) = _layers()
    hidden = _silu(x @ w + b)
    seats = hidden.reshape(-1, 4, 3, PAIR).mean(axis=2)
    table = np.broadcast_to(seats.mean(axis=1, keepdims=True), seats.shape)
    both = np.concatenate([seats, table], axis=2)
    return _silu(both @ v + c) @ u + d, (hidden @ a + e)[:, :, 0]


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
        places, ahead = _expected(x)
    found, pairs = _net()(x)
    assert np.abs(found - places).max() < 1e-6 * np.abs(places).max()
    assert np.abs(pairs - ahead).max() < 1e-6 * np.abs(ahead).max()


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
