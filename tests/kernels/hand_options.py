"""What the rules let each seat do at every moment of a hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.events import Hand
from haiyomi.kernels.replay import encode, fault_of, rule_numbers
from haiyomi.rules import Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class HandOptions:
    """The moments of a hand at which a seat has something to do, in order.

    ``event`` (n,) the index of the event before it; ``seat`` (n,) absolute; ``actions`` (n, 4)
    uint64, of 256 bits one for each action of ``haiyomi.play.actions``.
    """

    event: npt.NDArray[np.int32]
    seat: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.uint64]


def hand_options(hand: Hand, rules: Ruleset) -> HandOptions:
    """The options of all seats in a hand. Raises as ``kernels.replay.replay`` for a bad hand."""
    fault, number, detail, event, seat, actions = _core.replay_options(
        encode(hand), rule_numbers(rules)
    )
    if fault:
        raise fault_of(fault, number, detail, hand)
    return HandOptions(event, seat, actions)
