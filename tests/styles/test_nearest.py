"""One player among the classes: the same bits with and without NumPy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from haiyomi.styles.classes import SCALINGS, Scaling, shipped_classes
from haiyomi.styles.nearest import distances_of, place_of, trust_of
from haiyomi.styles.statistics import RATES, SUMS, VECTOR, divide, occasions, ratios


@pytest.mark.parametrize("scaling", SCALINGS)
def test_one_player_is_placed_as_numpy_does(scaling: Scaling) -> None:
    rng = np.random.default_rng(3)
    model = shipped_classes()
    model = replace(model, scaler=replace(model.scaler, scaling=scaling))
    for _ in range(2_000):
        sums = rng.integers(0, 90, size=len(SUMS)) * rng.random(len(SUMS))
        sums[rng.random(len(SUMS)) < 0.1] = 0.0
        values, behind = divide(sums), occasions(sums)
        place = model.place(values, behind)
        own, often = zip(*ratios(sums.tolist()), strict=True)
        assert own == tuple(None if np.isnan(v) else v for v in values.tolist())
        assert often == tuple(behind.tolist())
        assert trust_of(model.scaler, often) == model.scaler.trust(behind).tolist()
        assert place_of(model.scaler, own, often) == place.tolist()
        assert distances_of(model, place.tolist()) == model.distances(place).tolist()


def test_rates_of_one_player() -> None:
    sums = np.arange(float(len(SUMS)))
    for functions in (VECTOR, RATES):
        assert [v for v, _ in ratios(sums.tolist(), functions)] == divide(sums, functions).tolist()
