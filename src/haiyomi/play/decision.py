"""A decision of one seat: its position, its choices and, in a record, its choice and the rest.

A bot at the table and a study of records get the same type, so one function serves both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from haiyomi.errors import ArgumentError, IllegalError, PositionError, check_type
from haiyomi.events import (
    ENDINGS,
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    Game,
    Offer,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
    visible_to,
)
from haiyomi.game.position import Position
from haiyomi.game.rounds import round_name
from haiyomi.play.player import Choice, Claim, Options, Pass
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import DEPOSIT
from haiyomi.tiles import Seat, format_tiles

_NO_ANSWER: Final = (DoraReveal, RiichiAccepted)
"""Events that may stand between a moment and what a seat does at it."""
C = TypeVar("C", bound=Choice)


@dataclass(frozen=True, slots=True)
class Decision:
    """A moment at which a seat has a choice.

    ``position`` is what the seat sees, ``choices`` all its legal choices, at least two. ``offer``
    is the tile of another seat (a Discard, or a Kakan or Ankan that may be robbed) that the choices
    answer, None in the seat's own turn. Seats in choices and events are absolute. ``history`` are
    the hand's events so far, as the seat sees them; empty where only a position is known.
    """

    position: Position
    choices: tuple[Choice, ...]
    offer: Offer | None
    history: tuple[Event, ...] = field(default=(), repr=False, compare=False, kw_only=True)

    def __repr__(self) -> str:
        p, on = self.position, "" if self.offer is None else f" on {self.offer.tile}"
        where = f"{round_name(p.kyoku, p.honba)}, seat {p.seat} with {format_tiles(p.hand)}{on}"
        return f"<{type(self).__name__}: {where}, choices: {len(self.choices)}>"

    @classmethod
    def of_state(cls, state: SeatState, options: Options) -> Decision:
        """The decision of a seat that has these options now."""
        last = state.last
        offer = last if isinstance(last, Offer) else None
        return cls(state.position(), options.choices, offer, history=tuple(state.seen))

    @property
    def seat(self) -> Seat:
        """The absolute seat of who decides."""
        return self.position.seat

    def of(self, kind: type[C]) -> tuple[C, ...]:
        """The choices of one kind, such as ``decision.of(Discard)``."""
        return tuple(choice for choice in self.choices if isinstance(choice, kind))


@dataclass(frozen=True, slots=True, repr=False)
class RecordedDecision(Decision):
    """A decision of a record, with what was chosen and what followed.

    ``hand`` is the hand's number in the game from 0, ``event`` the index of the event before the
    decision in the hand (a ``ReviewedDecision`` has that of the choice itself). ``chosen`` is one
    of ``choices``, None where it cannot be known (another seat's call or win came first) and while
    the seat was ``absent`` (disconnected).
    """

    hand: int
    event: int
    chosen: Choice | None
    absent: bool
    _seen: tuple[Event, ...] = field(repr=False)

    @property
    def followed(self) -> tuple[Event, ...]:
        """The rest of the hand's events, as the seat sees them, the choice first."""
        return self._seen[self.event + 1 :]

    @property
    def endings(self) -> tuple[Win | AbortiveDraw | ExhaustiveDraw, ...]:
        """How the hand ended: one Win for each winner, or a draw."""
        return tuple(event for event in self.followed if isinstance(event, ENDINGS))

    @property
    def gain(self) -> int:
        """The points that the seat won or lost from here to the hand's end, a riichi deposit and
        payments for tenpai included."""
        paid = sum(
            isinstance(event, RiichiAccepted) and event.seat == self.seat for event in self.followed
        )
        won = sum(e.deltas[self.seat] for e in self.endings if not isinstance(e, AbortiveDraw))
        return won - DEPOSIT * paid


def decisions(game: Game, seat: int | None = None) -> Iterator[RecordedDecision]:
    """Every decision of one seat in a game, in order; of all four where no seat is named.

    A moment with a single choice (a discard in riichi) is no decision. Discards, riichi, the
    discard after it, kans, calls, passes and wins all are. Raises IllegalError with hand and event
    where the record cannot be followed, ArgumentError for what is no Game and for a seat that is
    not 0 to 3.
    """
    check_type(game, "decisions", Game)
    if seat not in (None, 0, 1, 2, 3):
        raise ArgumentError(f"seat {seat!r}: expected 0 to 3")
    seats = [Seat(s) for s in range(4) if seat in (None, s)]
    for number in range(len(game.hands)):
        yield from hand_decisions(game, number, seats)


def hand_decisions(
    game: Game, number: int, seats: Sequence[Seat], forced: bool = False
) -> Iterator[RecordedDecision]:
    """The decisions of some seats in one hand, by its number from 0; ``forced``: also the moments
    in an own turn with a single choice. Raises IllegalError as ``decisions`` does."""
    try:
        yield from _of_hand(game, number, seats, forced)
    except IllegalError as error:
        error.hand = number
        raise


def _of_hand(
    game: Game, number: int, seats: Sequence[Seat], forced: bool
) -> Iterator[RecordedDecision]:
    events = game.hands[number].events
    away = game.absent(number)
    states = {s: SeatState(s, game.header.rules) for s in seats}
    seen = {s: tuple(visible_to(event, s) for event in events) for s in seats}
    for i, event in enumerate(events):
        for s, state in states.items():
            try:
                state.apply(seen[s][i])
            except PositionError as error:
                raise IllegalError(str(error), event=i) from error
        least = 1 if forced and not isinstance(event, Offer) else 2
        for s in _deciding_seats(event):
            options = states[s].options() if s in states else None
            if options is None or len(options.choices) < least:
                continue
            absent = any(t == s and first <= i + 1 < end for t, first, end in away)
            yield RecordedDecision(
                position=states[s].position(),
                choices=options.choices,
                offer=event if isinstance(event, Offer) else None,
                history=seen[s][: i + 1],
                hand=number,
                event=i,
                chosen=None if absent else choice_of(options.choices, s, seen[s][i + 1 :]),
                absent=absent,
                _seen=seen[s],
            )


def _deciding_seats(event: Event) -> tuple[Seat, ...]:
    """The seats that may have a choice after an event, in the order of the turn."""
    if isinstance(event, Offer):
        return tuple(Seat((event.seat + r) % 4) for r in (1, 2, 3))
    return (event.seat,) if isinstance(event, Draw | Riichi | Chi | Pon) else ()


def choice_of(choices: Sequence[Choice], seat: Seat, after: Sequence[Event]) -> Choice | None:
    """The choice that a seat made, by the events that follow; None where it cannot be known."""
    events = (e for e in after if not isinstance(e, _NO_ANSWER))
    first = next(events, None)
    if first is None:
        return None
    answers = any(isinstance(choice, Pass) for choice in choices)
    return _answer(choices, seat, first, events) if answers else _own_turn(choices, first)


def _own_turn(choices: Sequence[Choice], event: Event) -> Choice | None:
    if isinstance(event, Win):
        return _first(choices, Claim)
    if isinstance(event, Ankan):
        kinds = {c.tiles[0].kind: c for c in choices if isinstance(c, Ankan)}
        return kinds.get(event.tiles[0].kind)
    if isinstance(event, Discard):
        # Of two equal tiles the choices may have only one.
        alike = [c for c in choices if isinstance(c, Discard) and c.tile == event.tile]
        return event if event in alike else alike[0] if alike else None
    return next((choice for choice in choices if choice == event), None)


def _answer(
    choices: Sequence[Choice], seat: Seat, first: Event, then: Iterable[Event]
) -> Choice | None:
    if isinstance(first, Win):
        won = any(isinstance(event, Win) and event.seat == seat for event in (first, *then))
        return _first(choices, Claim) if won else None
    if isinstance(first, AbortiveDraw):
        return None
    if isinstance(first, Chi | Pon | Daiminkan):
        if first.seat == seat:
            return next((choice for choice in choices if choice == first), None)
        if not isinstance(first, Chi) and _first(choices, Chi) is not None:
            # A pon or kan comes before a chi, whatever this seat wanted.
            return None
    return _first(choices, Pass)


def _first(choices: Sequence[Choice], kind: type[Choice]) -> Choice | None:
    return next((choice for choice in choices if isinstance(choice, kind)), None)
