"""How often a tenpai opponent cannot win by ron: it is furiten, or no wait gives it a yaku."""

from __future__ import annotations

from haiyomi.dealin.posterior_opponents import PosteriorOpponents
from haiyomi.dealin.ron_hands import ron_kinds


def without_ron(found: PosteriorOpponents, seat: int, n: int, seed: int) -> float:
    """P(no tile can be won on | tenpai) of a relative seat, by ``n`` hands drawn from its
    posterior; 0 where it cannot be tenpai."""
    reading = found.rows[seat - 1]
    hands = reading.posterior.sample(n, seed)
    if not len(hands):
        return 0.0
    able = ron_kinds(reading, found.position.players[seat], hands).any(axis=1)
    return float((~able).mean())
