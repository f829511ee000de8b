"""How the hand and the game end for all four seats, as one seat sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from haiyomi.analysis.hand_over import after_end, joint_ending, paid
from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import asked_of, forecast_of, known_of
from haiyomi.analysis.seat_history import SeatHistory
from haiyomi.arrays import Floats, same_values
from haiyomi.errors import ArgumentError, PositionError, check_type
from haiyomi.events import Event
from haiyomi.game.position import Position
from haiyomi.outcomes.joint import DRAWN, JOINT, PAYER, WINNER
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.places import not_placed, places_of_seats
from haiyomi.outcomes.seats import joint_endings, points_of_seats, winning_hands
from haiyomi.play.decision import Decision
from haiyomi.rules import TENHOU, Ruleset, rules_of
from haiyomi.tiles import Seat


@dataclass(frozen=True, slots=True, eq=False)
class TableForecast:
    """Seats are relative: 0 is the seat that sees it, 1 the player to the right.

    ``endings`` (33,) P of each joint ending (``outcomes.joint.JOINT``); ``points`` (4,) the
    expected change of each score from now, or of ``table_forecast`` from the decision, to the
    hand's end; ``hands`` (3,) what the hand of each opponent pays on average if it wins, without
    honba and deposits; ``places`` (4, 4) P(1st) to P(4th) of each seat and ``final`` (4,) its
    expected score at the game's end, both None where a position has no placement.
    """

    endings: Floats
    points: Floats
    hands: Floats
    places: Floats | None
    final: Floats | None

    def __eq__(self, other: object) -> bool:
        return same_values(self, other) if isinstance(other, TableForecast) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), round(self.draw, 6)))

    @property
    def win(self) -> Floats:
        """(4,) P(the seat wins the hand); a discard that several win counts for one of them: seat
        0, or the first in turn."""
        return np.array([self.endings[seat == WINNER].sum() for seat in range(4)])

    @property
    def deal_in(self) -> Floats:
        """(4,) P(another wins on the seat's tile)."""
        return np.array(
            [self.endings[(seat == PAYER) & (seat != WINNER)].sum() for seat in range(4)]
        )

    @property
    def draw(self) -> float:
        """P(nobody wins), abortive draws included."""
        return float(self.endings[DRAWN:].sum())


def forecast(
    seen: Position | Decision | Sequence[Event],
    seat: int | None = None,
    *,
    rules: Ruleset | str = TENHOU,
    models: Models | None = None,
) -> TableForecast:
    """How the hand ends for each seat, and the game, as one seat sees it at any moment.

    ``seen``: the events of a hand so far, ``Start`` and ``Deal`` first, with the absolute ``seat``
    (0 to 3) that sees them and the ``rules``; what that seat may not see is not used. Or a Position
    or a Decision, which say both themselves. At a decision of the seat it is the mean over its
    options, as often as players choose them. Between its decisions it is what the last one became
    by the option that the seat took, so that it stands still while others play. Before the first
    one, and of a Position in another's turn, it is the mean over the tiles that the seat may draw
    next. After the hand's end it is certain, and only the game is open.

    Raises ArgumentError for what is none of these, for events without a seat of 0 to 3 and for a
    seat beside a Position or a Decision, PositionError for events that cannot follow each other and
    where the seat draws no more, ModelError where a model cannot be read.
    """
    if models is not None:
        check_type(models, "forecast(models=...)", Models)
    models = models or Models()
    if isinstance(seen, Position | Decision) and seat is not None:
        raise ArgumentError(f"seat is {seat!r}: a {type(seen).__name__} says itself who sees it")
    if isinstance(seen, Decision):
        return history_forecast(models, SeatHistory(seen.position, (seen,)))
    if isinstance(seen, Position):
        if not seen.to_act and len(seen.hand) % 3 == 2:
            raise PositionError("the seat holds 14 tiles and is not to act: the hand is over")
        return history_forecast(models, SeatHistory.of_position(seen))
    check_type(seen, "forecast", Position, Decision, Sequence)
    if seat not in (0, 1, 2, 3):
        raise ArgumentError(f"seat is {seat!r}: events need the seat that sees them, 0 to 3")
    try:
        history = SeatHistory.of_events(seen, Seat(seat), rules_of(rules))
    except (AssertionError, LookupError):
        raise PositionError("the events are not those of one hand in their order") from None
    found = history_forecast(models, history)
    if not history.endings:
        return found
    endings = np.zeros(len(JOINT))
    endings[joint_ending(history)] = 1.0
    places = final = None
    if not_placed(history.position) is None:
        places, final = after_end(history, models.placement)
    return replace(found, endings=endings, points=paid(history), places=places, final=final)


def history_forecast(models: Models, history: SeatHistory) -> TableForecast:
    """``forecast`` of a hand that goes on, or as if it went on; ``points`` are from now on."""
    found = table_forecast(models, history.decisions, history.weights, history.made)
    before, now = (
        np.array([player.score for player in position.players])
        for position in (history.decisions[0].position, history.position)
    )
    return replace(found, points=found.points + before - now)


def table_forecast(
    models: Models,
    decisions: Sequence[Decision],
    weights: Sequence[float] = (1.0,),
    made: Option | None = None,
) -> TableForecast:
    """The mean over some decisions of one seat at one moment, by ``weights``, which sum to one.

    Of each decision it is the mean over the options, as often as players choose them, or the
    forecast of the option that was ``made``. That of seat 0 is the same mean of the ``Outcome`` of
    each option.
    """
    block, known, calls = asked_of(models, decisions, known_of(models, decisions))
    forecast = forecast_of(models, block, known, calls=calls)
    of_decision = np.append(np.asarray(weights, np.float64), np.zeros(len(calls)))
    shares = forecast.shares
    if made is not None:
        shares = np.array([float(option == made) for option in block.flat])
    assert shares is not None
    weight = shares * of_decision[block.row]
    weight = weight / weight.sum()
    joint = joint_endings(forecast)
    hands = winning_hands(forecast, joint * weight)
    for number, call in enumerate(calls, len(decisions)):
        assert forecast.shares is not None
        discards = slice(block.begins[number], block.ends[number])
        share, option = forecast.shares[discards], block.begins[call.decision] + call.option
        weight[discards] = share * (weight[option] / share.sum())
        weight[option] = 0
    places = final = None
    if not_placed(decisions[0].position) is None:
        placed, scores = places_of_seats(forecast, models.placement)
        places, final = np.einsum("b,sbp->sp", weight, placed), scores @ weight
    return TableForecast(
        joint @ weight, points_of_seats(forecast) @ weight, of_decision @ hands, places, final
    )
