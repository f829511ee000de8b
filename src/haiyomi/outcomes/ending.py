"""How a hand ends for one seat."""

from __future__ import annotations

from enum import IntEnum


class Ending(IntEnum):
    """How a hand ends for one seat: exactly one of these, whose value is a column of arrays.

    ``RIGHT``, ``ACROSS`` and ``LEFT`` are the relative seats 1, 2 and 3. A seat that wins beside
    others has won; a discard that several win counts for the winner who is first in turn after
    the discarder and takes the deposits. A nagashi mangan is an exhaustive draw.
    """

    TSUMO = 0
    RON = 1
    DEAL_IN_RIGHT = 2
    DEAL_IN_ACROSS = 3
    DEAL_IN_LEFT = 4
    TSUMO_RIGHT = 5
    TSUMO_ACROSS = 6
    TSUMO_LEFT = 7
    RON_RIGHT = 8
    """The player to the right wins on the discard of another opponent."""
    RON_ACROSS = 9
    RON_LEFT = 10
    DRAW_TENPAI = 11
    DRAW_NOTEN = 12
    ABORTED = 13

    @property
    def text(self) -> str:
        """The ending in words, such as ``deal-in to the player to the left``."""
        return _TEXT[self]

    @property
    def wins(self) -> bool:
        """Whether the seat wins the hand."""
        return self in (Ending.TSUMO, Ending.RON)

    @property
    def draws(self) -> bool:
        """Whether nobody wins before the wall is empty."""
        return self in (Ending.DRAW_TENPAI, Ending.DRAW_NOTEN)

    @property
    def deals_in(self) -> bool:
        """Whether another wins on the seat's tile."""
        return Ending.DEAL_IN_RIGHT <= self <= Ending.DEAL_IN_LEFT


_SIDES = ("to the right", "across", "to the left")
_TEXT = (
    "own tsumo",
    "own ron",
    *(f"deal-in to the player {side}" for side in _SIDES),
    *(f"tsumo of the player {side}" for side in _SIDES),
    *(f"ron of the player {side} on another" for side in _SIDES),
    "exhaustive draw, tenpai",
    "exhaustive draw, noten",
    "abortive draw",
)
