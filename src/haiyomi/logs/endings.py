"""What a hand's end was, where a format only says what was paid."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.events import (
    AbortiveDraw,
    AbortiveReason,
    Ankan,
    Daiminkan,
    Discard,
    Draw,
    Event,
    ExhaustiveDraw,
    FourScores,
    HiddenDraw,
    Kakan,
    RiichiAccepted,
    Start,
    Win,
    by_place,
)
from haiyomi.rules import WALL_DRAWS, Ruleset
from haiyomi.tiles import EAST, NORTH, Seat


def nagashi_seats(deltas: FourScores, dealer: int) -> tuple[Seat, ...] | None:
    """Whose nagashi mangan the payments are: each is paid as a mangan by self-draw."""
    for chosen in range(1, 16):
        total = [0, 0, 0, 0]
        for seat in range(4):
            if chosen >> seat & 1:
                for payer in range(4):
                    if payer != seat:
                        paid = 4000 if dealer in (seat, payer) else 2000
                        total[payer] -= paid
                        total[seat] += paid
        if tuple(total) == deltas:
            return tuple(Seat(s) for s in range(4) if chosen >> s & 1)
    return None


def tenpai_seats(deltas: FourScores) -> tuple[bool, bool, bool, bool] | None:
    """Who was tenpai by the payments of an exhaustive draw; None if nothing was paid."""
    if not any(deltas):
        return None
    return deltas[0] > 0, deltas[1] > 0, deltas[2] > 0, deltas[3] > 0


def untold_draw(events: Sequence[Event], deltas: FourScores) -> ExhaustiveDraw | AbortiveDraw:
    """The draw that ends these events, from them and the payments alone."""
    start = events[0]
    dealer = start.dealer if isinstance(start, Start) else Seat(0)
    drawn = sum(isinstance(e, Draw | HiddenDraw) for e in events)
    mid_turn = isinstance(events[-1], Draw | HiddenDraw)
    if any(deltas) or (drawn >= WALL_DRAWS and not mid_turn):
        nagashi = nagashi_seats(deltas, dealer) if any(deltas) else None
        if nagashi is not None:
            return ExhaustiveDraw(deltas, None, nagashi)
        return ExhaustiveDraw(deltas, tenpai_seats(deltas))
    reason, seat = _abortive(events)
    return AbortiveDraw(reason, seat)


def _abortive(events: Sequence[Event]) -> tuple[AbortiveReason, Seat | None]:
    last = events[-1]
    if isinstance(last, Draw | HiddenDraw):
        return "nine-terminals", last.seat
    if sum(isinstance(e, RiichiAccepted) for e in events) == 4:
        return "four-riichi", None
    discards = [e for e in events if isinstance(e, Discard)]
    kind = discards[0].tile.kind if discards else EAST
    same = len(discards) == 4 and all(d.tile.kind == kind for d in discards)
    if same and EAST <= kind <= NORTH:
        return "four-winds", None
    if sum(isinstance(e, Ankan | Kakan | Daiminkan) for e in events) == 4:
        return "four-kans", None
    return "triple-ron", None


def limit_class(win: Win, dealer: Seat) -> int:
    """The class of a hand by its points: 0 below mangan, 1 mangan ... 4 sanbaiman, 5 yakuman."""
    mangans = (win.points or 0) / (12000 if win.seat == dealer else 8000)
    return sum(mangans >= least for least in (1, 1.5, 2, 3, 4))


def result_points(final: FourScores, rules: Ruleset) -> tuple[int, int, int, int]:
    """Tenhou's points for a game: thousands above the target and 20 and 10 (East only: 10 and 5)
    by place."""
    uma = (10, 5, -5, -10) if rules.rounds == 1 else (20, 10, -10, -20)
    order = by_place(final)
    result = [0] * 4
    for place, s in enumerate(order[1:], 1):
        above = final[s] - rules.target_points
        rounded = (abs(above) + 499) // 1000 * (1 if above >= 0 else -1)
        result[s] = rounded + uma[place]
    result[order[0]] = -sum(result)
    a, b, c, d = result
    return a, b, c, d
