"""Luck in a game: deal-ins and wins beside what was to be expected."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from haiyomi.events import Win
from haiyomi.review.decisions import HandReview, Review


@dataclass(frozen=True, slots=True)
class Count:
    """How often something came, how often it was ``expected``, and the standard deviation that
    independent events of these probabilities would have."""

    came: int
    expected: float
    spread: float


@dataclass(frozen=True, slots=True)
class Luck:
    """Of one seat in one game while it was there. Deal-ins by the risk of every tile given; wins by
    the probability to win at the seat's first decision of each hand, None where outcomes were not
    computed."""

    deal_ins: Count
    wins: Count | None


def luck_of(review: Review) -> Luck:
    """The luck of a review whose decisions have risks."""
    given = [decision for _, decision in review.discards if not decision.absent]
    risks = [decision.chosen.risk for decision in given]
    dealt = sum(decision.outcome.kind == "dealt-in" for decision in given)
    first = [(hand, p) for hand in review.hands if (p := _first_win(hand)) is not None]
    won = sum(_won(hand, review.seat) for hand, _ in first)
    wins = _count(won, [p for _, p in first]) if first else None
    return Luck(_count(dealt, risks), wins)


def _count(came: int, probabilities: list[float]) -> Count:
    spread = sqrt(sum(p * (1 - p) for p in probabilities))
    return Count(came, sum(probabilities), spread)


def _first_win(hand: HandReview) -> float | None:
    """The probability to win the hand at the first decision that has outcomes; None where the
    player was away."""
    found = ((decision, decision.taken) for decision in hand.decisions)
    first = next(((d, taken) for d, taken in found if taken is not None), None)
    return None if first is None or first[0].absent else first[1].win


def _won(hand: HandReview, seat: int) -> bool:
    return any(isinstance(event, Win) and event.seat == seat for event in hand.endings)
