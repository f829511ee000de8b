"""A network to which the suits are alike answers the same for renamed suits."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from haiyomi.evaluation.metamorphic import exchanged
from haiyomi.evaluation.suite import cases
from haiyomi.networks.suits import suits_alike
from haiyomi.play.seat_record import seat_records
from haiyomi.styles.policy import shipped_policy

SEEN = [
    case.decision.position
    for case in cases()
    if case.decision.offer is None and case.decision.position.reds_seen not in (0, 7)
]


@pytest.mark.parametrize("suits", [s for s in permutations(range(3)) if s != (0, 1, 2)])
def test_renamed_suits_change_no_answer(suits: tuple[int, int, int]) -> None:
    network = shipped_policy().network
    here, there = seat_records(SEEN), seat_records([exchanged(p, suits) for p in SEEN])
    kinds = [9 * suits[k // 9] + k % 9 if k < 27 else k for k in range(34)]
    alike = suits_alike(network)
    one, other = alike.answers(here), alike.answers(there)
    for name, values in one.items():
        moved = other[name][:, kinds] if values.ndim == 3 else other[name]
        np.testing.assert_allclose(moved, values, rtol=0, atol=1e-4)
    plain, renamed = network.answers(here), network.answers(there)
    assert np.abs(plain["ending"] - renamed["ending"]).max() > 0.01


def test_only_the_weights_of_the_seen_red_fives_change() -> None:
    network = shipped_policy().network
    changed = np.flatnonzero(network.weights != suits_alike(network).weights)
    assert 0 < len(changed) <= 3 * (96 + 96 + 160)
    assert suits_alike(network) is suits_alike(network)
