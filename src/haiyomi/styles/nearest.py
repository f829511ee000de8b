"""One player among the classes, in plain Python: to show one player, no NumPy is loaded.

The same numbers to the last bit as ``classes`` and ``statistics`` compute for one row of sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from haiyomi.styles.classes import Scaler, StyleClasses


def trust_of(scaler: Scaler, occasions: Sequence[float]) -> list[float]:
    """``Scaler.trust`` of one player."""
    return [n / (n + prior) for n, prior in zip(occasions, scaler.prior, strict=True)]


def place_of(
    scaler: Scaler, values: Sequence[float | None], occasions: Sequence[float]
) -> list[float]:
    """``Scaler.place`` of one player; None for a missing statistic."""
    away = [0.0 if v is None else v - m for v, m in zip(values, scaler.mean, strict=True)]
    if scaler.scaling == "raw":
        return away
    away = [a / scale for a, scale in zip(away, scaler.scale, strict=True)]
    if scaler.scaling == "standardised":
        return away
    return [a * t for a, t in zip(away, trust_of(scaler, occasions), strict=True)]


def distances_of(classes: StyleClasses, place: Sequence[float]) -> list[float]:
    """``StyleClasses.distances`` of one place."""
    return [
        sqrt(_added([(p - c) * (p - c) for p, c in zip(place, centre, strict=True)]))
        for centre in classes.centres
    ]


def _added(numbers: Sequence[float]) -> float:
    """The sum of 8 to 128 numbers, added in NumPy's order: eight sums side by side, then those in
    pairs, then what is left."""
    whole = len(numbers) // 8 * 8
    a, b, c, d, e, f, g, h = numbers[:8]
    for i in range(8, whole, 8):
        a, b, c, d = a + numbers[i], b + numbers[i + 1], c + numbers[i + 2], d + numbers[i + 3]
        e, f, g, h = e + numbers[i + 4], f + numbers[i + 5], g + numbers[i + 6], h + numbers[i + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for number in numbers[whole:]:
        total += number
    return total
