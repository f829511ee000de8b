"""The policy's choices for a batch of decision records, as actions.

The core chooses: in the own turn a win, nine terminals, a kan, riichi, then a discard; on another's
tile one of the claims or to pass.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from haiyomi.arrays import Bools, Bytes, Floats, Ints, Singles
from haiyomi.errors import ArgumentError
from haiyomi.game.decision_record import Decisions
from haiyomi.kernels.policy_choice import QUESTIONS, policy_choices
from haiyomi.styles.policy import Policy


class Draws(Protocol):
    """What gives random numbers in [0, 1), such as a numpy Generator."""

    def random(self, size: tuple[int, ...], /) -> Floats: ...


def policy_actions(
    policy: Policy,
    records: Decisions,
    legal: Bools,
    style: Singles | None = None,
    temperature: float = 0.0,
    rng: Draws | None = None,
) -> Ints:
    """(m,) one legal action for each of m decisions.

    ``legal`` (m, N_ACTIONS); ``style`` (STYLE,) or (m, STYLE), by default the pooled policy.
    ``temperature`` 0 takes what is likeliest; above 0 ``rng`` draws, five numbers a row. Between a
    red five and a plain one, calls show the red one and discards keep it. Raises ValueError for a
    temperature below 0 or without ``rng``, and for rows of ``legal`` that are not of these
    decisions.
    """
    m = len(records)
    if temperature < 0:
        raise ArgumentError(f"temperature {temperature}: expected 0 or more")
    if m == 0:
        return np.zeros(0, np.int64)
    if temperature > 0 and rng is None:
        raise ValueError("a temperature above 0 needs a random generator")
    uniforms = np.zeros((m, QUESTIONS)) if rng is None else rng.random((m, QUESTIONS))
    chosen, _ = choices_by(policy, records, legal, style, uniforms, temperature)
    return chosen.astype(np.int64)


def choices_by(
    policy: Policy,
    records: Decisions,
    legal: Bools,
    style: Singles | None,
    uniforms: Floats,
    temperature: float,
    in_order: bool = False,
) -> tuple[Bytes, Bytes]:
    """The actions and how many of the ``uniforms`` each used (see ``policy_choices``)."""
    scores = policy.logits(records, style)
    logits = scores.discards, scores.kans, scores.acts
    return policy_choices(records["offered"], legal, logits, uniforms, temperature, in_order)
