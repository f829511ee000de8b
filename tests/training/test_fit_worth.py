"""The mean points of classes of worth, measured on games that the package plays."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.joint import WORTH_BASES
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.training.fit_worth import add_payments


def test_limit_hands_pay_their_points_and_each_win_counts_once() -> None:
    sums = np.zeros((2, len(WORTH_BASES), 3))
    hands = np.zeros((2, len(WORTH_BASES), 2), np.int64)
    games = [(str(seed), simulate_rule_players(3, seed)) for seed in range(6)]
    rows, labels = decode_games(pack_games(games))
    add_payments(rows, labels, sums, hands)
    won = labels[np.bitwise_count(labels["winners"]) == 1]
    won = won[won["worth"] > 0]
    assert hands.sum() == len({(row["game"], row["hand"]) for row in won})
    for deals, ron, dealer, other in ((0, 8000, 4000, 2000), (1, 12000, 0, 4000)):
        by_ron, by_tsumo = hands[deals, 4]
        assert by_ron + by_tsumo > 0
        assert sums[deals, 4].tolist() == [ron * by_ron, dealer * by_tsumo, other * by_tsumo]
