"""Many games of rule-based players, in parallel, the same whatever the number of processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from haiyomi.events import Game
from haiyomi.play.match import play_game
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.style import BALANCED, Style
from haiyomi.play.wall import stream
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import Seat

NAMES = ("haiyomi-1", "haiyomi-2", "haiyomi-3", "haiyomi-4")


def simulate(
    seed: int,
    number: int = 0,
    *,
    rules: Ruleset = TENHOU,
    styles: Sequence[Style] = (BALANCED,) * 4,
    names: tuple[str, str, str, str] = NAMES,
) -> Game:
    """The ``number``-th game of a seed, played by four RulePlayers by absolute seat."""
    players = [
        RulePlayer(Seat(s), stream(seed, "game", number, "player", s), style)
        for s, style in enumerate(styles)
    ]
    return play_game(players, seed, number, rules=rules, names=names)


def simulate_many(
    seed: int,
    games: int,
    *,
    first: int = 0,
    rules: Ruleset = TENHOU,
    styles: Sequence[Style] = (BALANCED,) * 4,
    jobs: int = 1,
) -> Iterator[Game]:
    """Games ``first`` to ``first + games - 1`` of a seed, in order, by ``jobs`` processes."""
    numbers = range(first, first + games)
    if jobs <= 1:
        for number in numbers:
            yield simulate(seed, number, rules=rules, styles=styles)
        return
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial
    from multiprocessing import get_context

    one = partial(_one, seed, rules, tuple(styles))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(one, numbers, chunksize=4)


def _one(seed: int, rules: Ruleset, styles: Sequence[Style], number: int) -> Game:
    return simulate(seed, number, rules=rules, styles=styles)
