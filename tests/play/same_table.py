"""The compiled table and the Python table, played side by side by the same players.

    python -m play.same_table random|policy GAMES [--first N] [--seed N]

compares whole games event for event, and appends one line a batch to a log, so that a long run
may stop and go on.
"""

from __future__ import annotations

from numpy.random import Generator
from play import python_table

from haiyomi.events import Event, Game, Hand, Header
from haiyomi.kernels.tables import new_games, recorded_hands
from haiyomi.play.actions import action_of
from haiyomi.play.copies import copies_of
from haiyomi.play.player import Choice, Options
from haiyomi.rules import Ruleset
from haiyomi.seeds import generator


class Uniform:
    """Takes each action with the same probability, in the order of their numbers."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng

    def observe(self, event: Event) -> None:
        pass

    def act(self, options: Options) -> Choice:
        choices = sorted(options.choices, key=action_of)
        return choices[int(self.rng.random() * len(choices))]


def python_game(seed: int, number: int, rules: Ruleset) -> Game:
    players = [Uniform(generator(seed, "random", number, s)) for s in range(4)]
    return python_table.python_game(players, seed, number, rules)


def core_games(seed: int, first: int, n: int, rules: Ruleset, threads: int = 1) -> list[Game]:
    numbers = range(first, first + n)
    tables = new_games(rules, [seed] * n, list(numbers), keep=True)
    tables.play_at_random(threads)
    _, scores = tables.standings()
    games = []
    for i in range(n):
        hands = tuple(
            Hand(events, copies_of(events, wall, rules.red_fives))
            for events, wall in recorded_hands(tables, i)
        )
        a, b, c, d = scores[i].tolist()
        games.append(Game(Header(("",) * 4, rules, (a, b, c, d)), hands))
    return games
