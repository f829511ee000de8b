"""How much of a forecast difference is expected to come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from haiyomi.review.confirmed_part import confirmed_parts


def test_no_part_is_above_one() -> None:
    table = replace(confirmed_parts(), parts={"placement": 0.8}, rarer_by_risk=0.06)
    assert table.part_of("placement", 400, 0.9, 0.001, 0.03) == 1


def test_no_part_is_below_zero() -> None:
    table = replace(confirmed_parts(), parts={"call": -0.2}, rarer=0.06)
    assert table.part_of("call", 400, 0.5, 0.5, 0.03) == 0
    assert table.part_of("call", 400, 0.9, 0.01, 0.03) > 0


def test_more_of_a_large_difference_comes_within_what_was_measured() -> None:
    table = replace(confirmed_parts(), parts={"call": 0.4}, larger=0.1)
    found = [table.part_of("call", points, 0.5, 0.5, 0.03) for points in (0, 120, 400, 4000, 9000)]
    assert found[2] == pytest.approx(0.4)
    assert found[0] == found[1] < found[2] < found[3] == found[4]


def test_less_comes_of_the_choices_of_a_hand_that_wins() -> None:
    """Played on, .82 of a difference of safety came where neither option wins, .30 where one wins
    a fifth of the time and more."""
    table = replace(confirmed_parts(), parts={"safety order": 0.5}, winning=-0.1)
    found = [
        table.part_of("safety order", 400, 0.5, 0.5, win) for win in (0, 0.0025, 0.03, 0.4, 0.9)
    ]
    assert found[0] == found[1] > found[2] > found[3] == found[4]
    assert found[2] == pytest.approx(0.5)
    table = replace(table, parts={"efficiency": 0.5})
    assert table.part_of("efficiency", 400, 0.5, 0.5, 0.4) == pytest.approx(0.5)
