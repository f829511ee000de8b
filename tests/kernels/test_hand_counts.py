"""Sums over hands against every hand of a small deck, counted one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from haiyomi.kernels.hand_counts import hand_best, hand_marginals, hand_samples

NONE = -np.inf


def small_deck(rng: np.random.Generator, kinds: tuple[int, ...], copies: int) -> np.ndarray:
    """(34, 5) log weights that allow up to ``copies`` of a few kinds and none of the rest."""
    nodes = np.full((34, 5), NONE)
    nodes[:, 0] = rng.normal(size=34)
    for kind in kinds:
        nodes[kind, 1 : copies + 1] = rng.normal(size=copies)
    return nodes


def brute(nodes: np.ndarray, total: int) -> dict[tuple[int, ...], float]:
    """The weight of each hand, by its definition."""
    ranges = [[k for k in range(5) if nodes[h, k] > NONE] for h in range(34)]
    out = {}
    for hand in product(*ranges):
        if sum(hand) != total:
            continue
        log = sum(nodes[h, k] for h, k in enumerate(hand))
        out[hand] = float(np.exp(log))
    return out


DECKS = [
    ((0, 1, 2, 3, 9, 27, 28), 2, 4),
    ((6, 7, 8, 9, 10, 33), 2, 5),  # the end of one suit and the start of the next
    ((3, 5, 13, 18, 26), 4, 7),
    ((17, 18, 19, 20, 21, 22), 2, 0),
]


@pytest.mark.parametrize(("kinds", "copies", "total"), DECKS)
def test_sum_and_marginals(kinds: tuple[int, ...], copies: int, total: int) -> None:
    rng = np.random.default_rng(5)
    nodes = small_deck(rng, kinds, copies)
    hands = brute(nodes, total)
    log_sum, marginals = hand_marginals(nodes[None], [total])
    assert log_sum[0] == pytest.approx(np.log(sum(hands.values())), abs=1e-12)
    exact = np.zeros((34, 5))
    for hand, weight in hands.items():
        exact[range(34), hand] += weight
    np.testing.assert_allclose(marginals[0], exact / sum(hands.values()), atol=1e-12)


@pytest.mark.parametrize(("kinds", "copies", "total"), DECKS)
def test_the_most_probable_hand(kinds: tuple[int, ...], copies: int, total: int) -> None:
    rng = np.random.default_rng(6)
    nodes = small_deck(rng, kinds, copies)
    hands = brute(nodes, total)
    best = max(hands, key=hands.__getitem__)
    log_weight, found = hand_best(nodes[None], [total])
    assert tuple(found[0]) == best
    assert log_weight[0] == pytest.approx(np.log(hands[best]), abs=1e-12)


def test_samples_have_the_exact_distribution() -> None:
    rng = np.random.default_rng(7)
    nodes = small_deck(rng, (0, 1, 2, 9, 10, 11, 27), 2)
    hands = brute(nodes, 4)
    drawn = hand_samples(nodes[None], [4], 40_000, rng)[0]
    found, times = np.unique(drawn, axis=0, return_counts=True)
    observed = {tuple(int(c) for c in h): int(t) for h, t in zip(found, times, strict=True)}
    assert observed.keys() <= hands.keys()
    expected = np.array([40_000 * hands[h] / sum(hands.values()) for h in hands])
    counted = np.array([observed.get(h, 0) for h in hands])
    enough = expected > 5
    chi2 = float(((counted - expected)[enough] ** 2 / expected[enough]).sum())
    degrees = int(enough.sum())
    assert chi2 < degrees + 4 * np.sqrt(2 * degrees)


def test_full_deck_agrees_with_the_hypergeometric() -> None:
    """With the number of ways to draw as weights, a kind's count is hypergeometric."""
    from math import comb

    nodes = np.tile(np.log([comb(4, k) for k in range(5)]), (34, 1))
    log_sum, marginals = hand_marginals(nodes[None], [13])
    assert log_sum[0] == pytest.approx(np.log(comb(136, 13)), abs=1e-9)
    exact = [comb(4, k) * comb(132, 13 - k) / comb(136, 13) for k in range(5)]
    np.testing.assert_allclose(marginals[0], np.tile(exact, (34, 1)), atol=1e-12)
    assert abs(marginals.sum(axis=2) - 1).max() < 1e-9


def test_bad_rows_are_named() -> None:
    nodes = np.zeros((2, 34, 5))
    nodes[1, :, 1:] = NONE
    with pytest.raises(ValueError, match="row 1: no hand"):
        hand_marginals(nodes, [13, 13])
    with pytest.raises(ValueError, match="at most 14"):
        hand_marginals(nodes[:1], [15])
    with pytest.raises(ValueError, match="shape"):
        hand_marginals(nodes[:, :9], [13, 13])
