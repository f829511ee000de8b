"""The features that networks read, made by the core."""

from __future__ import annotations

import numpy as np

from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.kernels.network import decision_features, opponent_features


def test_threads_change_no_bit(records: Decisions) -> None:
    mirror = np.arange(len(records), dtype=np.uint8) % 2
    one = decision_features(as_bytes(records), mirror)
    three = decision_features(as_bytes(records), mirror, 3)
    assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))


def test_a_row_has_the_features_that_it_has_alone(records: Decisions) -> None:
    mirror = np.arange(len(records), dtype=np.uint8) % 2
    every = opponent_features(as_bytes(records), mirror)
    for at in (0, 1, len(records) - 1):
        alone = opponent_features(as_bytes(records)[at : at + 1], mirror[at : at + 1])
        assert all(np.array_equal(a[at], b[0]) for a, b in zip(every, alone, strict=True))
