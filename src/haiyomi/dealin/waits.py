"""The 113 waits of the paper (section 4), in the order of the core's ``wait_forms``.

A *wait* is the part of a tenpai hand that the winning tile completes: **two-sided** (ryanmen,
45 waiting on 3 and 6; also nobetan, 4567 waiting on 4 and 7), **edge or closed** (penchan 12
waiting on 3, kanchan 13 waiting on 2), **shanpon** (one of two pairs becoming a triplet),
**single** (tanki, one tile becoming the pair). Thirteen orphans are left out, as published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from haiyomi.tiles import Kind, kind_name

WaitShape: TypeAlias = Literal["two-sided", "edge-closed", "shanpon", "single"]
SHAPES: tuple[WaitShape, ...] = ("two-sided", "edge-closed", "shanpon", "single")
N_WAITS = 113
N_LOCAL = 33
"""Waits of one suit: 6 two-sided, 9 edge or closed, 9 shanpon pairs, 9 single."""


@dataclass(frozen=True, slots=True)
class Wait:
    """``held`` are the kinds that the wait's part consists of, ``wins`` those completing it.

    ``suit`` 0-2 and ``local`` 0-32 place it among the waits of one suit; honours have
    ``suit`` 3 and ``local`` -1.
    """

    shape: WaitShape
    held: tuple[Kind, ...]
    wins: tuple[Kind, ...]
    suit: int
    local: int

    def __str__(self) -> str:
        return f"{self.shape} {'-'.join(kind_name(k) for k in self.wins)}"


def _kinds(*numbers: int) -> tuple[Kind, ...]:
    return tuple(Kind(n) for n in numbers)


def _all_waits() -> tuple[Wait, ...]:
    waits: list[Wait] = []
    for suit in range(3):
        for a in range(6):
            k = 9 * suit + a
            waits.append(Wait("two-sided", _kinds(k + 1, k + 2), _kinds(k, k + 3), suit, a))
    for suit in range(3):
        for i in range(9):
            k = 9 * suit + i
            if i == 0:
                held, win = _kinds(k, k + 1), k + 2
            elif i == 8:
                held, win = _kinds(k - 1, k), k - 2
            else:
                held, win = _kinds(k - 1, k + 1), k
            waits.append(Wait("edge-closed", held, _kinds(win), suit, 6 + i))
    for kind in range(34):
        local = 15 + kind % 9 if kind < 27 else -1
        waits.append(Wait("shanpon", _kinds(kind, kind), _kinds(kind), kind // 9, local))
    for kind in range(34):
        local = 24 + kind % 9 if kind < 27 else -1
        waits.append(Wait("single", _kinds(kind), _kinds(kind), kind // 9, local))
    return tuple(waits)


WAITS: tuple[Wait, ...] = _all_waits()
SHAPE_SLICES: dict[WaitShape, slice] = {
    "two-sided": slice(0, 18),
    "edge-closed": slice(18, 45),
    "shanpon": slice(45, 79),
    "single": slice(79, 113),
}
TWO_SIDED_MASKS: tuple[int, ...] = tuple(sum(1 << k for k in wait.wins) for wait in WAITS[:18])
"""Both winning kinds of each two-sided wait, as bit masks."""


def live_suji(furiten_mask: int) -> int:
    """l of (26): how many of the 18 two-sided waits have no furiten tile, 0-18."""
    return [mask & furiten_mask for mask in TWO_SIDED_MASKS].count(0)
