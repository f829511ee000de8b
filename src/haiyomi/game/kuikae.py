"""Kuikae (swap calling): what may not be discarded right after a call."""

from __future__ import annotations

from collections.abc import Sequence


def swap_kinds(called: int, consumed: Sequence[int]) -> tuple[int, ...]:
    """What may not be discarded right after a chi or pon: the called kind, and the other end of
    the run that a called end tile shares with the two consumed ones.
    """
    low, high = min(consumed), max(consumed)
    if low == high or low < called < high:
        return (called,)
    if called < low and called % 9 <= 5:
        return called, called + 3
    if called > high and called % 9 >= 3:
        return called, called - 3
    return (called,)
