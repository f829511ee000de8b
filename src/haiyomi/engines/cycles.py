"""How often Python's garbage collector looks for cycles in haiyomi's own processes.

What commands and workers keep (a review's points, rows of a table) holds no cycles: searching it
again and again would take a thirtieth of a review's time, and make single decisions ten times as
long. A program that imports haiyomi keeps its own setting.
"""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (100_000, 50, 100)
"""Of ``gc.set_threshold``."""


def search_cycles_seldom() -> None:
    """Let this process look for cycles seldom."""
    gc.set_threshold(*THRESHOLDS)
