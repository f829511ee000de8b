"""Observations: what no wall can deal is refused in one sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from haiyomi.errors import PositionError
from haiyomi.game.observation import observations_of
from haiyomi.game.position_fold import positions
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat


def test_more_draws_than_a_wall_has_are_refused() -> None:
    """A named case: the review of such a record ended with numbers that are no bytes."""
    *_, position = next(positions(demo_game().hands[0].events, Seat(1)))
    assert len(observations_of([position])) == 1
    with pytest.raises(PositionError, match="more draws than a wall has"):
        observations_of([replace(position, draws_left=-1)])


def test_five_of_a_kind_are_refused() -> None:
    *_, position = next(positions(demo_game().hands[0].events, Seat(1)))
    with pytest.raises(PositionError, match="five of a kind"):
        observations_of([replace(position, seen=(5, *position.seen[1:]))])
