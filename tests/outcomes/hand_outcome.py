"""How a hand of a record ended, read from its events: beside what the core says."""

from __future__ import annotations

from dataclasses import dataclass

from haiyomi.errors import TruncatedError
from haiyomi.events import AbortiveDraw, ExhaustiveDraw, FourScores, Hand, Win
from haiyomi.kernels.replay import HandEnd, replay
from haiyomi.outcomes.ending import Ending
from haiyomi.rules import Ruleset
from haiyomi.tiles import Seat

_DEAL_IN, _TSUMO, _RON = Ending.DEAL_IN_RIGHT, Ending.TSUMO_RIGHT, Ending.RON_RIGHT


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """How a hand ended for all four seats, which are absolute.

    ``winners`` in turn order after ``payer``, the seat whose tile was won on (after a tsumo the
    winner itself); None without a win. ``tenpai`` is that of an exhaustive draw, else None.
    ``end`` is what the next hand starts from, ``changes`` the changes of score over the whole
    hand, an own riichi deposit included.
    """

    winners: tuple[Seat, ...]
    payer: Seat | None
    tenpai: tuple[bool, bool, bool, bool] | None
    end: HandEnd
    changes: FourScores

    def seen_by(self, seat: int) -> Ending:
        """The ending from the view of an absolute seat."""
        if seat in self.winners:
            return Ending.TSUMO if self.payer == seat else Ending.RON
        if self.winners:
            first = (self.winners[0] - seat) % 4 - 1
            if self.payer == seat:
                return Ending(_DEAL_IN + first)
            return Ending((_TSUMO if self.payer == self.winners[0] else _RON) + first)
        if self.tenpai is not None:
            return Ending.DRAW_TENPAI if self.tenpai[seat] else Ending.DRAW_NOTEN
        return Ending.ABORTED

    def change_from(self, scores: FourScores) -> FourScores:
        """The changes of score from a moment of the hand at which the scores were these."""
        a, b, c, d = (end - now for end, now in zip(self.end.scores, scores, strict=True))
        return (a, b, c, d)


def outcome_of(hand: Hand, rules: Ruleset) -> HandOutcome:
    """How a hand of a record ended.

    Raises RecordError where the hand does not replay, has no end, or does not say who was tenpai.
    """
    end = replay(hand, rules)[0]
    scores = hand.start.scores
    a, b, c, d = (after - before for after, before in zip(end.scores, scores, strict=True))
    wins = [event for event in hand.events if isinstance(event, Win)]
    last = hand.events[-1]
    if isinstance(last, ExhaustiveDraw):
        if last.tenpai is None:
            raise TruncatedError("the draw does not name the tenpai seats", value=last.deltas)
        return HandOutcome((), None, last.tenpai, end, (a, b, c, d))
    assert wins or isinstance(last, AbortiveDraw)  # or the replay had refused the hand
    payer = wins[0].target if wins else None
    return HandOutcome(tuple(win.seat for win in wins), payer, None, end, (a, b, c, d))
