"""Trees as arrays against scikit-learn, which grew them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from haiyomi.kernels.forest import Forest
from haiyomi.storage.forest_payload import forest_of, forest_payload
from haiyomi.training.fit_boosting import boost


def grown() -> tuple[Forest, np.ndarray[tuple[int, int], np.dtype[np.float32]]]:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(4000, 5)).astype(np.float32)
    y = rng.random(4000) < 1 / (1 + np.exp(-(x[:, 0] + x[:, 1] * x[:, 2] - 1)))
    return boost(x, y, ("a", "b", "c", "d", "e"), 20, 7, 0.1), x


def test_scores_are_those_of_scikit_learn() -> None:
    # Some .4 s to import, which collecting the tests should not take.
    from sklearn.ensemble import HistGradientBoostingClassifier

    forest, x = grown()
    rng = np.random.default_rng(1)
    assert (rng.normal(size=(4000, 5)).astype(np.float32) == x).all()
    y = rng.random(4000) < 1 / (1 + np.exp(-(x[:, 0] + x[:, 1] * x[:, 2] - 1)))
    theirs = HistGradientBoostingClassifier(
        max_iter=20, max_leaf_nodes=7, learning_rate=0.1, min_samples_leaf=80,
        l2_regularization=2.0, max_bins=127, early_stopping=False,
    ).fit(x, y)  # fmt: skip
    np.testing.assert_allclose(forest.score(x), theirs.decision_function(x), atol=2e-5)


def test_a_payload_round_trips() -> None:
    forest, x = grown()
    again = forest_of(forest_payload(forest), forest.features)
    np.testing.assert_array_equal(again.score(x), forest.score(x))


def test_damaged_forests_are_refused() -> None:
    forest, x = grown()
    payload = forest_payload(forest)
    with pytest.raises(ValueError, match="other features"):
        forest_of(payload, ("a", "b"))
    for key, value in (("left", 0), ("right", 10**6), ("feature", 9)):
        changed = getattr(forest, key).copy()
        changed[np.flatnonzero(forest.feature[1:] >= 0)[0] + 1] = value
        broken = forest_payload(replace(forest, **{key: changed}))
        with pytest.raises(ValueError, match="outside"):
            forest_of(broken, forest.features)
    with pytest.raises(ValueError, match="shape"):
        forest.score(x[:, :3])
