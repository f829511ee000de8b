"""What the difference of two options is made of: wins, what they are worth, deal-ins and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome


class Parts(NamedTuple):
    """What the best option has more, in points: by more wins where its tile passes, by wins that
    are worth more, by less dealing in, which ends a hand that might win, and by draws in tenpai."""

    wins: float
    worth: float
    deals: float
    draws: float


def parts_of(best: Outcome, taken: Outcome) -> Parts:
    """The parts of the difference of two options."""
    mine, other = won(best), won(taken)
    each = (mine + other) / 2
    passes, passed = 1 - best.deal_in_now, 1 - taken.deal_in_now
    # A win is lost where the tile passes, or by the tile.
    ended = (passes - passed) * (_of(best.win, passes) + _of(taken.win, passed)) / 2
    wins = (best.win - taken.win - ended) * each
    worth = (mine - other) * (best.win + taken.win) / 2
    deals = best.deal_in_points - taken.deal_in_points + ended * each
    return Parts(wins, worth, deals, best.draw_points - taken.draw_points)


def _of(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def won(outcome: Outcome) -> float:
    """The mean points of a win; 0 without one."""
    win = outcome.win
    return outcome.win_points / win if win > 0 else 0.0


def lost(outcome: Outcome) -> float:
    """The mean points lost by a deal-in; 0 without one."""
    deal_in = outcome.deal_in
    return -outcome.deal_in_points / deal_in if deal_in > 0 else 0.0
