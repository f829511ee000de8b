"""What a seat knows of a hand so far, and the decisions that its forecast is asked at.

Between the seat's own decisions its forecast is that of the last one, for the option that it took.
Before its first decision of a hand, and where only a position is known, it is the mean over the
tiles that it may draw next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from haiyomi.errors import PositionError
from haiyomi.events import (
    ENDINGS,
    AbortiveDraw,
    Chi,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    Offer,
    OwnDeal,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
    visible_to,
)
from haiyomi.game.position import Position
from haiyomi.outcomes.option import Option, option_of
from haiyomi.play.decision import Decision, choice_of
from haiyomi.play.player import Pass
from haiyomi.play.seat_state import SeatState
from haiyomi.play.stated_decision import decision_at
from haiyomi.rules import Ruleset
from haiyomi.tiles import N_CODES, RED_KINDS, TILES, Seat, Tile, tile_order


@dataclass(frozen=True, slots=True)
class SeatHistory:
    """What a seat knows of a hand so far.

    ``decisions`` are those that the forecast is the mean of, by ``weights``: the seat's last one,
    or the next ones that it may come to. ``decides``: whether the last one is open; else ``made``
    is the option that it took. ``endings``: how the hand ended, empty while it goes on.
    """

    position: Position
    decisions: tuple[Decision, ...]
    weights: tuple[float, ...] = (1.0,)
    decides: bool = True
    made: Option | None = None
    endings: tuple[Win | AbortiveDraw | ExhaustiveDraw, ...] = ()

    @property
    def seat(self) -> Seat:
        """The absolute seat."""
        return self.position.seat

    @classmethod
    def of_position(cls, position: Position) -> SeatHistory:
        """Of a position alone. Raises PositionError where nothing is left to draw."""
        if position.to_act:
            return cls(position, (decision_at(position),))
        return cls._before_a_draw(position, ())

    @classmethod
    def of_events(cls, events: Sequence[Event], seat: Seat, rules: Ruleset) -> SeatHistory:
        """Of the events of a hand so far, Start and Deal first; what the seat may not see is left
        out. Raises HaiyomiError, and as ``SeatState``."""
        seen = [visible_to(event, seat) for event in events]
        if [n for n, event in enumerate(seen) if isinstance(event, Start | OwnDeal)] != [0, 1]:
            raise PositionError("the events are not those of one hand, Start and Deal first")
        state = SeatState(seat, rules)
        last: tuple[Decision, int] | None = None
        for number, event in enumerate(seen):
            state.apply(event)
            decision = _decision(state, event)
            last = last if decision is None else (decision, number)
        endings = tuple(event for event in events if isinstance(event, ENDINGS))
        position = state.position()
        if last is None:
            return cls._before_a_draw(position, endings)
        decision, number = last
        after = [e for e in seen[number + 1 :] if not isinstance(e, DoraReveal | RiichiAccepted)]
        made = _made(decision, after)
        return cls(position, (decision,), (1.0,), not after, made, endings)

    @classmethod
    def _before_a_draw(
        cls, position: Position, endings: tuple[Win | AbortiveDraw | ExhaustiveDraw, ...]
    ) -> SeatHistory:
        if not position.draws_left:
            raise PositionError("the wall is empty: the seat draws no more")
        found = list(_next_draws(position))
        total = sum(copies for _, copies in found)
        weights = tuple(copies / total for _, copies in found)
        return cls(position, tuple(d for d, _ in found), weights, False, None, endings)


def _decision(state: SeatState, event: Event) -> Decision | None:
    """The decision of the seat right after an event: of its turn, also where it has one choice, or
    on another's tile."""
    another = isinstance(event, Offer) and event.seat != state.seat
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


def _next_draws(position: Position) -> Iterator[tuple[Decision, int]]:
    """The decisions after each tile that the seat may draw next, with the copies unseen."""
    own = replace(position.players[0], concealed=position.players[0].concealed + 1)
    for tile in TILES[:N_CODES]:
        copies = _unseen(position, tile)
        if not copies:
            continue
        seen = list(position.seen)
        seen[tile.kind] += 1
        red = tile.red << RED_KINDS.index(tile.kind) if tile.red else 0
        drawn = replace(
            position,
            hand=tuple(sorted((*position.hand, tile), key=tile_order)),
            drawn=tile,
            players=(own, *position.players[1:]),
            draws_left=position.draws_left - 1,
            seen=tuple(seen),
            reds_seen=position.reds_seen | red,
            to_act=True,
            after_kan=False,
        )
        yield decision_at(drawn), copies


def _unseen(position: Position, tile: Tile) -> int:
    """How many copies of a tile the viewer does not see."""
    suit = RED_KINDS.index(tile.kind) if tile.kind in RED_KINDS else None
    red = suit is not None and position.rules.red_fives and not position.reds_seen >> suit & 1
    return int(red) if tile.red else position.unseen[tile.kind] - red
