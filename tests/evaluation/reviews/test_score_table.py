"""How far the scores of games can be trusted."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.evaluation.reviews.score_table import reliability


def test_the_reliability_of_halves_that_agree_is_one_and_of_luck_is_none() -> None:
    rng = np.random.default_rng(1)
    skill = rng.normal(size=(200, 4))
    agreeing = [[(float(x), float(x)) for x in game] for game in skill]
    assert reliability(agreeing)["value"] == pytest.approx(1)
    luck = [[(float(a), float(b)) for a, b in rng.normal(size=(4, 2))] for _ in range(200)]
    found = reliability(luck)
    assert found["seats"] == 800
    low, high = found["interval"]  # type: ignore[misc]
    assert low < 0 < high
