"""What the difference of two options is made of: wins, what they are worth, deal-ins and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from haiyomi.rules import DEPOSIT

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome


class Gains(NamedTuple):
    """What the best option has more, in points: by more wins, by wins that are worth more, by less
    dealing in, and by draws in tenpai."""

    wins: float
    worth: float
    deals: float
    draws: float


def gains_of(best: Outcome, taken: Outcome) -> Gains:
    """The parts of the difference of two options."""
    mine, other = won(best), won(taken)
    wins = (best.win - taken.win) * (mine + other) / 2
    worth = (mine - other) * (best.win + taken.win) / 2
    deals = best.deal_in_points - taken.deal_in_points
    return Gains(wins, worth, deals, best.draw_points - taken.draw_points)


def won(outcome: Outcome) -> float:
    """The mean points of a win; 0 without one."""
    win = outcome.win
    return outcome.win_points / win if win > 0 else 0.0


def lost(outcome: Outcome) -> float:
    """The mean points that a deal-in pays the winner, the deposit of the option's own riichi left
    out; 0 without one."""
    deal_in = outcome.deal_in
    later = deal_in - outcome.deal_in_now
    deposits = DEPOSIT * later if outcome.option.act == "riichi" else 0.0
    return (-outcome.deal_in_points - deposits) / deal_in if deal_in > 0 else 0.0
