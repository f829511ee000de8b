"""The error of differences: found without the luck of the samples, whichever option comes first."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.evaluation.outcomes.difference_error import LEAST, error_results, pairs_of


def _decisions(off: float, n: int) -> list[tuple[int, str, list[float], list[float], list[float]]]:
    """Options whose worth the forecast misses by ``off`` points, seen through luck of 400."""
    rng = np.random.default_rng(4)
    found = []
    for number in range(n):
        truth = rng.normal(size=3) * 300
        forecast = truth + rng.normal(size=3) * off
        one, other = (truth + rng.normal(size=3) * 400 for _ in range(2))
        kind = "discard" if number % 4 else "kan"
        found.append((number // 3, kind, forecast.tolist(), one.tolist(), other.tolist()))
    return found


@pytest.mark.parametrize("off", [0.0, 150.0])
def test_the_error_is_what_the_forecast_is_off_by(off: float) -> None:
    found = {each["group"]: each for each in error_results(pairs_of(_decisions(off, 6000)))}
    assert list(found) == [
        "all", "discard", "kan", "0 to 100 points", "100 to 300 points", "300 to 600 points",
        "600 points on",
    ]  # fmt: skip
    whole = found["all"]
    assert whole["pairs"] == 18_000 == found["discard"]["pairs"] + found["kan"]["pairs"]
    # Of a difference both options are off.
    assert whole["error"]["low"] <= np.sqrt(2) * off <= whole["error"]["high"]
    assert whole["error"]["high"] - whole["error"]["low"] < 100
    if not off:
        assert whole["came"]["low"] < whole["forecast"] < whole["came"]["high"]


def test_an_error_that_grows_with_the_difference_is_found() -> None:
    rng = np.random.default_rng(8)
    decisions = []
    for number in range(20_000):
        d = float(np.exp(rng.uniform(2, 7)))
        truth = d + rng.normal() * np.hypot(150, 0.4 * d)
        one, other = (truth + rng.normal() * 300 for _ in range(2))
        decisions.append((number, "discard", [d, 0.0], [one, 0.0], [other, 0.0]))
    whole, *_, bands = error_results(pairs_of(decisions))
    assert whole["fixed"]["low"] < 150 < whole["fixed"]["high"] < 165
    assert whole["growing"]["low"] < 0.4 < whole["growing"]["high"] < 0.45
    assert "fixed" not in bands


def test_pairs_are_ordered_by_the_forecast_and_few_are_not_measured() -> None:
    pairs = pairs_of([(1, "discard", [10.0, 30.0], [5.0, 1.0], [7.0, 2.0])])
    assert (pairs.forecast[0], pairs.one[0], pairs.other[0]) == (20.0, -4.0, -5.0)
    assert error_results(pairs) == []
    assert error_results(pairs_of([])) == []
    assert error_results(pairs_of(_decisions(0.0, LEAST))) != []
