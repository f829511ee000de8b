"""A hand that has ended: its outcome is known, and where the game ends depends on the next hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from haiyomi.apps.engine.history import History
from haiyomi.apps.engine.rpc import Json, refused
from haiyomi.events import AbortiveDraw, ExhaustiveDraw, Win
from haiyomi.game.game_end import honba_after
from haiyomi.kernels.replay import HandEnd
from haiyomi.outcomes.placement import PlacementModel
from haiyomi.outcomes.places import not_placed
from haiyomi.outcomes.starts import HandEnds

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a hand has ended. ``outcome``: the payload of ``kyoku-outcome``."""

    history: History
    outcome: Json

    def match(self, model: PlacementModel) -> tuple[Floats, Floats]:
        """(4, 4) P of each place and (4,) the expected final score, by relative seat. Raises
        RpcError where the events do not say what the hand's end has paid."""
        position = self.history.position
        why = not_placed(position)
        if why is not None:
            raise refused("INVALID_HISTORY", why)
        found = model.ends(HandEnds.of([_end(self.history)]), position.rules)
        seats = [position.absolute(r) for r in range(4)]
        places = found.places[0][seats]
        return places / places.sum(axis=1, keepdims=True), found.final[0][seats]


def ended_of(history: History) -> Ended | None:
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


def _end(history: History) -> HandEnd:
    """What the next hand starts from."""
    position, first = history.position, history.endings[0]
    scores = [position.players[(seat - position.seat) % 4].score for seat in range(4)]
    sticks, honba, dealer = position.sticks, position.honba, position.kyoku % 4
    kind: Literal["win", "abort", "exhaustive"] = "abort"
    renchan = True
    if not isinstance(first, AbortiveDraw):
        for event in history.endings:
            assert not isinstance(event, AbortiveDraw)
            scores = [score + change for score, change in zip(scores, event.deltas, strict=True)]
    if isinstance(first, ExhaustiveDraw):
        if first.tenpai is None:
            raise refused("INVALID_HISTORY", "the draw does not name the tenpai seats")
        kind, renchan = "exhaustive", first.tenpai[dealer]
    elif isinstance(first, Win):
        if not any(first.deltas):
            raise refused("INVALID_HISTORY", "the win does not say what it pays")
        kind, sticks = "win", 0
        renchan = any(isinstance(e, Win) and e.seat == dealer for e in history.endings)
    a, b, c, d = scores
    next_honba = int(honba_after(honba, kind == "win", renchan))
    next_kyoku = position.kyoku + (not renchan)
    return HandEnd(kind, renchan, (a, b, c, d), sticks, next_kyoku, next_honba)
