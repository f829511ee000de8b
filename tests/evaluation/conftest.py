"""A game to measure on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from haiyomi.events import Game
from haiyomi.play.rule_games import simulate_rule_players


@pytest.fixture(scope="session")
def game() -> Game:
    """A hanchan of rule-based players."""
    return simulate_rule_players(5, 5)


@pytest.fixture(scope="session")
def two_hands(game: Game) -> Game:
    """Its first two hands."""
    return replace(game, hands=game.hands[:2])
