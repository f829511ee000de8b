"""The race of options on common worlds: who leaves it, and what a comparison is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from haiyomi.playouts.race import FIRST, TOGETHER, Standings, race

Floats = NDArray[np.float64]


def _game(values: Floats) -> tuple[list[int], object]:
    """A ``play`` that looks values (options, worlds) up, and how many options each call had."""
    asked: list[int] = []

    def play(which: NDArray[np.int64], worlds: range) -> Floats:
        asked.append(len(which))
        return values[which][:, worlds.start : worlds.stop]

    return asked, play


def _rounds(race: Iterator[Standings]) -> list[Standings]:
    """The last report of each round, which are 64, 128, 256... worlds long."""
    return [now for now in race if int(now.played.max()).bit_count() == 1]


def test_options_far_behind_leave_and_the_rest_doubles() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(size=1024) * 3000  # shared by the options
    own = rng.normal(size=(4, 1024)) * 300
    values = np.array([0, -20, -400, -3000])[:, None] + luck + own
    asked, play = _game(values)
    rounds = _rounds(race(play, 4, 1024))  # type: ignore[arg-type]
    assert asked == [4, 2, 2, 2, 2, 2]
    assert [int(r.played.max()) for r in rounds] == [64, 128, 256, 512, 1024]
    assert rounds[0].racing.tolist() == [True, True, False, False]
    assert rounds[-1].played.tolist() == [1024, 1024, FIRST, FIRST]
    gap, error = rounds[-1].gap(1)
    # The luck that the worlds share is no part of the error.
    assert 10 < error < 20
    assert abs(gap + 20) < 4 * error


def test_an_option_is_judged_by_its_mean_and_not_by_its_best_worlds() -> None:
    rng = np.random.default_rng(2)
    gamble = np.where(rng.random(512) < 0.1, 8000.0, -1500.0)
    values = np.stack([np.zeros(512), gamble])
    assert np.maximum(values[0], values[1]).mean() > 0 > gamble.mean()
    rounds = list(race(_game(values)[1], 2, 512))  # type: ignore[arg-type]
    assert rounds[-1].best == 0


def test_equal_options_stay_to_the_end() -> None:
    values = np.zeros((3, 256))
    rounds = list(race(_game(values)[1], 3, 256))  # type: ignore[arg-type]
    assert rounds[-1].played.tolist() == [256] * 3
    assert rounds[-1].racing.all()


def test_a_long_round_reports_before_its_end() -> None:
    values = np.random.default_rng(3).normal(size=(2, 2048))
    reports = list(race(_game(values)[1], 2, 2048))  # type: ignore[arg-type]
    steps = np.diff([0, *(int(now.played.max()) for now in reports)])
    assert steps.max() == TOGETHER
    np.testing.assert_array_equal(reports[0].values, values[:, :64])
    np.testing.assert_array_equal(reports[-1].values, values)


def test_a_win_at_once_is_weighed_by_its_known_probability() -> None:
    rng = np.random.default_rng(4)
    n, p, lost = 4096, 0.2, -8000.0
    later = rng.normal(size=n) * 1000 + 500
    ronned = rng.random(n) < 0.35  # the draws of hands are off
    values = np.stack([np.where(ronned, np.nan, later), rng.normal(size=n) * 1000])
    known = np.array([[p, 0], [lost, 0]])
    rounds = list(race(_game(values)[1], 2, n, known))  # type: ignore[arg-type]
    first = rounds[0].by_world(0)
    kept = values[0, :64][~ronned[:64]]
    assert np.isclose(first.mean(), p * lost + (1 - p) * kept.mean())
    # The standard error is that of the worlds that are left.
    error = first.std(ddof=1) / np.sqrt(64)
    assert np.isclose(error, (1 - p) * kept.std(ddof=1) / np.sqrt(len(kept)), rtol=0.05)
    assert rounds[0].best == 1
