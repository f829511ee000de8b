"""The compiled table and the Python table, played side by side by the same players.

    PYTHONPATH=tests python -m play.same_table random|policy --hands N --log FILE [--seed N]

compares whole games event for event, a batch at a time, and appends a line for each batch to the
log, so that a run may stop and go on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from numpy.random import Generator
from play import python_table
from play.at_random import play_at_random

from haiyomi._core import Tables
from haiyomi.events import Event, Game, Hand, Header
from haiyomi.kernels.tables import new_games, recorded_hands
from haiyomi.play.actions import action_of
from haiyomi.play.copies import copies_of
from haiyomi.play.player import Choice, Options, Player
from haiyomi.rules import MAHJONG_SOUL, TENHOU, Ruleset
from haiyomi.seeds import generator
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import shipped_policy
from haiyomi.styles.self_play import play_out
from haiyomi.tiles import Seat

BATCH: Final = 20
MakePlayer = Callable[[int, int, Seat, Ruleset], Player]
"""(seed, game, seat, rules) -> a player of the Python table."""


class Uniform:
    """Takes each action with the same probability, in the order of their numbers."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng

    def observe(self, event: Event) -> None:
        pass

    def act(self, options: Options) -> Choice:
        choices = sorted(options.choices, key=action_of)
        return choices[int(self.rng.random() * len(choices))]


def uniform(seed: int, number: int, seat: Seat, rules: Ruleset) -> Player:
    return Uniform(generator(seed, "random", number, seat))


def imitator(seed: int, number: int, seat: Seat, rules: Ruleset) -> Player:
    """One that samples from the shipped policy."""
    rng = generator(seed, "imitated", number, seat)
    return Imitator(seat, shipped_policy(), rng, None, 1.0, rules)


def python_game(seed: int, number: int, rules: Ruleset, make: MakePlayer = uniform) -> Game:
    players = [make(seed, number, Seat(s), rules) for s in range(4)]
    return python_table.python_game(players, seed, number, rules)


def core_games(
    seed: int, first: int, n: int, rules: Ruleset, threads: int = 1, make: MakePlayer = uniform
) -> list[Game]:
    """The same games at the compiled table."""
    tables = new_games(rules, [seed] * n, list(range(first, first + n)), keep=True)
    if make is imitator:
        play_out(tables, shipped_policy(), threads=threads)
    else:
        play_at_random(tables, seed, first, threads)
    return games_of(tables, rules)


def games_of(tables: Tables, rules: Ruleset) -> list[Game]:
    """What was played at some tables."""
    _, scores = tables.standings()
    games = []
    for i in range(len(tables)):
        hands = tuple(
            Hand(events, copies_of(events, wall, rules.red_fives))
            for events, wall in recorded_hands(tables, i)
        )
        a, b, c, d = scores[i].tolist()
        games.append(Game(Header(("",) * 4, rules, (a, b, c, d)), hands))
    return games


def compare(seed: int, first: int, n: int, rules: Ruleset, make: MakePlayer) -> int:
    """How many hands were equal. Raises AssertionError at the first that is not."""
    hands = 0
    for number, game in enumerate(core_games(seed, first, n, rules, make=make), first):
        other = python_game(seed, number, rules, make)
        for place, (mine, theirs) in enumerate(zip(game.hands, other.hands, strict=True)):
            assert mine == theirs, f"seed {seed}, game {number}, hand {place}"
            assert mine.copies == theirs.copies, f"seed {seed}, game {number}, hand {place}"
        assert game == other
        hands += len(game.hands)
    return hands


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", choices=("random", "policy"))
    parser.add_argument("--hands", type=int, required=True)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    make = uniform if given.players == "random" else imitator
    lines = given.log.read_text().splitlines() if given.log.exists() else []
    hands = sum(json.loads(line)["hands"] for line in lines)
    for batch in range(len(lines), 10**9):
        if hands >= given.hands:
            break
        began = time.process_time()
        rules = MAHJONG_SOUL if batch % 4 == 3 else TENHOU
        equal = compare(given.seed, batch * BATCH, BATCH, rules, make)
        hands += equal
        line = {
            "players": given.players, "rules": rules.name, "first": batch * BATCH, "games": BATCH,
            "hands": equal, "seconds": round(time.process_time() - began, 2),
        }  # fmt: skip
        with given.log.open("a") as log:
            log.write(json.dumps(line) + "\n")
    print(f"{hands} hands are equal")


if __name__ == "__main__":
    main()
