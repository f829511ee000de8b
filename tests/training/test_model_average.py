"""Weights as a model file keeps them."""

from __future__ import annotations

import numpy as np

from haiyomi.training.model_average import averaged, to_float16


def test_the_mean_of_weights_is_taken_number_by_number_and_kept_in_half_precision() -> None:
    rng = np.random.default_rng(1)
    many = [
        {"in": rng.normal(size=(3, 4)).astype(np.float32), "shape": rng.normal(size=(5, 15))}
        for _ in range(3)
    ]
    found = averaged(many)
    assert found["in"].dtype == np.float32
    np.testing.assert_allclose(found["in"], sum(m["in"] for m in many) / 3, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(found["shape"], sum(m["shape"] for m in many) / 3, rtol=1e-4)
    again = to_float16(found)
    assert all(np.array_equal(again[k], found[k]) for k in found)
