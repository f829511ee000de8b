"""Limits of time that hold on a busy or slower core, too.

A limit is stated for one quiet core. A test multiplies it by the slowness of the core that runs it:
the time of a fixed piece of work now, divided by its time on the quiet core, and at least 1.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from haiyomi.kernels.shanten import shanten

QUIET = 2.8e-3
"""Processor seconds of five passes over the hands on the quiet core."""
_HANDS = np.zeros((20_000, 34), dtype=np.uint8)
for _row, _hand in zip(_HANDS, np.random.default_rng(0).permuted(
    np.tile(np.repeat(np.arange(34), 4), (20_000, 1)), axis=1)[:, :14], strict=True):  # fmt: skip
    np.add.at(_row, _hand, 1)


def slowness() -> float:
    """How many times slower this core is now than the quiet core, at least 1."""
    started = process_time()
    for _ in range(5):
        shanten(_HANDS)
    return max(1.0, (process_time() - started) / QUIET)
