"""Workers collect garbage seldom; the program that starts them keeps its own setting."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from haiyomi.engines.garbage import THRESHOLDS
from haiyomi.engines.processes import new_pool

OWN = (1234, 11, 12)


@pytest.fixture
def own_setting() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*OWN)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("own_setting")
def test_workers_collect_seldom_and_the_caller_as_before() -> None:
    with new_pool(1) as pool:
        assert pool.submit(gc.get_threshold).result() == THRESHOLDS
    assert gc.get_threshold() == OWN
