"""Starts and ends of hands as columns: what a placement at the game's end depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from haiyomi.arrays import Bools, Ints32
from haiyomi.game.game_end import rows_by_place
from haiyomi.kernels.replay import HandEnd
from haiyomi.rows import Rows
from haiyomi.rules import DEPOSIT, Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class Starts(Rows):
    """What n hands begin with; seats are absolute.

    ``rounds`` of the game (1 East-only, 2 hanchan), ``kyoku``, ``honba`` and ``sticks`` are (n,),
    ``scores`` (n, 4) in points.
    """

    rounds: Ints32
    kyoku: Ints32
    honba: Ints32
    sticks: Ints32
    scores: Ints32

    @property
    def table(self) -> Ints32:
        """(n, 8) the columns side by side."""
        head = np.stack([self.rounds, self.kyoku, self.honba, self.sticks], axis=1)
        return np.concatenate([head, self.scores], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class HandEnds(Rows):
    """Ends of n hands, as ``HandEnd`` has them; ``aborted`` is ``kind == "abort"``."""

    aborted: Bools
    renchan: Bools
    scores: Ints32
    sticks: Ints32
    next_kyoku: Ints32
    next_honba: Ints32

    @classmethod
    def of(cls, ends: Sequence[HandEnd]) -> Self:
        """The columns of some ends."""
        numbers = np.array([(e.sticks, e.next_kyoku, e.next_honba) for e in ends], np.int32)
        sticks, kyoku, honba = numbers.reshape(-1, 3).T
        return cls(
            np.array([e.kind == "abort" for e in ends], np.bool_),
            np.array([e.renchan for e in ends], np.bool_),
            np.array([e.scores for e in ends], np.int32).reshape(-1, 4),
            sticks,
            kyoku,
            honba,
        )

    def over(self, rules: Ruleset) -> Bools:
        """(n,) whether the game ends: ``game_end.game_over`` of each row."""
        scores = self.scores
        over: Bools = rules.ends_game(
            self.aborted, self.renchan, scores.min(axis=1), scores.max(axis=1),
            scores.argmax(axis=1), self.next_kyoku,
        )  # fmt: skip
        return over

    def final(self) -> Ints32:
        """(n, 4) scores with the deposits left on the table given to the first place."""
        scores = self.scores.copy()
        scores[np.arange(len(self)), rows_by_place(scores)[:, 0]] += DEPOSIT * self.sticks
        return scores

    def starts(self, rules: Ruleset) -> Starts:
        """What the next hands begin with, where there is one."""
        rounds = np.full(len(self), rules.rounds, np.int32)
        return Starts(rounds, self.next_kyoku, self.next_honba, self.sticks, self.scores)
