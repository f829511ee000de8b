"""Games of a tournament in lockstep: all open decisions of a policy are answered in one batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats
from haiyomi.errors import HaiyomiError
from haiyomi.evaluation.tournaments.entrants import (
    EV,
    MODEL,
    POLICY,
    RANDOM,
    Conditions,
    bot_of,
    improved_of,
    policy_of,
)
from haiyomi.events import Game
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.kernels.tables import new_games
from haiyomi.play.tables import recorded_game
from haiyomi.seeds import generator
from haiyomi.styles.policy_actions import policy_actions


class _ByWall:
    """Random numbers of some rows, those of each wall from a generator of its own: a game's do not
    depend on which walls are played beside its own."""

    def __init__(self, seed: int, walls: Sequence[int]) -> None:
        self.walls: NDArray[np.integer] = np.array(walls)
        """(n,) of the rows to come, ascending."""
        self._generators = {wall: generator(seed, "tournament", wall, "batch") for wall in walls}

    def random(self, size: tuple[int, ...]) -> Floats:
        """As a Generator's, for one row of each of ``walls``."""
        found = [np.zeros((0, *size[1:]))]
        for wall, n in zip(*np.unique(self.walls, return_counts=True), strict=True):
            found.append(self._generators[int(wall)].random((int(n), *size[1:])))
        return np.concatenate(found)


def can_batch(bots: Sequence[str]) -> bool:
    """Whether all of some bots answer batches: chance and policies do."""
    return all(bot == RANDOM or bot.startswith((POLICY, MODEL, EV)) for bot in map(bot_of, bots))


def play_batch(
    bots: Sequence[str],
    orders: Sequence[Sequence[int]],
    walls: Sequence[int],
    given: Conditions,
) -> list[Game]:
    """A game on each of some ``walls``, ascending; ``orders[i][seat]`` is an index of ``bots``."""
    n = len(orders)
    games = new_games(given.rules, np.full(n, given.seed), walls, keep=True)
    names = [bot_of(bot) for bot in bots]
    distinct = list(dict.fromkeys(names))
    at, wall = np.array([distinct.index(name) for name in names])[np.array(orders)], np.array(walls)
    rng = _ByWall(given.seed, walls)
    while True:
        tables, seats = games.pending()
        if not len(tables):
            break
        legal = games.legal()
        records = games.records(1).view(DECISION)[:, 0]
        actions = np.zeros(len(legal), np.uint8)
        for bot, name in enumerate(distinct):
            rows = np.flatnonzero(at[tables, seats] == bot)
            rng.walls = wall[tables[rows]]
            if len(rows):
                actions[rows] = _actions(name, records[rows], legal[rows], given, rng)
        games.answer(actions, 1)
    found = [recorded_game(games, i, given.rules) for i in range(n)]
    if any(game is None for game in found):
        raise HaiyomiError("a game of the batch has not ended")
    return [game for game in found if game is not None]


def _actions(
    name: str, records: Decisions, legal: Bools, given: Conditions, rng: _ByWall
) -> NDArray[np.integer]:
    """The actions of a bot at some decisions."""
    if name == RANDOM:
        return np.asarray((rng.random(legal.shape) * legal).argmax(axis=1))
    draws = rng if given.temperature > 0 else None
    if name.startswith(EV):
        return improved_of(name).actions(records, legal, given.rules, given.temperature, draws)
    policy, style = policy_of(name)
    return policy_actions(policy, records, legal, policy.style(style), given.temperature, draws)
