"""Kuikae (swap calling): the kinds that may not be discarded right after a call."""

from __future__ import annotations

from collections.abc import Sequence


def swap_kinds(called: int, consumed: Sequence[int]) -> tuple[int, ...]:
    """The kinds that may not be discarded right after a chi or pon: the called kind, and the
    kind that would complete the same two consumed tiles at their other end.
    """
    low, high = min(consumed), max(consumed)
    if low == high or low < called < high:
        return (called,)
    if called < low and called % 9 <= 5:
        return called, called + 3
    if called > high and called % 9 >= 3:
        return called, called - 3
    return (called,)
