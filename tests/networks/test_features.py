"""The core's features of an opponent against those of ``reading.features``."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.kernels.network import decision_features, opponent_features
from haiyomi.reading.features import features, mirror_features


@pytest.mark.parametrize("mirror", [0, 1])
def test_they_are_those_of_the_reading_to_the_bit(records: Decisions, mirror: int) -> None:
    kinds, context = opponent_features(as_bytes(records), np.full(len(records), mirror, np.uint8))
    for opponent in (1, 2, 3):
        x, whole = features(records["observation"], np.full(len(records), opponent))
        expected = mirror_features(x) if mirror else x
        assert np.array_equal(kinds[:, opponent - 1], expected)
        assert np.array_equal(context[:, opponent - 1, : whole.shape[1]], whole)


def test_threads_change_no_bit(records: Decisions) -> None:
    mirror = np.arange(len(records), dtype=np.uint8) % 2
    for function in (decision_features, opponent_features):
        one, three = function(as_bytes(records), mirror), function(as_bytes(records), mirror, 3)
        assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))
