"""Policies at the compiled table: every open decision of many games in one batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from haiyomi.arrays import Bytes, Singles
from haiyomi.events import Game
from haiyomi.game.decision_record import DECISION
from haiyomi.kernels.network import STYLE
from haiyomi.kernels.tables import Games, new_games
from haiyomi.play.tables import recorded_game
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import Logits

BATCH: Final = 64
"""Games that are played together."""
MIRRORED: Final = True
"""Logits are averaged over a decision and its mirror image, as an Imitator's are."""


def play_out(
    tables: Games,
    policy: Policy,
    styles: Sequence[Singles | None] | Singles = (None,) * 4,
    temperature: float = 1.0,
    *,
    both: bool = MIRRORED,
    by_place: bool = False,
    threads: int = 1,
) -> int:
    """Play every game to its end by a policy, in a style for each absolute seat, or (n, 4, STYLE)
    for each seat of each game.

    A game is the one that four Imitators play with the generators of its seed, whatever games
    stand beside it. ``both``: see ``Policy.logits``. ``by_place``: the random numbers of a choice
    depend on its place in the wall, so that two games of one seed and number, with the same tiles,
    share them (``Tables::choose``). Returns how many decisions were made.
    """
    four = [np.zeros(STYLE) if s is None else s for s in styles]
    vectors = np.broadcast_to(np.asarray(four, np.float32), (len(tables), 4, STYLE))
    decisions = 0
    while True:
        at, seats = tables.pending()
        if not len(seats):
            return decisions
        rows = tables.records(threads).view(DECISION).reshape(-1)
        logits = policy.logits(rows, vectors[at, seats], both)
        tables.answer(choices(tables, logits, temperature, by_place, threads), threads)
        decisions += len(seats)


def choices(
    tables: Games,
    logits: Logits,
    temperature: float = 1.0,
    by_place: bool = False,
    threads: int = 1,
) -> Bytes:
    """(m,) the action of each open decision, drawn by the policy's ``logits``."""
    return tables.choose(
        np.ascontiguousarray(logits.discards),
        np.ascontiguousarray(logits.kans),
        np.ascontiguousarray(logits.acts),
        temperature,
        by_place,
        threads,
    )


def games_of_policy(
    seed: int,
    numbers: Iterable[int],
    policy: Policy,
    styles: Sequence[Singles | None],
    temperature: float = 1.0,
    rules: Ruleset = TENHOU,
    names: tuple[str, str, str, str] = ("",) * 4,
) -> Iterator[Game]:
    """Whole games of a policy at all four seats, in the order of their ``numbers``."""
    left = iter(numbers)
    while batch := list(islice(left, BATCH)):
        tables = new_games(rules, [seed] * len(batch), batch, keep=True)
        play_out(tables, policy, styles, temperature)
        for i in range(len(batch)):
            game = recorded_game(tables, i, rules)
            assert game is not None
            yield replace(game, header=replace(game.header, names=names))
