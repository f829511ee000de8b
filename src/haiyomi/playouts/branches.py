"""Options at tables in lockstep: each taken at its table, then the hand played to its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.game.observation import NONE
from haiyomi.kernels.tables import Games
from haiyomi.styles.policy import Policy
from haiyomi.styles.self_play import choices

Chooser: TypeAlias = Callable[[Decisions, Bools], Bytes]
"""The actions of n decisions, from their records and (n, N_ACTIONS) which actions are legal."""


@dataclass(frozen=True, slots=True, eq=False)
class NextTurns:
    """The first own turn of a seat after its option at each of n tables: its ``records`` (n,) of
    DECISION, and whether there was one at which it had a choice, ``found`` (n,)."""

    records: Decisions
    found: Bools

    @classmethod
    def empty(cls, n: int) -> Self:
        return cls(np.zeros(n, DECISION), np.zeros(n, np.bool_))

    def take(self, table: NDArray[np.integer], rows: Decisions) -> None:
        """Keep the decisions ``rows`` of some tables where they are own turns and the first."""
        first = (rows["discards"] != 0) & ~self.found[table]
        self.records[table[first]] = rows[first]
        self.found[table[first]] = True


def play_options(
    tables: Games,
    seat: NDArray[np.integer],
    first: Bytes,
    second: Bytes,
    policy: Policy,
    own: Chooser | None = None,
    turns: NextTurns | None = None,
) -> None:
    """Play every hand to its end by a policy, after the option of one seat at each table.

    ``seat`` (n,) absolute, ``first`` and ``second`` (n,) its actions as ``OptionActions`` has them.
    All others, and the seat itself afterwards, choose from their own view; ``own``: how the seat
    itself chooses instead; ``turns`` keeps its next turns. Random numbers of the policy belong to
    places of the hand, so that tables of one seed and number share them.
    """
    for step in count():
        table, asked = tables.pending()
        if not len(asked):
            return
        rows = tables.records(1).view(DECISION).reshape(-1)
        logits = policy.logits(rows, both=False)
        chosen = choices(tables, logits, by_place=True)
        mine = asked == seat[table]
        if own is not None and mine.any():
            chosen[mine] = own(rows[mine], tables.legal()[mine])
        taken = np.zeros(len(mine), np.bool_)
        if step < 2:
            action = (first, second)[step]
            taken = mine & (action[table] != NONE)
            if step == 1:  # a single discard after the declaration was made without a question
                player = rows["observation"]["players"][:, 0]
                taken &= player["riichi"] == player["n"]
            chosen[taken] = action[table[taken]]
        if turns is not None and step > 0:
            later = mine & ~taken
            turns.take(table[later], rows[later])
        tables.answer(chosen, 1)
