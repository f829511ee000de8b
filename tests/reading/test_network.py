"""The backward pass of the network is the gradient of the forward pass."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.reading.features import CONTEXT_FEATURES, KIND_FEATURES
from haiyomi.reading.network import first_weights, gradients, potentials, shapes


@pytest.mark.parametrize(("layers", "drop"), [(0, 0.0), (1, 0.0), (3, 0.0), (2, 0.4)])
def test_gradients(layers: int, drop: float) -> None:
    rng = np.random.default_rng(3)
    weights = {
        name: rng.normal(size=shape) * 0.3 for name, shape in shapes(5, layers).items()
    }  # doubles: differences of floats would be too coarse
    x = rng.normal(size=(4, 34, len(KIND_FEATURES))).astype(np.float32)
    context = rng.normal(size=(4, len(CONTEXT_FEATURES))).astype(np.float32)
    direction = rng.normal(size=(4, 34, 4)).astype(np.float32)

    def value() -> float:
        same = np.random.default_rng(9)
        outputs, _ = potentials(weights, x, context, drop=drop, rng=same)
        return float((outputs.astype(float) * direction).sum())

    _, trace = potentials(weights, x, context, True, drop, np.random.default_rng(9))
    found = gradients(weights, trace, direction)
    assert set(found) == set(weights)
    for name, weight in weights.items():
        assert found[name].shape == weight.shape
        at = tuple(rng.integers(0, s) for s in weight.shape)
        start = weight[at]
        step = 1e-3
        weight[at] = start + step
        up = value()
        weight[at] = start - step
        down = value()
        weight[at] = start
        assert found[name][at] == pytest.approx((up - down) / (2 * step), rel=0.02, abs=0.02), name


def test_suits_change_places_freely() -> None:
    """The suits share their weights: exchanging two of them exchanges their potentials."""
    rng = np.random.default_rng(4)
    weights = first_weights(8, 2, rng)
    weights["out"] = rng.normal(size=(8, 4)).astype(np.float32)
    x = rng.normal(size=(2, 34, len(KIND_FEATURES))).astype(np.float32)
    context = rng.normal(size=(2, len(CONTEXT_FEATURES))).astype(np.float32)
    order = [*range(9, 18), *range(9), *range(18, 34)]
    here, _ = potentials(weights, x, context)
    there, _ = potentials(weights, x[:, order], context)
    np.testing.assert_allclose(there, here[:, order], atol=1e-5)
