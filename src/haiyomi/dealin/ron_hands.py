"""The kinds that drawn tenpai hands win on by ron: waits with a yaku, of hands not in furiten."""

from __future__ import annotations

import numpy as np

from haiyomi.arrays import Bools, Bytes
from haiyomi.dealin.tenpai_posterior import Reading
from haiyomi.game.player_view import PlayerView
from haiyomi.kernels.scoring import no_melds, score
from haiyomi.kernels.waits import KIND_BITS, waits
from haiyomi.tiles import kind_counts


def ron_kinds(reading: Reading, player: PlayerView, hands: Bytes) -> Bools:
    """(m, 34) the kinds that m tenpai hands (m, 34) of a player could win on by ron."""
    given = reading.given
    waited = waits(hands)
    waited[(waited & np.uint64(player.furiten_mask)) != 0] = 0
    wins: Bools = (waited[:, None] & KIND_BITS) != 0
    if given.certain_yaku:
        return wins
    # Of a kind of which hand and melds have all four, no tile is left to win on.
    shown = kind_counts([tile for meld in player.melds for tile in meld.tiles])
    wins &= hands + np.array(shown, np.uint8) < 4
    row, kind = np.nonzero(wins)
    complete = hands[row]
    complete[np.arange(len(row)), kind] += 1
    melds = no_melds(len(row))
    for place, meld in enumerate(given.melds):
        melds[:, place] = meld
    scored = score(
        complete, kind, melds=melds, round_wind=given.round_wind, seat_wind=given.seat_wind,
        rules=given.rules,
    )  # fmt: skip
    wins[row, kind] = scored.has_yaku
    return wins
