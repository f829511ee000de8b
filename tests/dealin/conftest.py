"""A network of opponents with random weights, and positions of a made game."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.events import visible_to
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.networks.first_weights import first_weights
from haiyomi.networks.network import Network
from haiyomi.networks.opponents import OpponentNetwork
from haiyomi.networks.shape import OPPONENT_KINDS, OPPONENT_WHOLE, Shape, Tower
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat


@pytest.fixture(scope="session")
def random_network() -> OpponentNetwork:
    shape = Shape(Tower(16, 1), Tower(16, 1, 16, OPPONENT_KINDS, OPPONENT_WHOLE))
    rng = np.random.default_rng(4)
    noise = (rng.normal(size=shape.size) * 0.05).astype(np.float32)
    return OpponentNetwork(Network(shape, first_weights(shape, rng) + noise))


@pytest.fixture(scope="session")
def positions() -> list[Position]:
    """Some moments of one seat: its own turns with a threat, and others' turns."""
    game = demo_game()
    turns, between = [], []
    for hand in game.hands[:4]:
        fold = PositionFold(Seat(1), game.header.rules)
        for event in hand.events:
            fold.apply(visible_to(event, Seat(1)))
            position = fold.position()
            if len(position.hand) % 3 == 1 and position.order > 8:
                between.append(position)
            elif position.to_act and position.threat:
                turns.append(position)
    return turns[:: len(turns) // 8] + between[:: len(between) // 4]
