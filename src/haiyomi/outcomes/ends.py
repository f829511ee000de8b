"""The ends of a hand in points: each joint ending with each class of worth, for all four seats.

Seats are relative, 0 the one that asks. What seats deposit from now on is not part of the changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.game.position import Position
from haiyomi.kernels.option_endings import deposit_odds, option_deposits
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.joint import (
    ABORTED,
    DRAWN,
    ENDING_OF,
    JOINT,
    PAYER,
    TENPAI,
    WINNER,
    WORTH_BASES,
)
from haiyomi.outcomes.worth import RON, TSUMO_DEALER, TSUMO_OTHER, Worth, shipped
from haiyomi.rules import DEPOSIT

CLASSES: Final = len(WORTH_BASES)
WON: Final = DRAWN * CLASSES
"""Ends with a winner: 9 j + c for joint ending j and class c; then the draws, then the abort."""
N_ENDS: Final = WON + len(JOINT) - DRAWN
JOINT_OF: Final = np.concatenate(
    [np.repeat(np.arange(DRAWN), CLASSES), np.arange(DRAWN, len(JOINT))]
)
"""(161,) the joint ending of each end."""
_BY_TSUMO: Final = (WINNER == PAYER)[:DRAWN].astype(np.int64)
"""(16,) 0 for a ron, 1 for a tsumo."""
IN_ENDING: Final = (ENDING_OF[JOINT_OF][:, None] == np.arange(len(Ending))).astype(np.float64)
"""(161, 14) which ending each end is."""
_DRAW_POINTS: Final = 3000
"""What the seats that are not tenpai pay in all at an exhaustive draw."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What the payments of a hand depend on: ``dealer`` (relative), honba and deposits."""

    dealer: int
    honba: int
    sticks: int

    @classmethod
    def of(cls, position: Position) -> Stakes:
        return cls(position.dealer, position.honba, position.sticks)


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The 161 ends. ``changes`` (161, 4) of the scores in points, those of wins as the class pays
    on average; ``renchan`` (161,) whether the dealer stays."""

    changes: Floats
    renchan: Bools


@lru_cache(maxsize=256)
def ends_of(stakes: Stakes) -> Ends:
    """The ends with the shipped table of what hands are worth."""
    return ends_with(shipped(), stakes)


def ends_with(worth: Worth, stakes: Stakes) -> Ends:
    """The ends with a table of what hands are worth."""
    changes = np.zeros((N_ENDS, 4))
    for number, joint in enumerate(JOINT[:DRAWN]):
        assert joint.winner is not None
        assert joint.payer is not None
        rows = changes[number * CLASSES : (number + 1) * CLASSES]
        _pay(
            rows,
            worth.points[int(joint.winner == stakes.dealer)],
            joint.winner,
            joint.payer,
            stakes,
        )
    for number in range(DRAWN, ABORTED):
        changes[WON + number - DRAWN] = _at_a_draw(TENPAI[number])
    dealer = stakes.dealer
    renchan = (dealer == WINNER) | (TENPAI[:, dealer] == 1)
    renchan[ABORTED] = True
    return Ends(changes, renchan[JOINT_OF])


def in_hundreds(changes: Floats, winner: Ints, sticks: NDArray[np.integer]) -> Floats:
    """(..., k, 4) the changes in whole hundreds; the ``winner`` (k,) has what the others lose and
    the ``sticks`` (...)."""
    out: Floats = np.round(changes / 100) * 100
    rows = np.flatnonzero(winner >= 0)
    out[..., rows, winner[rows]] = 0
    pot = DEPOSIT * sticks.astype(np.int64)[..., None]
    out[..., rows, winner[rows]] = pot - out[..., rows, :].sum(axis=-1)
    return out


def _pay(changes: Floats, points: Floats, winner: int, payer: int, stakes: Stakes) -> None:
    """Fill in (9, 4) changes of a win by ``points`` (9, 3) of ``Worth``."""
    if payer == winner:
        for seat in range(4):
            column = TSUMO_DEALER if seat == stakes.dealer else TSUMO_OTHER
            if seat != winner:
                changes[:, seat] = -points[:, column] - 100 * stakes.honba
    else:
        changes[:, payer] = -points[:, RON] - 300 * stakes.honba
    changes[:, winner] = -changes.sum(axis=1) + DEPOSIT * stakes.sticks


def _at_a_draw(tenpai: Ints) -> Floats:
    """(4,) what seats receive or pay."""
    n = int(tenpai.sum())
    if n in (0, 4):
        return np.zeros(4)
    return np.where(tenpai == 1, _DRAW_POINTS / n, -_DRAW_POINTS / (4 - n))


def tilted(worth: Floats) -> Floats:
    """(2, ..., 9) P of the class of a hand that wins by ron, and by tsumo, which is worth more,
    from the classes ``worth`` (..., 9)."""
    out: Floats = worth * shipped().tilt.reshape(2, *[1] * (worth.ndim - 1), CLASSES)
    out /= out.sum(axis=-1, keepdims=True)
    return out


def spread(ending: Floats, worth: Floats) -> Floats:
    """(m, 161) the probability of each end: from P(joint ending) (m, 33) and the classes of each
    seat's hand (m, 4, 9)."""
    classes = tilted(worth)[_BY_TSUMO, :, WINNER[:DRAWN]].transpose(1, 0, 2)
    won = ending[:, :DRAWN, None] * classes
    return np.concatenate([won.reshape(len(ending), WON), ending[:, DRAWN:]], axis=1)


def later_deposits(mean: Floats, p: Floats) -> Floats:
    """(m, 33, 4) the probability that a seat pays a deposit, given the joint ending; zeros where it
    wins, because it then takes its own back. ``mean`` (m, 4) and ``p`` (m, 33) as
    ``option_deposits`` has them."""
    return deposits_at(option_deposits(mean.T, p.T[:, None])[:, 0].T)


def deposits_at(chance: Floats) -> Floats:
    """(m, 33, 4) the probability that a seat pays a deposit, by joint ending, from the ``chance``
    (m, 4) of ``option_deposits``."""
    odds = deposit_odds()
    above = odds * chance[:, None]
    return np.divide(above, 1 + above - chance[:, None], out=np.zeros_like(above), where=odds > 0)


def by_ending(p: Floats, deposits: Floats, changes: Floats) -> tuple[Floats, Floats]:
    """(m, 14) the probability of each ``Ending``, and the mean change of the own score then.

    ``p`` (m, 161) of the ends, ``deposits`` as ``later_deposits``, ``changes`` (161) or (m, 161) of
    the own score without them.
    """
    others = deposits[:, :, 1:].sum(axis=2)
    moved = DEPOSIT * np.where(WINNER == 0, others, -deposits[:, :, 0])
    total = (p * (changes + moved[:, JOINT_OF])) @ IN_ENDING
    shares = p @ IN_ENDING
    return shares, np.divide(total, shares, out=np.zeros_like(total), where=shares > 0)
