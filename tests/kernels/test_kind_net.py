"""The core's pass through the network over the kinds against numpy's, and row beside row."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi import _core
from haiyomi.kernels.kind_net import Floats, KindNet
from haiyomi.reading.features import CONTEXT_FEATURES, KIND_FEATURES
from haiyomi.reading.network import first_weights, n_layers, potentials

SIZES = ((64, 3, 8), (80, 2, 4), (20, 0, 2), (7, 1, 17))


def _made(
    width: int, layers: int, outputs: int, n: int
) -> tuple[dict[str, Floats], Floats, Floats]:
    rng = np.random.default_rng([width, layers, outputs])
    weights = {
        name: value if value.any() else rng.normal(size=value.shape).astype(np.float32)
        for name, value in first_weights(width, layers, rng, outputs).items()
    }
    x = rng.normal(size=(n, 34, len(KIND_FEATURES))).astype(np.float32)
    return weights, x, rng.normal(size=(n, len(CONTEXT_FEATURES))).astype(np.float32)


@pytest.mark.parametrize(("width", "layers", "outputs"), SIZES)
def test_it_is_what_numpy_computes(width: int, layers: int, outputs: int) -> None:
    weights, x, context = _made(width, layers, outputs, 19)
    expected = potentials(weights, x, context)[0]
    found = potentials(weights, x, context, batch_invariant=True)[0]
    assert expected.std() > 0.1
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=2e-5)
    np.testing.assert_array_equal(KindNet.of(weights, n_layers(weights))(x, context), found)


@pytest.mark.parametrize(("width", "layers", "outputs"), SIZES)
def test_a_row_is_the_same_to_the_bit_beside_any_others(
    width: int, layers: int, outputs: int
) -> None:
    weights, x, context = _made(width, layers, outputs, 19)
    net = KindNet.of(weights, layers)
    whole = net(x, context)
    for first, last in ((0, 1), (3, 6), (5, 18), (18, 19)):
        np.testing.assert_array_equal(net(x[first:last], context[first:last]), whole[first:last])
    assert net(x[:0], context[:0]).shape == (0, 34, outputs)


def test_what_does_not_fit_is_refused() -> None:
    weights, x, context = _made(20, 1, 2, 3)
    net = KindNet.of(weights, 1)
    with pytest.raises(ValueError, match="one context for each row"):
        net(x, context[:2])
    with pytest.raises(ValueError, match="weights of another size"):
        net(x[:, :, 1:], context)
    with pytest.raises(ValueError, match="multiple of 16"):
        _core.kind_net(20, 1, 2, net.weights, x, context)
    with pytest.raises(TypeError):
        net(x[:, :33], context)
