"""What each opponent may hold, for many positions at once."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.analysis.models import Models
from haiyomi.analysis.value import check_samples
from haiyomi.errors import check_type
from haiyomi.game.position import Position
from haiyomi.reading.answer import HandReading, read_opponents
from haiyomi.reading.model import OpponentsKnown


def read_hands(
    position: Position, samples: int = 5, seed: int = 0, models: Models | None = None
) -> tuple[HandReading, HandReading, HandReading]:
    """What each opponent may hold, next to act first, with ``samples`` hands drawn of each.

    The same position, models and seed give the same samples. Those of an opponent in riichi are
    tenpai hands of the posterior, which win on each kind as often as its risk says. Raises
    ArgumentError for what is no Position, ``samples`` that are not 0 to 10,000 and a ``seed``
    that is not 0 to 2**64 - 1, and ModelError where a shipped model cannot be loaded.
    """
    check_type(position, "read_hands", Position)
    check_samples(samples)
    if models is not None:
        check_type(models, "read_hands(models=...)", Models)
    return hidden_hands_of(models or Models(), [position], None, samples, seed)[0]


def hidden_hands_of(
    models: Models,
    positions: Sequence[Position],
    opponents: Sequence[OpponentsKnown] | None,
    samples: int,
    seed: int,
    likeliest: bool = True,
) -> list[tuple[HandReading, HandReading, HandReading]]:
    """The three opponents' hands at each position; ``opponents``: what the deal-in model has
    worked out about them, which the model of hands may take; ``likeliest``: with the
    single most probable hand."""
    tenpai = models.tenpai_hands if samples else None
    return read_opponents(
        positions, models.hidden_hands, opponents or (), samples, seed, tenpai, likeliest
    )
