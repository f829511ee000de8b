"""The actions that a policy's logits choose, by the core."""

from __future__ import annotations

from typing import Final

import numpy as np

from haiyomi import _core
from haiyomi.arrays import Bools, Bytes, Floats, Singles

QUESTIONS: Final = 5
"""Random numbers of a choice: of tsumo or the answer to another's tile, nine terminals, a kan,
riichi, the discard."""


def policy_choices(
    offered: Bytes,
    legal: Bools,
    logits: tuple[Singles, Singles, Singles],
    uniforms: Floats,
    temperature: float,
    in_order: bool = False,
) -> tuple[Bytes, Bytes]:
    """(n,) one of the legal actions for each of n decisions, and (n,) how many numbers it used.

    ``offered`` (n,): the kind of another seat's tile that is answered, 255 in the own turn.
    ``legal`` (n, N_ACTIONS). ``logits`` of discards and kans (n, 34) and of acts (n, 9).
    ``uniforms`` (n, QUESTIONS) in [0, 1): one for each question, or, ``in_order``, the next one for
    each that is asked. ``temperature`` 0 takes the likeliest and uses none. The order of the
    questions is that of ``cpp/core/policy_choice.hpp``.

    Raises ValueError for arrays of different lengths, for what is not a number, for a uniform
    outside [0, 1), and, with its number, for a decision that may neither discard nor pass.
    """
    discards, kans, acts = (np.ascontiguousarray(part, np.float32) for part in logits)
    return _core.policy_choices(
        np.ascontiguousarray(offered, np.uint8),
        np.ascontiguousarray(legal, np.bool_).view(np.uint8),
        discards,
        kans,
        acts,
        np.ascontiguousarray(uniforms, np.float64),
        temperature,
        in_order,
    )
