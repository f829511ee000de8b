"""Every output but the recommendation, as payloads of the protocol. Seats are absolute here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from haiyomi.analysis.models import Models
from haiyomi.analysis.opponents import Opponent, opponents_at
from haiyomi.analysis.seat_history import SeatHistory
from haiyomi.analysis.table_forecast import TableForecast, history_forecast
from haiyomi.apps.engine.ended import Ended, ended_of
from haiyomi.apps.engine.predictions import average_place, distribution, probability
from haiyomi.apps.engine.rpc import refused
from haiyomi.arrays import Floats
from haiyomi.json_types import Json
from haiyomi.outcomes.joint import DRAWN, PAYER, WINNER
from haiyomi.tiles import N_KINDS, TILES

NAMES: Final = tuple(tile.mjai for tile in TILES[:N_KINDS])


@dataclass(frozen=True)
class Situation:
    """One history with what the models say of it, computed where an output asks for it."""

    history: SeatHistory
    models: Models

    @cached_property
    def opponents(self) -> tuple[Opponent, Opponent, Opponent]:
        """The opponents, next to act first."""
        return opponents_at(self.models, self.history.position)

    @cached_property
    def forecast(self) -> TableForecast:
        """How hand and game end, as the seat sees it now."""
        return history_forecast(self.models, self.history)

    @cached_property
    def ended(self) -> Ended | None:
        """How the hand has ended."""
        return ended_of(self.history)

    def seat(self, relative: int) -> int:
        """The absolute seat."""
        return self.history.position.absolute(relative)

    def of_opponents(self, payload: Callable[[int], Json]) -> Json:
        """The players of an output about opponents; ``payload`` takes 0 to 2."""
        return {"players": [{"seat": self.seat(r + 1), **payload(r)} for r in range(3)]}

    def of_all(self, predictions: Sequence[Json]) -> Json:
        """The players of an output about all seats, by relative seat."""
        return {
            "players": [
                {"seat": self.seat(r), "prediction": each} for r, each in enumerate(predictions)
            ]
        }


def shanten(situation: Situation) -> Json:
    """``opponent-shanten``."""

    def payload(r: int) -> Json:
        opponent = situation.opponents[r]
        if opponent.without_ron is None:
            raise refused("UNSUPPORTED_OUTPUT", "the deal-in model has no tenpai hands")
        return {
            "shanten": distribution(range(len(opponent.shanten)), opponent.shanten.tolist()),
            "furitenOrNoYaku": opponent.without_ron,
        }

    return situation.of_opponents(payload)


def deal_in(situation: Situation) -> Json:
    """``opponent-deal-in-probability``."""

    def payload(r: int) -> Json:
        risks = situation.opponents[r].risks
        return {"tiles": {n: each.probability for n, each in zip(NAMES, risks, strict=True)}}

    return situation.of_opponents(payload)


def concealed(situation: Situation) -> Json:
    """``opponent-concealed-tile-count``."""

    def payload(r: int) -> Json:
        hand = situation.opponents[r].hand
        return {
            "tiles": {
                name: {"distribution": distribution(range(5), row.tolist()), "expectedValue": mean}
                for name, row, mean in zip(
                    NAMES, hand.marginals, hand.expected.tolist(), strict=True
                )
            }
        }

    return situation.of_opponents(payload)


def wall(situation: Situation) -> Json:
    """``wall-tile-count``: what the seat does not see less what the opponents hold on average."""
    held = sum(opponent.hand.expected for opponent in situation.opponents)
    left = np.clip(np.array(situation.history.position.unseen) - held, 0.0, 4.0).tolist()
    return {"tiles": {n: {"expectedValue": mean} for n, mean in zip(NAMES, left, strict=True)}}


def score(situation: Situation) -> Json:
    """``opponent-score``: what the hand pays on average if it wins."""
    hands = situation.forecast.hands.tolist()
    return situation.of_opponents(lambda r: {"prediction": {"expectedValue": hands[r]}})


def outcome(situation: Situation) -> Json:
    """``kyoku-outcome``."""
    if situation.ended is not None:
        return situation.ended.outcome
    found = situation.forecast
    drawn, wins, deal_ins = found.draw, found.win.tolist(), found.deal_in.tolist()
    outcomes: list[Json] = [{"type": "draw", "probability": probability(drawn)}]
    for winner, payer, chance in zip(
        WINNER[:DRAWN], PAYER[:DRAWN], found.endings[:DRAWN].tolist(), strict=True
    ):
        if chance <= 0:
            continue
        who = situation.seat(int(winner))
        how: Json = (
            {"type": "tsumo", "winner": who}
            if winner == payer
            else {"type": "ron", "winners": [who], "target": situation.seat(int(payer))}
        )
        outcomes.append({**how, "probability": chance})
    return {
        "drawProbability": probability(drawn),
        "players": [
            {
                "seat": situation.seat(r),
                "winProbability": probability(wins[r]),
                "dealInProbability": probability(deal_ins[r]),
            }
            for r in range(4)
        ],
        "outcomes": outcomes,
    }


def score_delta(situation: Situation) -> Json:
    """``kyoku-score-delta``."""
    if situation.ended is not None:
        return situation.of_all([{"expectedValue": 0.0}] * 4)
    points = situation.forecast.points.tolist()
    return situation.of_all([{"expectedValue": each} for each in points])


def placement(situation: Situation) -> Json:
    """``match-placement``."""
    return situation.of_all([
        {
            "distribution": distribution(range(1, 5), places.tolist()),
            "expectedValue": average_place(places.tolist()),
        }
        for places in _match(situation)[0]
    ])  # fmt: skip


def match_score(situation: Situation) -> Json:
    """``match-score``."""
    return situation.of_all([{"expectedValue": each} for each in _match(situation)[1].tolist()])


def _match(situation: Situation) -> tuple[Floats, Floats]:
    """(4, 4) P of each place and (4,) the expected final score, by relative seat."""
    if situation.ended is not None:
        return situation.ended.match(situation.models.placement)
    places, final = situation.forecast.places, situation.forecast.final
    if places is None or final is None:
        raise refused("INVALID_HISTORY", "the scores are not those of a game of 25,000 points each")
    return places, final


ANSWERS: Final[dict[str, Callable[[Situation], Json]]] = {
    "opponent-shanten": shanten,
    "opponent-deal-in-probability": deal_in,
    "opponent-concealed-tile-count": concealed,
    "opponent-score": score,
    "wall-tile-count": wall,
    "kyoku-outcome": outcome,
    "kyoku-score-delta": score_delta,
    "match-placement": placement,
    "match-score": match_score,
}
"""What answers each output but ``action-recommendation``."""
