"""Equations (6)-(9) as they stand: memoised dictionaries over tuples of counts, no cleverness.

Shanten comes from the definition: the fewest tiles that turn the hand into a winning one are
found by trying every draw. It shares no code with the kernel but the scorer of one hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

Hand = tuple[int, ...]
DECK = 34


def _sets(hand: Hand, sets: int) -> bool:
    first = next((k for k in range(DECK) if hand[k]), None)
    if first is None:
        return sets == 0
    if sets == 0:
        return False
    for kinds in ([first] * 3, [first, first + 1, first + 2]):
        run = kinds[0] != kinds[1]
        if run and (first >= 27 or first % 9 > 6):
            continue
        left = list(hand)
        for kind in kinds:
            left[kind] -= 1
        if min(left) >= 0 and _sets(tuple(left), sets - 1):
            return True
    return False


@cache
def complete(hand: Hand) -> bool:
    """Four sets and a pair less melds, seven pairs, or thirteen orphans."""
    tiles = sum(hand)
    for pair in range(DECK):
        if hand[pair] >= 2:
            left = list(hand)
            left[pair] -= 2
            if _sets(tuple(left), (tiles - 2) // 3):
                return True
    if tiles != 14:
        return False
    if all(n in (0, 2) for n in hand):
        return True
    orphans = [k for k in range(DECK) if k >= 27 or k % 9 in (0, 8)]
    return all(hand[k] for k in orphans) and sum(hand[k] for k in orphans) == 14


def changed(hand: Hand, kind: int, by: int) -> Hand:
    return (*hand[:kind], hand[kind] + by, *hand[kind + 1 :])


@cache
def within(hand: Hand, draws: int) -> bool:
    """Whether so many draws (and as many discards) can complete a hand of 3k + 1 tiles."""
    nexts = [changed(hand, k, 1) for k in range(DECK) if hand[k] < 4]
    if any(complete(after) for after in nexts):
        return True
    if draws == 1:
        return False
    return any(
        within(changed(after, k, -1), draws - 1) for after in nexts for k in range(DECK) if after[k]
    )


@cache
def shanten(hand: Hand) -> int:
    """-1 complete, 0 tenpai, by trying; at most 2 are tried for."""
    if sum(hand) % 3 == 2:
        if complete(hand):
            return -1
        return min(shanten(changed(hand, k, -1)) for k in range(DECK) if hand[k])
    for draws in (1, 2, 3):
        if within(hand, draws):
            return draws - 1
    raise ValueError("further than 2-shanten")


@dataclass
class SlowTable:
    """Values of the graph of useful edges, from a root; the wall's denominators by turn.

    ``live``: copies of each kind unseen at the root. ``pay(hand, kind)``: points of a win, or
    None where every win counts as one. A tile that does not help is thrown again.
    """

    live: tuple[int, ...]
    wall: tuple[float, ...]
    root: Hand
    pay: Callable[[Hand, int], float] | None = None
    last: int = 18
    distance: Callable[[Hand], int] = shanten
    _win: dict[tuple[Hand, int], float] = field(default_factory=dict)

    def left(self, hand: Hand, kind: int) -> int:
        return max(self.live[kind] - max(hand[kind] - self.root[kind], 0), 0)

    def draws(self, hand: Hand, turn: int) -> float:
        """p or s of a hand of 3k + 1 tiles right after a turn's discard, (6), (8)."""
        key = (hand, turn)
        if key not in self._win:
            self._win[key] = self._draws(hand, turn)
        return self._win[key]

    def _draws(self, hand: Hand, turn: int) -> float:
        if turn == self.last:
            return 0.0
        stay = self.draws(hand, turn + 1)
        distance = self.distance(hand)
        gain = tiles = 0.0
        for kind in range(DECK):
            weight = self.left(hand, kind)
            if weight == 0 or hand[kind] == 4:
                continue
            after = changed(hand, kind, 1)
            if self.distance(after) != distance - 1:
                continue
            value = self.discards(after, turn + 1, kind)
            if value > stay:
                gain += weight * (value - stay)
                tiles += weight
        wall = self.wall[turn - 1]
        return 0.0 if tiles > wall else stay + gain / wall

    def discards(self, hand: Hand, turn: int, drawn: int) -> float:
        if complete(hand):
            return 1.0 if self.pay is None else self.pay(hand, drawn)
        distance = self.distance(hand)
        return max(
            self.draws(after, turn)
            for after in (changed(hand, k, -1) for k in range(DECK) if hand[k])
            if self.distance(after) == distance
        )
