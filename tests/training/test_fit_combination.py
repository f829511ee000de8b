"""The regression that joins two answers."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")
sklearn = pytest.importorskip("sklearn.linear_model")

from haiyomi.training.fit_combination import regression  # noqa: E402


def test_the_regression_is_scikit_learns() -> None:
    """Its penalty is centred on zero: the prior is taken out as an offset of the features."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(4000, 4))
    y = rng.random(4000) < 1 / (1 + np.exp(-(x @ [1.0, -0.5, 0.2, 0.0])))
    theirs = sklearn.LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10, max_iter=1000)
    expected = theirs.fit(x, y).coef_[0]
    assert regression(x, y, np.zeros(4)) == pytest.approx(expected, abs=1e-4)


def test_without_rows_it_is_the_prior() -> None:
    prior = np.array([0.5, 0.5, 0.0])
    assert regression(np.zeros((0, 3)), np.zeros(0, bool), prior) == pytest.approx(prior)


def test_a_row_moves_it_until_the_penalty_holds_it() -> None:
    """Where the gradient is zero, each weight w of the one row (1, 1) of label 0 has
    w = prior - 1 / (1 + exp(-2 w)): 0 from a prior of 1/2."""
    prior = np.array([0.5, 0.5])
    found = regression(np.array([[1.0, 1.0]]), np.array([False]), prior)
    assert found == pytest.approx([0.0, 0.0], abs=1e-5)
