"""What an option leaves to the best: cross-fitted, so that luck in the values does not count."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.outcomes.answer import Endings, EndingShare, Outcome
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.given_up import given_up_by
from haiyomi.outcomes.option import Option
from haiyomi.seeds import generator


def outcome(tile: str, *members: float) -> Outcome:
    """An option with these points by the members of an ensemble."""
    mean = sum(members) / len(members)
    endings = Endings([EndingShare(Ending.DRAW_NOTEN, 1.0, mean)])
    several = members if len(members) > 1 else ()
    return Outcome(Option.parse(f"discard {tile}"), "pooled", endings, members=several)


def test_one_member_picks_and_the_other_values() -> None:
    one, two = outcome("1m", 500, 100), outcome("2m", 200, 300)
    chosen = outcome("3m", 0, 50)
    # The first picks 1m, which the second values 100; the second picks 2m, worth 200 to the first.
    left = given_up_by([one, two, chosen], chosen)
    assert (left.best, left.lost) == (150, 150 - 25)


def test_equal_options_cost_nothing_on_average() -> None:
    """Members that err by chance: the best of ten looks 300 points better than the first."""
    rng = generator(1, "members")
    lost, plain = [], []
    for _ in range(400):
        options = [outcome(f"{i}m", *rng.normal(0, 300, 2)) for i in range(10)]
        lost.append(given_up_by(options, options[0]).lost)
        plain.append(max(o.points for o in options) - options[0].points)
    assert np.mean(plain) > 250
    assert abs(np.mean(lost)) < 4 * np.std(lost) / 20


def test_the_error_of_a_difference_is_that_of_the_members_mean() -> None:
    error = outcome("1m", 500, 100).difference_error(outcome("2m", 100, 0))
    assert error == pytest.approx(150)
    assert outcome("1m", 500).difference_error(outcome("2m", 100)) is None


def test_a_single_network_values_its_own_best() -> None:
    chosen = outcome("2m", 100)
    assert given_up_by([outcome("1m", 500), chosen], chosen).lost == 400
