"""Parts of payloads: probabilities, distributions, the expected place."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.json_types import Json


def probability(value: float) -> float:
    """Without the last bits by which a sum may leave 0 to 1."""
    return min(max(value, 0.0), 1.0)


def distribution(values: Sequence[int], probabilities: Sequence[float]) -> list[Json]:
    """A discrete distribution."""
    return [
        {"value": value, "probability": probability(p)}
        for value, p in zip(values, probabilities, strict=True)
    ]


def average_place(places: Sequence[float]) -> float:
    """The expected place, 1 to 4."""
    return float(sum(place * p for place, p in enumerate(places, 1)))
