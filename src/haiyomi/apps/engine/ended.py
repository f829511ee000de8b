"""A hand that has ended: its outcome is known, and where the game ends depends on the next hand."""

from __future__ import annotations

from dataclasses import dataclass

from haiyomi.analysis.hand_over import after_end
from haiyomi.analysis.seat_history import SeatHistory
from haiyomi.apps.engine.rpc import refused
from haiyomi.arrays import Floats
from haiyomi.errors import PositionError
from haiyomi.events import Win
from haiyomi.json_types import Json
from haiyomi.outcomes.placement import PlacementModel


@dataclass(frozen=True, slots=True)
class Ended:
    """How a hand has ended. ``outcome``: the payload of ``kyoku-outcome``."""

    history: SeatHistory
    outcome: Json

    def match(self, model: PlacementModel) -> tuple[Floats, Floats]:
        """(4, 4) P of each place and (4,) the expected final score, by relative seat. Raises
        RpcError where the events do not say what the hand's end has paid."""
        try:
            return after_end(self.history, model)
        except PositionError as error:
            raise refused("INVALID_HISTORY", str(error)) from None


def ended_of(history: SeatHistory) -> Ended | None:
    """How the hand has ended, None while it goes on."""
    if not history.endings:
        return None
    wins = [event for event in history.endings if isinstance(event, Win)]
    winners = [int(win.seat) for win in wins]
    target = int(wins[0].target) if wins else None
    how: Json = {"type": "draw"}
    if wins and target in winners:
        how = {"type": "tsumo", "winner": target}
    elif wins:
        how = {"type": "ron", "winners": winners, "target": target}
    return Ended(
        history,
        {
            "drawProbability": float(not wins),
            "players": [
                {
                    "seat": seat,
                    "winProbability": float(seat in winners),
                    "dealInProbability": float(seat == target and seat not in winners),
                }
                for seat in range(4)
            ],
            "outcomes": [{**how, "probability": 1.0}],
        },
    )
