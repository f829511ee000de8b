"""How often a tenpai opponent cannot win by ron: it is furiten, or no wait gives it a yaku."""

from __future__ import annotations

import numpy as np

from haiyomi.dealin.posterior_opponents import PosteriorOpponents
from haiyomi.kernels.scoring import no_melds, score
from haiyomi.kernels.waits import waits
from haiyomi.tiles import kind_counts


def without_ron(found: PosteriorOpponents, seat: int, n: int, seed: int) -> float:
    """P(no tile can be won on | tenpai) of a relative seat, by ``n`` hands drawn from its
    posterior; 0 where it cannot be tenpai."""
    reading = found.rows[seat - 1]
    given = reading.given
    hands = reading.posterior.sample(n, seed)
    if not len(hands):
        return 0.0
    waited = waits(hands)
    furiten = (waited & np.uint64(given.furiten)) != 0
    if given.certain_yaku:
        return float(furiten.mean())
    row, kind = np.nonzero(waited[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1))
    shown = [tile for meld in found.position.players[seat].melds for tile in meld.tiles]
    # Of a kind of which hand and melds have all four, no tile is left to win on.
    left = hands[row, kind] + np.array(kind_counts(shown), np.uint8)[kind] < 4
    row, kind = row[left], kind[left]
    complete = hands[row]
    complete[np.arange(len(row)), kind] += 1
    melds = no_melds(len(row))
    for place, meld in enumerate(given.melds):
        melds[:, place] = meld
    scored = score(
        complete,
        kind,
        melds=melds,
        round_wind=given.round_wind,
        seat_wind=given.seat_wind,
        rules=given.rules,
    )
    able = np.zeros(len(hands), np.bool_)
    able[row[scored.has_yaku]] = True
    return float((furiten | ~able).mean())
