"""Drawn tenpai hands win by ron as the rules say: with a yaku, and not in furiten."""

from __future__ import annotations

import numpy as np
from forecasts import played

from haiyomi.dealin.network_model import shipped
from haiyomi.dealin.ron_hands import ron_kinds
from haiyomi.kernels.scoring import score_one
from haiyomi.kernels.waits import waits


def test_hands_drawn_without_riichi_win_with_a_yaku_as_often_as_the_risk_says() -> None:
    late = [d for seed in range(3) for d in played(seed) if d.position.draws_left < 30]
    found = shipped().read([d.position for d in late[::7]])
    silent = [
        (read, seat)
        for read in found
        for seat in (1, 2, 3)
        if read.tenpai[seat - 1] > 0.2 and not read.position.players[seat].riichi
        and read.position.players[seat].open_melds == 0
    ]  # fmt: skip
    assert len(silent) > 3
    n, moved = 1000, 0
    for read, seat in silent[:6]:
        position = read.position
        hands = read.hands_by_risk(seat, n, 3)
        wins = ron_kinds(read.rows[seat - 1], position.players[seat], hands)
        waited = (waits(hands)[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)) != 0
        furiten = np.array([position.players[seat].furiten_mask >> k & 1 for k in range(34)]) != 0
        for i in range(0, n, 50):
            for kind in np.flatnonzero(waited[i]).tolist():
                held = np.repeat(np.arange(34), hands[i]).tolist()
                yaku = score_one(
                    [*held, kind], kind, round_wind=position.round_wind,
                    seat_wind=position.seat_wind(seat), rules=position.rules,
                ).has_yaku  # fmt: skip
                assert wins[i, kind] == (yaku and not (waited[i] & furiten).any())
        rate, risk = wins.mean(axis=0), read.ron[seat - 1] / read.tenpai[seat - 1]
        drawn = rate > 0
        assert np.abs(rate - risk)[drawn].max() < 4 * np.sqrt(0.25 / n)
        assert rate[drawn].sum() > 0.9 * risk[drawn].sum() > 0
        moved += waited.mean(axis=0).sum() > 1.2 * rate.sum()
    assert moved > 0
