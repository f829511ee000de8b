"""The features that networks read, made by the core."""

from __future__ import annotations

import numpy as np

from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.kernels.network import decision_features, opponent_features


def test_threads_change_no_bit(records: Decisions) -> None:
    mirror = np.arange(len(records), dtype=np.uint8) % 2
    for function in (decision_features, opponent_features):
        one, three = function(as_bytes(records), mirror), function(as_bytes(records), mirror, 3)
        assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))
