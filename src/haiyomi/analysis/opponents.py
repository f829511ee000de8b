"""What one seat may say of each opponent at any moment of a hand: tenpai, shanten, tiles, risks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.deal_in import risks_at
from haiyomi.analysis.hidden_hands import hidden_hands_of
from haiyomi.analysis.models import Models
from haiyomi.arrays import Floats
from haiyomi.dealin.answer import TileRisk
from haiyomi.dealin.posterior_opponents import PosteriorOpponents
from haiyomi.dealin.without_ron import without_ron
from haiyomi.game.position import Position
from haiyomi.reading.answer import HandReading
from haiyomi.tiles import N_KINDS, TILES

SAMPLES: Final = 256
"""Hands drawn of each opponent for its shanten."""
TENPAI_SAMPLES: Final = 1024
"""Tenpai hands drawn of each opponent for whether it can win by ron."""
SEED: Final = 0
MOST_SHANTEN: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class Opponent:
    """One opponent as the viewer sees it.

    ``risks``: of discarding each of the 34 plain kinds. ``shanten`` (7,): P(0) is that of tenpai by
    the deal-in model; 1 to 6 share the rest as the drawn hands do that are not tenpai.
    ``without_ron``: P(furiten or without a yaku | tenpai), None where the deal-in model has no
    tenpai hands. ``hand``: what it may hold.
    """

    risks: tuple[TileRisk, ...]
    shanten: Floats
    without_ron: float | None
    hand: HandReading


def opponents_at(models: Models, position: Position) -> tuple[Opponent, Opponent, Opponent]:
    """The opponents at a position, next to act first. Raises ModelError where a shipped model
    cannot be loaded."""
    (read,) = models.deal_in.read([position])
    risks = risks_at(read, TILES[:N_KINDS])
    (hands,) = hidden_hands_of(models, [position], [read], SAMPLES, SEED, likeliest=False)
    a, b, c = (
        Opponent(
            tuple(choice.by_opponent[r] for choice in risks.choices),
            shanten_shares(risks.tenpai[r], hands[r].shanten),
            without_ron(read, r + 1, TENPAI_SAMPLES, SEED)
            if isinstance(read, PosteriorOpponents)
            else None,
            hands[r],
        )
        for r in range(3)
    )
    return a, b, c


def shanten_shares(tenpai: float, drawn: NDArray[np.int8]) -> Floats:
    """(7,) P of each shanten: ``tenpai`` of 0, the rest as the hands ``drawn`` that are farther."""
    far = np.minimum(drawn[drawn > 0], MOST_SHANTEN)
    counts = np.bincount(far, minlength=MOST_SHANTEN + 1).astype(np.float64)
    if not len(far):
        counts[1] = 1.0
    out: Floats = (1.0 - tenpai) * counts / counts.sum()
    out[0] = tenpai
    return out
