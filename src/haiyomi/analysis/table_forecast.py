"""How the hand and the game end for all four seats, as one seat sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import asked_of, forecast_of, known_of
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.places import not_placed, places_of_seats
from haiyomi.outcomes.seats import joint_endings, points_of_seats, winning_hands
from haiyomi.play.decision import Decision

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TableForecast:
    """Seats are relative, 0 decides.

    ``endings`` (33,) P of each joint ending (``outcomes.joint.JOINT``); ``points`` (4,) the
    expected change of each score from the decision to the hand's end; ``hands`` (3,) what the hand
    of each opponent pays on average if it wins, without honba and deposits; ``places`` (4, 4)
    P(1st) to P(4th) and ``final`` (4,) the expected score at the game's end, None where a position
    has no placement.
    """

    endings: Floats
    points: Floats
    hands: Floats
    places: Floats | None
    final: Floats | None


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
    forecast = forecast_of(models, block, known)
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
