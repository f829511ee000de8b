"""What ends a game before its time: a program at a seat that breaks a rule of the tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from haiyomi.errors import HaiyomiError
from haiyomi.events import FourScores
from haiyomi.logs.mjai_write import Message
from haiyomi.tiles import Seat

Failure: TypeAlias = Literal["illegal", "unreadable", "slow", "crashed", "flooding"]
"""An answer that the rules do not allow; no JSON object; none within the time limit; the program
ended; a line over the limit, or several lines for one message."""


class ProgramError(HaiyomiError):
    """A program failed: ``kind`` of failure, and one sentence."""

    def __init__(self, kind: Failure, text: str) -> None:
        super().__init__(text)
        self.kind: Failure = kind


class SeatFailure(HaiyomiError):
    """A seat failed: ``scores`` and ``sticks`` are those at the start of the hand under way;
    ``sent`` is what its program was sent in the game, ending with the message that it failed at."""

    def __init__(
        self,
        seat: Seat,
        error: ProgramError,
        scores: FourScores,
        sticks: int,
        sent: Sequence[Message] = (),
    ) -> None:
        super().__init__(str(error))
        self.seat = seat
        self.kind = error.kind
        self.scores = scores
        self.sticks = sticks
        self.sent = tuple(sent)
