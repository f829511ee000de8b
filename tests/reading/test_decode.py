"""Hands from marginals: the best expected agreement against every hand, and the roulette."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from haiyomi.reading.decode import best_agreement, expected_agreement, random_hands, roulette


def test_best_agreement_beats_every_other_hand() -> None:
    rng = np.random.default_rng(2)
    kinds = (0, 5, 27)
    for _ in range(20):
        marginals = np.zeros((1, 34, 5))
        marginals[:, :, 0] = 1
        for kind in kinds:
            marginals[0, kind] = rng.dirichlet(np.ones(5))
        total = int(rng.integers(1, 8))
        best = best_agreement(marginals, np.array([total]))
        assert best.sum() == total
        found = expected_agreement(marginals, best)[0]
        for counts in product(range(5), repeat=3):
            if sum(counts) == total:
                hand = np.zeros((1, 34), np.uint8)
                hand[0, kinds] = counts
                worth = sum(
                    marginals[0, h, k] * min(k, c)
                    for h, c in zip(kinds, counts, strict=True)
                    for k in range(5)
                )
                assert expected_agreement(marginals, hand)[0] == pytest.approx(worth / total)
                assert found >= worth / total - 1e-12


def test_roulette_takes_the_likeliest_kinds_first_and_clips_the_last() -> None:
    marginals = np.zeros((2000, 34, 5))
    marginals[:, :, 0] = 0.9
    marginals[:, :, 1] = 0.1
    marginals[:, 3] = (0.1, 0.0, 0.0, 0.9, 0.0)
    marginals[:, 8] = (0.2, 0.3, 0.5, 0.0, 0.0)
    hands = roulette(marginals, np.full(2000, 4), np.random.default_rng(1))
    assert (hands.sum(axis=1) == 4).all()
    assert (hands[:, 3] == 3).all()
    assert (hands[:, 8] == 1).all()  # clipped to the tile left
    hands = roulette(marginals, np.full(2000, 6), np.random.default_rng(1))
    share = (hands[:, 8] == 2).mean()
    assert share == pytest.approx(0.625, abs=0.04)
    assert (hands[hands[:, 8] == 1, 0] == 1).all()  # ties by kind


def test_random_hands_are_uniform_over_the_unseen_tiles() -> None:
    unseen = np.zeros((20_000, 34), np.uint8)
    unseen[:, [0, 1, 30]] = (4, 1, 3)
    hands = random_hands(unseen, np.full(20_000, 4), np.random.default_rng(3))
    assert (hands.sum(axis=1) == 4).all()
    assert (hands <= unseen).all()
    np.testing.assert_allclose(hands.mean(axis=0)[[0, 1, 30]], [2.0, 0.5, 1.5], atol=0.02)
