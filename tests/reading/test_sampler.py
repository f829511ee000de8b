"""Samples kept by their shanten: exactly the conditional distribution."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from haiyomi.kernels.shanten import shanten
from haiyomi.reading import sampler
from haiyomi.reading.sampler import N_SHANTEN, draw_hands

KINDS = (0, 1, 2, 3, 9, 27)


def small_deck() -> np.ndarray:
    nodes = np.full((1, 34, 5), -np.inf)
    nodes[:, :, 0] = 0.0
    rng = np.random.default_rng(1)
    for kind in KINDS:
        nodes[0, kind, 1:3] = rng.normal(size=2)
    return nodes


def exact(nodes: np.ndarray, accept: np.ndarray) -> dict[tuple[int, ...], float]:
    """Every hand of four tiles, weighed and kept by its shanten."""
    out = {}
    for counts in product(range(3), repeat=len(KINDS)):
        if sum(counts) == 4:
            hand = np.zeros(34, np.uint8)
            hand[list(KINDS)] = counts
            weight = np.exp(nodes[0, range(34), hand].sum()) * accept[int(shanten(hand))]
            if weight > 0:
                out[tuple(int(c) for c in hand)] = float(weight)
    return out


@pytest.mark.parametrize("given_tenpai", [True, False])
def test_samples_are_exactly_conditional(given_tenpai: bool) -> None:
    nodes = small_deck()
    accept = np.zeros((1, N_SHANTEN))
    accept[0, :3] = (1, 0, 0) if given_tenpai else (0.3, 1.0, 0.6)
    hands = exact(nodes, accept[0])
    n = 20_000
    drawn = draw_hands(nodes, np.array([4]), accept, n, np.random.default_rng(2))
    assert drawn.found[0] == n
    assert (drawn.shanten == shanten(drawn.hands)).all()
    found, times = np.unique(drawn.hands[0], axis=0, return_counts=True)
    observed = {tuple(int(c) for c in h): int(t) for h, t in zip(found, times, strict=True)}
    assert observed.keys() <= hands.keys()
    total = sum(hands.values())
    expected = np.array([n * w / total for w in hands.values()])
    counted = np.array([observed.get(h, 0) for h in hands])
    enough = expected > 5
    chi2 = float(((counted - expected)[enough] ** 2 / expected[enough]).sum())
    assert chi2 < enough.sum() + 4 * np.sqrt(2 * enough.sum())


def test_a_row_without_such_a_hand_is_left_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four kinds of which one copy each is left: no pair, no three in a row, no tenpai."""
    monkeypatch.setattr(sampler, "MOST_DRAWS", 64)
    nodes = np.full((2, 34, 5), -np.inf)
    nodes[:, :, 0] = 0.0
    nodes[0, [0, 4, 9, 27], 1] = 0.0
    nodes[1, :4, 1] = 0.0  # 1234: always tenpai
    accept = np.zeros((2, N_SHANTEN))
    accept[:, 0] = 1
    drawn = draw_hands(nodes, np.array([4, 4]), accept, 3, np.random.default_rng(3))
    assert drawn.found.tolist() == [0, 3]
