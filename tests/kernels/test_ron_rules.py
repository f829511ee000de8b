"""What the rules say of P(tenpai) and P(ron), and the outcomes of rons on red fives."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.arrays import Floats
from haiyomi.dealin.payment import red_grid
from haiyomi.game.decision_record import as_bytes
from haiyomi.game.observation import NONE, OBSERVATION, RIVER, Observations, furiten_kinds
from haiyomi.kernels.posterior import RonAnswer, RonChances, Shown, ron_chances, ron_outcomes

SEATS = np.array([1, 2, 3, 1, 2, 3], np.uint8)


@pytest.fixture
def rows() -> Observations:
    """(6,) some rivers, tiles let pass and riichi."""
    rng = np.random.default_rng(3)
    out = np.zeros(6, OBSERVATION)
    out["indicators"] = NONE
    players = out["players"]
    players["melds"], players["kind"], players["riichi"] = NONE, NONE, -1
    players["n"] = rng.integers(0, 9, (6, 4))
    discards = np.arange(RIVER) < players["n"][..., None]
    players["kind"][discards] = rng.integers(0, 34, discards.sum())
    players["passed"] = 1 << rng.integers(0, 34, (6, 4))
    players["passed_riichi"] = 1 << rng.integers(0, 34, (6, 4))
    return out


def by_hands(rows: Observations, odds: Floats, ron: Floats, wait: Floats) -> RonChances:
    """By the posterior alone, of opponents that are tenpai with such ``odds``."""
    answers = RonAnswer(wait, wait, ron, np.zeros((6, 34, 4)))
    network = np.zeros((6, 34), np.float32)
    shown = Shown(as_bytes(rows), SEATS)
    return ron_chances(shown, odds.astype(np.float32), network, answers, None, 1e-3)


def test_riichi_and_four_melds_are_tenpai(rows: Observations) -> None:
    rows["players"]["riichi"][0, 1] = 0
    rows["players"]["riichi"][1, 3] = 2  # another opponent's
    for n, row in ((3, 2), (4, 4)):
        rows["players"]["melds"][row, SEATS[row], :n] = 1, 31, 31, 0, 0, 0
    odds = np.arange(6.0)
    found = by_hands(rows, odds, *np.ones((2, 6, 34)))
    expected = 1 / (1 + np.exp(-odds))
    expected[[0, 4]] = 1
    assert found.tenpai == pytest.approx(expected, rel=1e-12)
    assert found.tenpai[0] == found.tenpai[4] == 1
    assert np.array_equal(found.by_hands, np.repeat(found.tenpai, 34).reshape(6, 34))


def test_odds_beyond_all_numbers_stay_probabilities(rows: Observations) -> None:
    odds = np.array([-1e9, -800, -60, 0, 800, 1e9])
    found = by_hands(rows, odds, *np.ones((2, 6, 34)))
    assert found.tenpai == pytest.approx([0, 0, 0, 0.5, 1, 1])
    assert ((found.ron >= 0) & (found.ron <= 1)).all()


def test_no_ron_of_a_furiten_opponent_or_on_a_kind_without_a_wait(rows: Observations) -> None:
    rng = np.random.default_rng(4)
    ron = rng.random((6, 34)) ** 20
    wait = rng.random((6, 34)) * rng.integers(0, 2, (6, 34))
    furiten = furiten_kinds(rows["players"][np.arange(6), SEATS])
    may = (furiten[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1) == 0) & (wait > 0)
    found = by_hands(rows, np.full(6, 50.0), ron, wait)
    expected = np.where(may, np.maximum(found.by_hands, 1e-3), 0.0)
    assert (expected == 1e-3).any()
    assert np.array_equal(found.ron, expected)


def outcomes(cells: Floats, places: list[int], red: list[bool]) -> tuple[object, ...]:
    points = np.arange(len(cells) * 168).reshape(-1, 14, 12)
    rows, *others = ron_outcomes(cells, points, places, red)
    assert not rows.flags.writeable
    return rows.tolist(), *others


def test_a_red_five_brings_a_han_more() -> None:
    """Bit for bit as by ``red_grid``, whichever tiles are asked about."""
    rng = np.random.default_rng(5)
    cells = rng.random((3, 4, 14, 12)) * (rng.random((3, 4, 14, 12)) < 0.7)
    places, red = [0, 1, 1, 3, 0], [False, False, True, True, False]
    moved = cells[:, places]
    moved[:, red] = red_grid(moved[:, red])
    assert outcomes(cells, places, red) == outcomes(moved, list(range(5)), [False] * 5)
    with pytest.raises(ValueError, match="among the kinds"):
        outcomes(cells, [4], [False])
    with pytest.raises(ValueError, match="one place for each tile"):
        outcomes(cells, [0, 1], [False])
