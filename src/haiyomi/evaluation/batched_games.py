"""Games of a tournament in lockstep: all open decisions of a policy are answered in one batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError
from haiyomi.evaluation.entrants import MODEL, POLICY, RANDOM, Conditions, bot_of, policy_of
from haiyomi.events import Game
from haiyomi.game.decision_record import DECISION
from haiyomi.kernels.tables import Games, new_games
from haiyomi.play.tables import recorded_game
from haiyomi.seeds import generator
from haiyomi.styles.policy_actions import policy_actions


def can_batch(bots: Sequence[str]) -> bool:
    """Whether all of some bots answer batches: chance and policies do."""
    return all(bot == RANDOM or bot.startswith((POLICY, MODEL)) for bot in map(bot_of, bots))


def play_batch(
    bots: Sequence[str], orders: Sequence[Sequence[int]], wall: int, given: Conditions
) -> list[Game]:
    """A wall's game for each order; ``orders[i][seat]`` is an index of ``bots``."""
    n = len(orders)
    games = new_games(given.rules, np.full(n, given.seed), np.full(n, wall), keep=True)
    rng = generator(given.seed, "tournament", wall, "batch")
    at = np.array(orders)
    while True:
        tables, seats = games.pending()
        if not len(tables):
            break
        games.answer(_answers(bots, at[tables, seats], games, given, rng), 1)
    found = [recorded_game(games, i, given.rules) for i in range(n)]
    if any(game is None for game in found):
        raise HaiyomiError("a game of the batch has not ended")
    return [game for game in found if game is not None]


def _answers(
    bots: Sequence[str],
    deciding: NDArray[np.integer],
    games: Games,
    given: Conditions,
    rng: Generator,
) -> NDArray[np.uint8]:
    """The action of each open decision; ``deciding`` (m,) are indices of ``bots``."""
    legal = games.legal()
    records = games.records(1).view(DECISION)[:, 0]
    actions = np.zeros(len(legal), np.uint8)
    for bot in range(len(bots)):
        rows = np.flatnonzero(deciding == bot)
        name = bot_of(bots[bot])
        if not len(rows):
            continue
        if name == RANDOM:
            actions[rows] = (rng.random(legal[rows].shape) * legal[rows]).argmax(axis=1)
            continue
        policy, style = policy_of(name)
        actions[rows] = policy_actions(
            policy, records[rows], legal[rows], policy.style(style), given.temperature, rng
        )
    return actions
