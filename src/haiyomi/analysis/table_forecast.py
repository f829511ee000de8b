"""How the hand and the game end for all four seats, as one seat sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.calls import calls_of
from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import block_of, forecast_of, known_of
from haiyomi.outcomes.forecast import BlockForecast
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
    known = known_of(models, decisions)
    block = block_of(decisions, known)
    forecast = forecast_of(models, block, known)
    if made is None:
        assert forecast.shares is not None
        share = forecast.shares
    else:
        share = np.array([float(option == made) for option in block.flat])
    weight = share * np.asarray(weights, np.float64)[block.row]
    weight = weight / weight.sum()
    hands = winning_hands(forecast, joint_endings(forecast) * weight)
    parts = [(forecast, weight)]
    calls = calls_of(block)
    if calls:
        at = np.array([block.begins[call.decision] + call.option for call in calls])
        parts.append(_after(models, [call.after for call in calls], weight[at]))
        weight[at] = 0
    places = final = None
    if not_placed(decisions[0].position) is None:
        placed = [(*places_of_seats(each, models.placement), of) for each, of in parts]
        places = sum((np.einsum("b,sbp->sp", of, each) for each, _, of in placed), np.zeros(()))
        final = sum((each @ of for _, each, of in placed), np.zeros(()))
    return TableForecast(
        sum((joint_endings(each) @ of for each, of in parts), np.zeros(())),
        sum((points_of_seats(each) @ of for each, of in parts), np.zeros(())),
        np.asarray(weights, np.float64) @ hands,
        places,
        final,
    )


def _after(
    models: Models, decisions: Sequence[Decision], weights: Floats
) -> tuple[BlockForecast, Floats]:
    """The forecast of the discards after calls, and the weight of each, as often as players make
    it; the ``weights`` of the calls."""
    known = known_of(models, decisions)
    block = block_of(decisions, known)
    forecast = forecast_of(models, block, known)
    assert forecast.shares is not None
    whole = np.bincount(block.row, forecast.shares, len(block))
    return forecast, forecast.shares * (weights / whole)[block.row]
