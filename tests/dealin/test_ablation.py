"""The steps of the ablation: each part takes away, none adds, and the last is the whole reading."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.models import STEPS, load_model
from haiyomi.dealin.possible import FLOOR
from haiyomi.dealin.posterior_opponents import PosteriorOpponents
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat

Floats = NDArray[np.float64]


@cache
def threatened() -> list[Position]:
    game = demo_game()
    found = [
        position
        for hand in game.hands[:5]
        for _, _, position in positions(hand.events, Seat(1), game.header.rules)
        if position.to_act and position.threat
    ]
    return found[:: max(1, len(found) // 8)]


@cache
def rons(found: PosteriorOpponents) -> np.ndarray:
    """(3, 34) P(ron | tenpai) by the posterior."""
    return np.array([row.posterior.ron(row.given).ron for row in found.rows])


def answers(name: str) -> list[PosteriorOpponents]:
    return list(load_model(name).read(threatened()))  # type: ignore[attr-defined]


def chances(name: str) -> Floats:
    """(n, 3, 34) P(ron)."""
    return np.array([found.chances() for found in answers(name)])


def test_furiten_and_yaku_only_take_hands_away() -> None:
    shape, furiten, yaku = map(chances, STEPS[1:4])
    assert (furiten <= shape + 1e-12).all()
    assert (yaku <= furiten + 1e-12).all()
    assert (furiten < shape - 1e-9).any()
    assert (yaku < furiten - 1e-9).any()


def test_every_step_changes_the_answer() -> None:
    for before, after in zip(STEPS, (*STEPS[1:], "posterior"), strict=True):
        assert np.abs(chances(before) - chances(after)).max() > 1e-6, (before, after)


def test_all_steps_take_the_tenpai_probability_of_the_whole_model() -> None:
    whole = np.array([found.tenpai for found in answers("posterior")])
    for name in STEPS:
        tenpai = np.array([found.tenpai for found in answers(name)])
        np.testing.assert_array_equal(tenpai, whole)


def test_the_learned_weights_are_those_that_the_whole_model_blends() -> None:
    for step, whole in zip(answers("posterior:weights"), answers("posterior"), strict=True):
        np.testing.assert_array_equal(rons(step), rons(whole))
        possible = step.ron > 0
        expected = np.maximum(step.tenpai[:, None] * rons(step), FLOOR)
        np.testing.assert_allclose(step.ron[possible], expected[possible], atol=1e-12)
