"""A hand that is over: how it ended, what it paid, and where the game ends from there."""

from __future__ import annotations

import numpy as np

from haiyomi.analysis.seat_history import SeatHistory
from haiyomi.arrays import Floats
from haiyomi.errors import PositionError
from haiyomi.events import AbortiveDraw, ExhaustiveDraw, Win
from haiyomi.game.game_end import honba_after
from haiyomi.kernels.replay import EndKind, HandEnd
from haiyomi.outcomes.joint import ABORTED, DRAWN
from haiyomi.outcomes.placement import PlacementModel
from haiyomi.outcomes.places import not_placed
from haiyomi.outcomes.starts import HandEnds

_NO_TENPAI = "the draw does not name the tenpai seats"


def joint_ending(history: SeatHistory) -> int:
    """The joint ending (``outcomes.joint.JOINT``) of a hand that is over. Raises PositionError for
    a draw that does not name the tenpai seats."""
    seat, first = history.seat, history.endings[0]
    if isinstance(first, AbortiveDraw):
        return ABORTED
    if isinstance(first, ExhaustiveDraw):
        if first.tenpai is None:
            raise PositionError(_NO_TENPAI)
        return DRAWN + sum(first.tenpai[(seat + r) % 4] << r for r in range(4))
    payer = (first.target - seat) % 4
    winners = [(each.seat - seat) % 4 for each in history.endings if isinstance(each, Win)]
    winner = 0 if 0 in winners else min(winners, key=lambda r: (r - payer) % 4)
    return 4 * winner + payer


def paid(history: SeatHistory) -> Floats:
    """(4,) what the end of the hand changes of each score, by relative seat."""
    deltas = [each.deltas for each in history.endings if not isinstance(each, AbortiveDraw)]
    total = np.array(deltas, np.float64).reshape(-1, 4).sum(axis=0)
    return np.roll(total, -history.seat)


def after_end(history: SeatHistory, model: PlacementModel) -> tuple[Floats, Floats]:
    """(4, 4) P of each place and (4,) the expected final score, by relative seat. Raises
    PositionError where the scores are unknown or the events do not say what the end has paid."""
    position = history.position
    why = not_placed(position)
    if why is not None:
        raise PositionError(why)
    found = model.ends(HandEnds.of([_end(history)]), position.rules)
    seats = [position.absolute(r) for r in range(4)]
    places = found.places[0][seats]
    return places / places.sum(axis=1, keepdims=True), found.final[0][seats]


def _end(history: SeatHistory) -> HandEnd:
    """What the next hand starts from."""
    position, first = history.position, history.endings[0]
    before = [position.players[(seat - position.seat) % 4].score for seat in range(4)]
    changes = np.roll(paid(history), position.seat).astype(int).tolist()
    a, b, c, d = (score + change for score, change in zip(before, changes, strict=True))
    sticks, honba, dealer = position.sticks, position.honba, position.kyoku % 4
    kind: EndKind = "abort"
    renchan = True
    if isinstance(first, ExhaustiveDraw):
        if first.tenpai is None:
            raise PositionError(_NO_TENPAI)
        kind, renchan = "exhaustive", first.tenpai[dealer]
    elif isinstance(first, Win):
        if not any(first.deltas):
            raise PositionError("the win does not say what it pays")
        kind, sticks = "win", 0
        renchan = any(isinstance(e, Win) and e.seat == dealer for e in history.endings)
    next_honba = int(honba_after(honba, kind == "win", renchan))
    next_kyoku = position.kyoku + (not renchan)
    return HandEnd(kind, renchan, (a, b, c, d), sticks, next_kyoku, next_honba)
