"""Decision records of made games, and networks with random weights."""

from __future__ import annotations

import numpy as np
import pytest
from made_networks import made_network
from training.policy_rows import game_rows

from haiyomi.game.decision_record import Decisions
from haiyomi.networks.network import Network
from haiyomi.networks.shape import (
    OPPONENT_KINDS,
    OPPONENT_WHOLE,
    POLICY_KINDS,
    POLICY_WHOLE,
    Shape,
    Tower,
)
from haiyomi.play.rule_games import simulate_rule_players

SHAPE = Shape(
    Tower(32, 2, 16, POLICY_KINDS, POLICY_WHOLE), Tower(16, 1, 16, OPPONENT_KINDS, OPPONENT_WHOLE)
)


@pytest.fixture(scope="session")
def records() -> Decisions:
    return np.concatenate(
        [game_rows(str(i), simulate_rule_players(3, i)).decisions for i in range(2)]
    )


@pytest.fixture(scope="session")
def network() -> Network:
    return made_network(SHAPE, 1)
