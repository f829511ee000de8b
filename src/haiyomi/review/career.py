"""How often a player wins, deals in, declares riichi and calls, beside Houou players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Literal, TypeAlias

RateName: TypeAlias = Literal["win", "deal_in", "riichi", "call", "points", "place"]
HOUOU: Final[dict[RateName, float]] = {
    "win": 0.2113,
    "deal_in": 0.1237,
    "riichi": 0.1784,
    "call": 0.3322,
    "points": 25000.0,
    "place": 2.5,
}
"""The means of all four seats over 2,404 games of Tenhou's Houou tables, 1,639 hanchan and 765
East-only games: 87,747 hands of a seat."""
FEWEST: Final = 5
"""Fewer games say too little of their own spread for an interval."""


@dataclass(frozen=True, slots=True)
class Career:
    """One seat in one game: how many ``hands``, and in how many of these it declared ``riichi``,
    ``called`` a tile, won and dealt in. ``place`` (1 to 4) and ``points`` at the end, None where
    the record does not say the final scores."""

    hands: int
    riichi: int
    called: int
    wins: int
    deal_ins: int
    place: int | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean over games: its ``value``, the standard ``error`` by game (None below two games), the
    mean of Houou players, and ``half`` of the 95% interval (None where the games are fewer than
    ``FEWEST`` or all alike). ``win``, ``deal_in``, ``riichi``, ``call``: per hand."""

    name: RateName
    value: float
    error: float | None
    houou: float
    half: float | None


_OF: Final[dict[RateName, tuple[Callable[[Career], float | None], Callable[[Career], int]]]] = {
    "win": (lambda c: c.wins, lambda c: c.hands),
    "deal_in": (lambda c: c.deal_ins, lambda c: c.hands),
    "riichi": (lambda c: c.riichi, lambda c: c.hands),
    "call": (lambda c: c.called, lambda c: c.hands),
    "points": (lambda c: c.points, lambda _: 1),
    "place": (lambda c: c.place, lambda _: 1),
}


def rates_of(careers: Sequence[Career]) -> tuple[Rate, ...]:
    """The means over some games; a mean of nothing is left out."""
    found = []
    for name, (above, below) in _OF.items():
        pairs = [(top, below(c)) for c in careers if (top := above(c)) is not None]
        total = sum(bottom for _, bottom in pairs)
        if not total:
            continue
        value = sum(top for top, _ in pairs) / total
        # The error of a ratio of two sums over games, to first order.
        n = len(pairs)
        squares = sum((top - value * bottom) ** 2 for top, bottom in pairs)
        error = sqrt(squares * n / (n - 1)) / total if n > 1 else None
        half = student_t(n - 1) * error if error and n >= FEWEST else None
        found.append(Rate(name, value, error, HOUOU[name], half))
    return tuple(found)


def student_t(freedom: int) -> float:
    """Student's t that 95% lie within, for ``freedom`` >= ``FEWEST`` - 1 degrees of freedom, to
    0.001: the expansion about 1.96 of Abramowitz and Stegun, formula 26.7.5."""
    terms = (1.959964, 2.37227, 2.82250, 2.55585, 1.58953)
    return sum(term / float(freedom) ** i for i, term in enumerate(terms))


def places_of(careers: Sequence[Career]) -> tuple[int, int, int, int]:
    """In how many games the player came first, second, third and fourth."""
    a, b, c, d = (sum(career.place == place for career in careers) for place in (1, 2, 3, 4))
    return a, b, c, d
