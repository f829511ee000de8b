"""How often Python's garbage collector runs in haiyomi's own processes.

It looks for objects that refer to each other in a cycle. What commands and workers keep (a review's
points, rows of a table) holds none, and to look again and again takes some 4% of a review's time,
and makes single decisions ten times as long. A program that imports haiyomi keeps its own setting.
"""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (100_000, 50, 100)
"""Of ``gc.set_threshold``."""


def collect_seldom() -> None:
    """Let the garbage collector of this process run seldom."""
    gc.set_threshold(*THRESHOLDS)
