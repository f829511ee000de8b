"""A network to which the suits are alike answers the same for renamed suits."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from evaluation.known_answers.metamorphic import exchanged

from haiyomi.evaluation.known_answers.suite import cases
from haiyomi.networks.network import Network
from haiyomi.networks.opponents import shipped_opponents
from haiyomi.networks.suits import suits_alike
from haiyomi.play.seat_record import seat_records
from haiyomi.styles.policy import shipped_policy

SEEN = [
    case.decision.position
    for case in cases()
    if case.decision.offer is None and case.decision.position.reds_seen not in (0, 7)
]
SUITS = [s for s in permutations(range(3)) if s != (0, 1, 2)]


def largest_difference(network: Network, suits: tuple[int, int, int]) -> float:
    """Between the answers and those with the suits renamed, over all of its outputs by kind."""
    kinds = [9 * suits[k // 9] + k % 9 if k < 27 else k for k in range(34)]
    here, there = seat_records(SEEN), seat_records([exchanged(p, suits) for p in SEEN])
    one, other = network.answers(here), network.answers(there)
    found = []
    for name, values in one.items():
        by_kind = [axis for axis, n in enumerate(values.shape) if n == 34]
        moved = np.take(other[name], kinds, axis=by_kind[0]) if by_kind else other[name]
        found.append(np.abs(moved - values).max())
    return float(max(found))


@pytest.mark.parametrize("suits", SUITS)
def test_renamed_suits_change_no_answer(suits: tuple[int, int, int]) -> None:
    for network in (shipped_policy().network, shipped_opponents().network):
        assert largest_difference(network, suits) < 2e-4


def told_apart() -> Network:
    """The shipped policy's network with other weights, which tell the suits apart."""
    network = shipped_policy().network
    noise = np.random.default_rng(3).normal(0, 0.1, len(network.weights))
    return replace(network, weights=network.weights + noise.astype(np.float32))


def test_a_network_that_tells_suits_apart_is_found_and_mended() -> None:
    apart = told_apart()
    assert largest_difference(apart, SUITS[0]) > 0.01
    assert largest_difference(suits_alike(apart), SUITS[0]) < 2e-4


def test_only_the_weights_of_the_seen_red_fives_change() -> None:
    apart = told_apart()
    changed = np.flatnonzero(apart.weights != suits_alike(apart).weights)
    assert 0 < len(changed) <= 3 * (96 + 96 + 160)


def test_shipped_networks_are_alike_already() -> None:
    for network in (shipped_policy().network, shipped_opponents().network):
        assert np.array_equal(network.weights, suits_alike(network).weights)
