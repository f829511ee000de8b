"""The events of a request become what the controlled seat knows, and its last decision.

Between the seat's own decisions its forecast is that of the last one, for the option that it took.
Before its first decision of a hand it is the mean over the tiles that it may draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from haiyomi.apps.engine.rpc import Json, refused
from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.events import (
    DRAWS,
    ENDINGS,
    AbortiveDraw,
    Chi,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
    visible_to,
)
from haiyomi.game.position import Position
from haiyomi.logs.limits import MOST_EVENTS
from haiyomi.logs.mjai_read import LiveStream
from haiyomi.outcomes.option import Option, option_of
from haiyomi.play.decision import Decision, choice_of
from haiyomi.play.player import Pass
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import Ruleset
from haiyomi.tiles import N_CODES, RED_KINDS, TILES, Seat, Tile

TYPES: Final = frozenset({
    "start_game", "start_kyoku", "tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan",
    "reach", "reach_accepted", "dora", "hora", "ryukyoku", "end_kyoku", "end_game",
})  # fmt: skip
"""The events of the protocol."""


@dataclass(frozen=True, slots=True)
class History:
    """What a seat knows of a hand so far.

    ``decisions`` are those that the forecast is the mean of, by ``weights``: the seat's last one,
    or before it the first ones that it may come to. ``made``: the option that it took since.
    ``endings``: how the hand ended, empty while it goes on.
    """

    position: Position
    decisions: tuple[Decision, ...]
    weights: tuple[float, ...]
    decides: bool
    made: Option | None
    endings: tuple[Win | AbortiveDraw | ExhaustiveDraw, ...]

    @property
    def seat(self) -> Seat:
        """The controlled seat."""
        return self.position.seat


def read_history(events: Sequence[object], seat: Seat, rules: Ruleset) -> History:
    """The history of a request's events. Raises RpcError with INVALID_HISTORY."""
    messages = [_message(number, event) for number, event in enumerate(events, 1)]
    if messages and messages[0].get("kyoku_first") == 4:
        rules = replace(rules, rounds=1)
    try:
        return _folded(_events(messages), seat, rules)
    except (HaiyomiError, AssertionError, LookupError, ValueError) as error:
        raise refused("INVALID_HISTORY", str(error) or "the events cannot follow") from None


def _message(number: int, event: object) -> Json:
    if number > MOST_EVENTS + 3:
        raise refused("INVALID_HISTORY", f"more than {MOST_EVENTS} events of one hand")
    kind = event.get("type") if isinstance(event, dict) else None
    if not isinstance(event, dict) or kind not in TYPES:
        raise refused("INVALID_HISTORY", f"event {number} has no type of the protocol")
    if kind == "start_game" and number > 1:
        raise refused("INVALID_HISTORY", f"event {number} begins a game")
    return event


def _events(messages: Sequence[Json]) -> list[Event]:
    """The events of one hand's messages. Raises RecordError, PositionError."""
    kinds = [message["type"] for message in messages]
    begins = 1 if kinds[:1] == ["start_game"] else 0
    if kinds[begins : begins + 1] != ["start_kyoku"] or kinds.count("start_kyoku") > 1:
        raise PositionError("the events are not those of one hand that begins with start_kyoku")
    stream = LiveStream()
    return [
        event for number, message in enumerate(messages) for event in stream.feed(message, number)
    ]


def _folded(events: Sequence[Event], seat: Seat, rules: Ruleset) -> History:
    state = SeatState(seat, rules)
    seen = [visible_to(event, seat) for event in events]
    last: tuple[Decision, int] | None = None
    for number, event in enumerate(seen):
        state.apply(event)
        decision = _decision(state, event)
        last = last if decision is None else (decision, number)
    endings = tuple(event for event in events if isinstance(event, ENDINGS))
    position = state.position()
    if last is None:
        first = list(_first_draws(seen, position, rules))
        total = sum(copies for _, copies in first)
        weights = tuple(copies / total for _, copies in first)
        return History(position, tuple(d for d, _ in first), weights, False, None, endings)
    decision, number = last
    after = [e for e in seen[number + 1 :] if not isinstance(e, DoraReveal | RiichiAccepted)]
    made = _made(decision, after)
    return History(position, (decision,), (1.0,), not after, made, endings)


def _decision(state: SeatState, event: Event) -> Decision | None:
    """The decision of the seat right after an event: of its turn, also where it has one choice, or
    on another's tile."""
    another = isinstance(event, Discard | Kakan) and event.seat != state.seat
    own = isinstance(event, Draw | Riichi | Chi | Pon) and event.seat == state.seat
    options = state.options() if another or own else None
    if options is None:
        return None
    return Decision.of_state(state, options)


def _made(decision: Decision, after: Sequence[Event]) -> Option | None:
    """The option that the seat took, by what followed; None where nothing has followed yet."""
    if not after:
        return None
    choice = choice_of(decision.choices, decision.seat, after)
    if choice is None and decision.offer is not None:
        choice = Pass(decision.seat)
    if choice is None:
        raise PositionError(f"seat {decision.seat} does what it may not do")
    return option_of(decision, [choice])


def _first_draws(
    seen: Sequence[Event], position: Position, rules: Ruleset
) -> Iterator[tuple[Decision, int]]:
    """The decisions after each tile that the seat may draw first, with the copies unseen."""
    for code in range(N_CODES):
        tile = TILES[code]
        copies = _unseen(position, tile)
        if copies:
            state = SeatState(position.seat, rules)
            for event in seen:
                state.apply(event)
            state.fold.skip_to_own_turn()
            state.apply(draw := DRAWS[position.seat][code])
            decision = _decision(state, draw)
            assert decision is not None
            yield decision, copies


def _unseen(position: Position, tile: Tile) -> int:
    """How many copies of a tile the viewer does not see."""
    suit = RED_KINDS.index(tile.kind) if tile.kind in RED_KINDS else None
    red = suit is not None and position.rules.red_fives and not position.reds_seen >> suit & 1
    return int(red) if tile.red else position.unseen[tile.kind] - red
