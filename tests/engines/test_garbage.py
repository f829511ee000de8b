"""Workers collect garbage seldom; the program that starts them keeps its own setting."""

from __future__ import annotations

import gc

from haiyomi.engines.garbage import THRESHOLDS
from haiyomi.engines.processes import new_pool


def test_workers_collect_seldom_and_the_caller_as_before() -> None:
    before = gc.get_threshold()
    with new_pool(1) as pool:
        assert pool.submit(gc.get_threshold).result() == THRESHOLDS
    assert gc.get_threshold() == before != THRESHOLDS
