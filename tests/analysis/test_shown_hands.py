"""Hands shown of an opponent in riichi win on each tile as often as the risk shown beside them."""

from __future__ import annotations

import numpy as np

from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.analysis.models import Models
from haiyomi.events import visible_to
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.kernels.waits import waits
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat

SAMPLES = 800


def facing_riichi() -> list[Position]:
    """Some positions of the bundled game in which somebody else is in riichi."""
    game = demo_game()
    found = []
    for hand in game.hands:
        fold = PositionFold(Seat(0), game.header.rules)
        for event in hand.events:
            fold.apply(visible_to(event, Seat(0)))
            position = fold.position()
            if position.to_act and any(p.riichi_index is not None for p in position.players[1:]):
                found.append(position)
    return found[:: max(1, len(found) // 6)]


def test_samples_agree_with_the_risk_beside_them() -> None:
    models = Models()
    compared = 0
    for position in facing_riichi():
        read = models.deal_in.read([position])[0]
        risk = read.chances()
        for seat, reading in enumerate(read_hands(position, SAMPLES, 3, models), start=1):
            player = position.players[seat]
            if player.riichi_index is None:
                continue
            assert reading.given == "tenpai"
            won = waits(reading.samples)[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)
            wins = won.astype(bool)
            furiten = np.array([bool(player.furiten_mask >> k & 1) for k in range(34)])
            wins &= ~(wins & furiten).any(axis=1, keepdims=True)
            p = risk[seat - 1]
            error = np.sqrt(p * (1 - p) / SAMPLES)
            held = np.array(sorted({t.kind for t in position.hand}))
            likely = held[p[held] > 0.005]
            off = np.abs(wins.mean(axis=0) - p)[likely]
            assert (off <= 5 * error[likely] + 0.01).all()
            compared += len(likely)
    assert compared > 20
