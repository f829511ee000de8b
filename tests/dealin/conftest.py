"""A network of opponents with random weights, and positions of a made game."""

from __future__ import annotations

import pytest
from made_networks import OPPONENTS, made_network

from haiyomi.events import visible_to
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.networks.opponents import OpponentNetwork
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat


@pytest.fixture(scope="session")
def random_network() -> OpponentNetwork:
    return OpponentNetwork(made_network(OPPONENTS, 4))


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
            if len(position.hand) % 3 == 1 and position.discards_made > 8:
                between.append(position)
            elif position.to_act and position.threat:
                turns.append(position)
    return turns[:: len(turns) // 8] + between[:: len(between) // 4]
