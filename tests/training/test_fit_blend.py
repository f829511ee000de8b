"""The blend of log odds: found again from what it made, and near its start where rows are few."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.dealin.blend import sigmoid
from haiyomi.training.fit_boosting import fit_blend

TRUE = np.array([-0.3, 0.5, 0.25, 0.4])
START = np.array([0.0, 0.2, 0.6, 0.2])


def made(n: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, 4) ones and log odds that part, and labels by the blend TRUE of them."""
    rng = np.random.default_rng(5)
    odds = rng.normal(-2, 1.5, (n, 1)) + rng.normal(0, 1, (n, 4))
    odds[:, 0] = 1.0
    return odds, rng.random(n) < sigmoid(odds @ TRUE)


def test_many_rows_tell_the_blend() -> None:
    assert fit_blend(*made(400_000)) == pytest.approx(TRUE, abs=0.03)


def test_few_rows_leave_it_where_it_starts() -> None:
    few, some = (np.array(fit_blend(*made(n))) for n in (200, 20_000))
    assert few == pytest.approx(START, abs=0.08)
    assert np.abs(few - START).sum() < np.abs(some - START).sum() < np.abs(TRUE - START).sum()
