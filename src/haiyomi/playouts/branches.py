"""Options at tables in lockstep: each taken at its table, then the hand played to its end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import DECISION
from haiyomi.game.observation import NONE
from haiyomi.kernels.tables import Games
from haiyomi.styles.policy import Policy
from haiyomi.styles.self_play import choices, play_on


def play_options(
    tables: Games,
    seat: NDArray[np.integer],
    first: NDArray[np.uint8],
    second: NDArray[np.uint8],
    policy: Policy,
    threads: int = 1,
) -> None:
    """Play every hand to its end by a policy, after the option of one seat at each table.

    ``seat`` (n,) absolute, ``first`` and ``second`` (n,) its actions as ``OptionActions`` has them.
    All others, and the seat itself afterwards, choose from their own view. Random numbers belong to
    places of the hand, so that tables of one seed and number share them.
    """
    for step, action in enumerate((first, second)):
        table, asked = tables.pending()
        rows = tables.records(threads).view(DECISION).reshape(-1)
        chosen = choices(tables, policy.logits(rows, both=False), by_place=True, threads=threads)
        mine = (asked == seat[table]) & (action[table] != NONE)
        if step == 1:  # a single discard after the declaration was made without a question
            own = rows["observation"]["players"][:, 0]
            mine &= own["riichi"] == own["n"]
        if step == 1 and not mine.any():
            break
        chosen[mine] = action[table[mine]]
        tables.answer(chosen, threads)
    play_on(tables, policy, both=False, by_place=True, threads=threads)
