"""How much a seat gave up in a hand or a game: expected value a decision, with its error.

Every game gives something up, also one without a fault: the best of several forecasts is too good.
So a score is compared with those of strong players, which the same forecast made.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import sqrt
from pathlib import Path
from typing import Any, Final

from haiyomi.review.decisions import HandReview, ReviewedDecision
from haiyomi.review.verdicts import Verdict

Judged = tuple[HandReview, ReviewedDecision, Verdict]
REAL_SHARE: Final = 0.05
"""The share of strong players who would call from which passing is a choice that counts."""
LEAST: Final = 30
"""A score of fewer decisions, as of a player who was away, is not compared with whole games."""
TABLE: Final = Path(__file__).with_name("houou.json")


@dataclass(frozen=True, slots=True)
class ReviewScore:
    """Of some decisions: their number, what was given up for each (``cost`` in points, ``error``
    its standard error, ``value`` of the placement, None where no place is known), and how often the
    best option was taken. ``better_than``: the share of strong players' games that gave up more,
    None where there are no figures to compare with, and for fewer than LEAST decisions."""

    decisions: int
    cost: float
    error: float
    value: float | None
    agreement: float
    better_than: float | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of ``cost``."""
        return max(0.0, self.cost - 1.96 * self.error), self.cost + 1.96 * self.error


def counts(decision: ReviewedDecision, verdict: Verdict) -> bool:
    """Whether a decision was a real choice: every one but a pass where next to nobody calls."""
    if decision.done.act != "pass" or not verdict.agrees:
        return True
    return 1 - (verdict.taken.share or 0.0) >= REAL_SHARE


def score_of(judged: Iterable[Judged], rounds: int | None = None) -> ReviewScore | None:
    """The score of some judged decisions; None without one. ``rounds`` of the game, where it is to
    be compared with those of strong players. The error is that of a ratio of sums over hands."""
    real = [each for each in judged if counts(each[1], each[2])]
    if not real:
        return None
    n = len(real)
    costs = [_given_up(verdict) for _, _, verdict in real]
    mean = sum(costs) / n
    values = [v.part * v.value for _, _, v in real if v.value is not None and v.plan is None]
    return ReviewScore(
        n,
        mean,
        _error(real, mean),
        sum(values) / n if values else None,
        sum(verdict.agrees for _, _, verdict in real) / n,
        None if rounds is None or n < LEAST else better_than(mean, rounds),
    )


def _given_up(verdict: Verdict) -> float:
    """In points; nothing where an earlier decision carries the plan."""
    return verdict.cost if verdict.plan is None else 0.0


def _error(real: Sequence[Judged], mean: float) -> float:
    """By the spread of these hands, or that of strong players' hands where it is larger: a few
    decisions cost most, and a game that has none of them has a small spread as well."""
    hands = [[v for _, _, v in group] for _, group in groupby(real, key=lambda each: each[0].index)]
    h = len(hands)
    squares = sum((sum(map(_given_up, hand)) - mean * len(hand)) ** 2 for hand in hands)
    own = squares / (h - 1) if h > 1 else 0.0
    return sqrt(h * max(own, hand_spread() ** 2)) / len(real)


def better_than(cost: float, rounds: int) -> float | None:
    """The share of strong players' games of this length that gave up more a decision; None for a
    length without figures."""
    quantiles = houou().get(rounds)
    if quantiles is None:
        return None
    at = bisect_left(quantiles, cost)
    if at in (0, len(quantiles)):
        return 1.0 if at == 0 else 0.0
    low, high = quantiles[at - 1], quantiles[at]
    part = (cost - low) / (high - low) if high > low else 0.0
    return 1 - (at - 1 + part) / (len(quantiles) - 1)


def houou() -> dict[int, tuple[float, ...]]:
    """By the rounds of a game the quantiles of what games of Tenhou's Houou table gave up a
    decision, ascending and evenly spaced, from the least to the most."""
    return {int(rounds): tuple(row) for rounds, row in _table()["quantiles"].items()}


def hand_spread() -> float:
    """The standard deviation of what such players give up in a hand, in points, about as much for
    each decision."""
    spread: float = _table()["hand spread"]
    return spread


@cache
def _table() -> Any:
    return json.loads(TABLE.read_text(encoding="utf-8"))
