"""Policies at the compiled table: every open decision of many games in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from haiyomi.game.decision_record import DECISION
from haiyomi.kernels.tables import Games
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import STYLE, Floats

MIRRORED: Final = True
"""Logits are averaged over a decision and its mirror image, as an Imitator's are."""


def play_on(
    tables: Games,
    policy: Policy,
    styles: Sequence[Floats | None] = (None,) * 4,
    temperature: float = 1.0,
    *,
    both: bool = MIRRORED,
    threads: int = 1,
) -> int:
    """Play every game to its end by a policy, in a style for each absolute seat.

    A game is the one that four Imitators play with the generators of its seed, whatever games
    stand beside it. ``both``: see ``Policy.logits``. Returns how many decisions were made.
    """
    vectors = np.array([np.zeros(STYLE) if s is None else s for s in styles], np.float32)
    decisions = 0
    while True:
        _, seats = tables.asked()
        if not len(seats):
            return decisions
        rows = tables.records(threads).view(DECISION).reshape(-1)
        logits = policy.logits(rows, vectors[seats], both)
        actions = tables.choose(
            np.ascontiguousarray(logits.discards),
            np.ascontiguousarray(logits.kans),
            np.ascontiguousarray(logits.acts),
            temperature,
            threads,
        )
        tables.answer(actions, threads)
        decisions += len(seats)
