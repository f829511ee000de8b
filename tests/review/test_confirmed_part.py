"""How much of a forecast difference is expected to come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from haiyomi.review.confirmed_part import SLOPES, VERY_RARE, ConfirmedParts, JudgedChoice, terms


def table(category: str, part: float, **slopes: float) -> ConfirmedParts:
    """A table of one category."""
    least = {category: part - 0.1}
    return ConfirmedParts({category: part}, least, dict.fromkeys(SLOPES, 0.0) | slopes, 90, 0.5)


def test_a_part_is_within_0_and_1() -> None:
    choice = JudgedChoice("placement", 400, 0.9, 0.001, 0.03)
    assert table("placement", 0.8, rarer_by_risk=0.06).part_of(choice) == 1
    equal = JudgedChoice("call", 400, 0.5, 0.5, 0.03)
    parts = table("call", -0.2, rarer_call=0.06)
    assert parts.part_of(equal) == 0
    assert parts.part_of(replace(equal, better=0.9, taken=0.01)) > 0
    assert parts.least_of(equal) == pytest.approx(-0.3)


def test_more_of_a_large_difference_comes_within_what_was_measured() -> None:
    parts = table("efficiency", 0.4, larger=0.1)
    found = [
        parts.part_of(JudgedChoice("efficiency", points, 0.5, 0.5, 0.03))
        for points in (0, 120, 400, 4000, 9000)
    ]
    assert found[2] == pytest.approx(0.4)
    assert found[0] == found[1] < found[2] < found[3] == found[4]


def test_less_comes_of_the_choices_of_a_hand_that_wins() -> None:
    """Played on, .82 of a difference of safety came where neither option wins, .30 where one wins
    a fifth of the time and more."""
    safety = [JudgedChoice("safer tile", 400, 0.5, 0.5, win) for win in (0, 0.0025, 0.03, 0.4, 0.9)]
    found = [table("safer tile", 0.5, winning=-0.1).part_of(choice) for choice in safety]
    assert found[0] == found[1] > found[2] > found[3] == found[4]
    assert found[2] == pytest.approx(0.5)
    other = JudgedChoice("efficiency", 400, 0.5, 0.5, 0.4)
    assert table("efficiency", 0.5, winning=-0.1).part_of(other) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("group", "slope"),
    [
        ("efficiency", "rarer"), ("riichi declared", "rarer"), ("pushed", "rarer_by_risk"),
        ("call", "rarer_call"), ("call, no nearer to tenpai", "rarer_call"), ("missed call", None),
    ],
)  # fmt: skip
def test_how_rare_a_choice_is_counts_by_one_slope(group: str, slope: str | None) -> None:
    found = dict(zip(SLOPES, terms(JudgedChoice(group, 400, 0.5, 0.005, 0.03)), strict=True))
    rare = {name: x for name, x in found.items() if name.startswith("rarer") and x}
    due = 4.605 - (VERY_RARE if slope == "rarer" else 0)
    assert rare == ({slope: pytest.approx(due, abs=0.001)} if slope else {})


def test_more_comes_of_a_missed_call_that_more_players_make() -> None:
    parts = table("missed call", 0.4, callers=0.5, larger=1.0)
    found = [
        parts.part_of(JudgedChoice("missed call", 1000, better, 1 - better, 0.03))
        for better in (0.0, 0.25, 0.5, 0.9)
    ]
    assert found == pytest.approx([0, 0.053, 0.4, 0.694], abs=0.001)


def test_no_more_comes_of_a_large_difference_of_riichi() -> None:
    parts = table("riichi not declared", 0.8, larger=0.1)
    assert parts.part_of(JudgedChoice("riichi not declared", 3000, 0.5, 0.5, 0.4)) == pytest.approx(
        0.8
    )


def test_less_comes_of_riichi_the_more_a_win_without_it_is_worth() -> None:
    parts = table("riichi not declared", 0.8, worth=-0.4)
    choice = JudgedChoice("riichi not declared", 400, 0.5, 0.5, 0.4)
    found = [
        parts.part_of(replace(choice, worth=points)) for points in (0, 2000, 5000, 12_000, 32_000)
    ]
    assert found[0] == found[1] > found[2] > found[3] == found[4]
    assert found[2] == pytest.approx(0.8)
    other = table("riichi declared", 0.8, worth=-0.4)
    assert other.part_of(replace(choice, group="riichi declared", worth=9000)) == pytest.approx(0.8)


@pytest.mark.parametrize("group", ["efficiency", "call", "missed call"])
def test_more_is_confirmed_now_of_choices_that_are_no_calls(group: str) -> None:
    choice = JudgedChoice(group, 400, 0.5, 0.5, 0.03)
    parts = table(group, 0.6)
    now = replace(parts, own_turn_factor=1.15)
    times = 1.15 if group == "efficiency" else 1.0
    assert now.part_of(choice) == pytest.approx(times * parts.part_of(choice))
    assert now.least_of(choice) == pytest.approx(times * parts.least_of(choice))
