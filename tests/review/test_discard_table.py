"""The row that says how far options are behind for the place, where the points say otherwise."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from haiyomi.outcomes.option import Option
from haiyomi.review.discard_table import HARDLY, behind_for_the_place, forecast_rows

A, B = Option.parse("discard 1m"), Option.parse("discard 2m")
RATE = 0.01


def one(option: Option, points: float, value: float | None) -> Any:
    placement = None if value is None else SimpleNamespace(value=value)
    return SimpleNamespace(option=option, points=points, placement=placement, win=0.25, share=0.5)


def analysis(*outcomes: Any) -> Any:
    return SimpleNamespace(outcomes=outcomes)


def test_the_best_for_the_place_is_not_that_of_the_points() -> None:
    found = behind_for_the_place(analysis(one(A, 900, 10), one(B, 500, 12)), RATE)
    assert found == {A: pytest.approx(-200), B: 0}


@pytest.mark.parametrize(
    "outcomes",
    [
        (one(A, 900, 12), one(B, 500, 10)),  # the same option is best
        (one(A, 900, 10), one(B, 500, 10 + 0.9 * HARDLY * RATE)),  # hardly behind
        (one(A, 900, 10), one(B, 500, None)),  # the place is not known
        (),
    ],
)
def test_there_is_no_row_where_it_says_nothing(outcomes: tuple[Any, ...]) -> None:
    assert behind_for_the_place(analysis(*outcomes), RATE) == {}


def test_nothing_is_known_where_a_point_has_no_worth() -> None:
    assert behind_for_the_place(analysis(one(A, 900, 10), one(B, 500, 12)), None) == {}


def test_rows() -> None:
    options = [one(A, 900, 10), None, one(B, -500, 12)]
    rows = dict(
        forecast_rows(("win", "points", "place", "strong"), options, {A: -200.4, B: 0}, {A})
    )
    assert rows == {
        "win": ["25.0%", "-", "25.0%"],
        "points": ["900", "-", "-500"],
        "place": ["-200", "-", "0"],
        "strong": ["50%?", "-", "50%"],
    }
    assert "place" not in dict(
        forecast_rows(("win", "points", "place", "strong"), options, {}, set())
    )
