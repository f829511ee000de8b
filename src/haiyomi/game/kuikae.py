"""Kuikae (swap calling): the kinds that may not be discarded right after a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from haiyomi.tiles import Kind

if TYPE_CHECKING:
    from haiyomi.game.position import Position


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


def swapped_kinds(position: Position) -> tuple[Kind, ...]:
    """Kinds that may not be discarded now, right after a call (*kuikae*)."""
    melds = position.players[0].melds
    if not position.to_act or position.drawn is not None or not melds:
        return ()
    meld = melds[-1]
    if meld.called is None or meld.kind not in ("chi", "pon"):
        return ()
    consumed = [tile.kind for tile in meld.tiles]
    consumed.remove(meld.called.kind)
    return tuple(Kind(k) for k in swap_kinds(meld.called.kind, consumed))
