"""The four rows of Tenhou's JSON, merged into one order of play by search.

Each seat has a row of takes (draws and calls) and a row of drops (discards, concealed and
added kans). The text does not say *which* discard of several alike was called, so after a
discard the next actor may be ambiguous. The search tries the calls first, checks that every
tile given up is held, that all rows are used up and that the last event fits the result, and
goes back where it fails. A state is named by how much of each row is used and who acts
next; a state that failed is not tried twice, so the search cannot blow up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from haiyomi.errors import IllegalError
from haiyomi.events import (
    DISCARDS,
    DRAWS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    Event,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
)
from haiyomi.tiles import N_CODES, Seat, Tile

Call = Chi | Pon | Daiminkan
Take = Tile | Call
"""A draw's tile, or a call."""


@dataclass(frozen=True, slots=True)
class Drop:
    """A discard; ``tile`` None for the tile just drawn."""

    tile: Tile | None
    riichi: bool


SKIP = Drop(None, False)
"""The placeholder 0 that an open kan leaves among the drops."""
Give = Drop | Kakan | Ankan

MOST_ENTRIES = 64
"""No row of a legal hand is longer."""
_MOST_STEPS = 100_000
_CALL = re.compile(r"((?:[0-9][0-9])*)([cpmka])((?:[0-9][0-9])+)")


def marked(text: str) -> tuple[str, int, list[Tile]]:
    """The letter of a call, the index of the tile that it marks, and all tiles in order."""
    match = _CALL.fullmatch(text) if len(text) < 10 else None
    if match is None:
        raise ValueError(f"{text[:20]!r} is no call")
    digits = match[1] + match[3]
    tiles = [Tile.from_tenhou6(int(digits[i : i + 2])) for i in range(0, len(digits), 2)]
    return match[2], len(match[1]) // 2, tiles


def read_take(entry: object, seat: Seat) -> Take:
    """A draw (a number) or a call such as ``"47p4747"``. Raises ValueError, TileError."""
    if not isinstance(entry, str):
        return Tile.from_tenhou6(entry)  # type: ignore[arg-type]
    letter, index, tiles = marked(entry)
    tile = tiles.pop(index)
    own = tuple(sorted(tiles))
    if letter == "c" and len(own) == 2 and index == 0:
        return Chi(seat, Seat((seat + 3) % 4), tile, own)
    if letter == "p" and len(own) == 2:
        return Pon(seat, Seat((seat + 3 - index) % 4), tile, own)
    if letter == "m" and len(own) == 3 and index != 2:
        return Daiminkan(seat, Seat((seat + (3, 2, 0, 1)[index]) % 4), tile, own)
    raise ValueError(f"{entry[:20]!r} is no call of another's discard")


def read_give(entry: object, seat: Seat) -> Give:
    """A discard (a number, 60 or ``"r..."``), kan (``k``, ``a``) or 0. Raises as above."""
    if not isinstance(entry, str):
        if entry == 0:
            return SKIP
        return Drop(None if entry == 60 else Tile.from_tenhou6(entry), False)  # type: ignore[arg-type]
    if entry[:1] == "r":
        number = int(entry[1:]) if entry[1:].isdecimal() and entry.isascii() else -1
        return Drop(None if number == 60 else Tile.from_tenhou6(number), True)
    letter, index, tiles = marked(entry)
    if letter == "k" and len(tiles) == 4:
        return Kakan(seat, tiles[index])
    if letter == "a" and len(tiles) == 4:
        return Ankan(seat, tuple(sorted(tiles)))
    raise ValueError(f"{entry[:20]!r} is no discard, concealed or added kan")


@dataclass(slots=True)
class _State:
    """A point in the search: what is used of each row, what each seat holds, what happened."""

    taken: list[int]
    given: list[int]
    held: list[list[int]]
    events: list[Event]
    accepts: Seat | None = None
    river: Discard | None = None

    def copy(self) -> _State:
        return _State(
            self.taken[:],
            self.given[:],
            [h[:] for h in self.held],
            self.events[:],
            self.accepts,
            self.river,
        )


@dataclass(slots=True)
class HandRows:
    """The rows of one hand and what its last event must be like."""

    hands: Sequence[Sequence[Tile]]
    takes: list[list[Take]]
    gives: list[list[Give]]
    dealer: Seat
    fits: Callable[[Event], bool]
    furthest: int = field(default=0)

    def merge(self) -> tuple[list[Event], Seat | None]:
        """The events in order, and who declared riichi with the last discard.

        Raises IllegalError if no order of play uses up all rows and fits the result.
        """
        held = [[0] * N_CODES for _ in range(4)]
        for seat, hand in enumerate(self.hands):
            for tile in hand:
                held[seat][tile.code] += 1
        stack: list[tuple[_State, Seat]] = [
            (_State([0] * 4, [0] * 4, held, []), self.dealer),
        ]
        failed: set[tuple[int, ...]] = set()
        steps = 0
        while stack:
            state, seat = stack.pop()
            while True:
                last = -1 if state.river is None else int(state.river.seat)
                key = (*state.taken, *state.given, seat, last)
                steps += 1
                if key in failed or steps > _MOST_STEPS:
                    break
                failed.add(key)
                following = self.turn(state, seat)
                self.furthest = max(self.furthest, len(state.events))
                if following is None:
                    break
                if not following:
                    if self.fits(state.events[-1]):
                        return state.events, state.accepts
                    break
                for other in reversed(following[1:]):
                    stack.append((state.copy(), other))
                seat = following[0]
        raise IllegalError(
            "the rows of draws and discards fit no order of play that ends in the result"
        )

    def turn(self, state: _State, seat: Seat) -> list[Seat] | None:
        """Play one seat's turn; who may be next, [] if the hand is over, None on failure."""
        if state.accepts is not None:
            state.events.append(RiichiAccepted(state.accepts))
            state.accepts = None
        river, state.river = state.river, None
        held = state.held[seat]
        drawn: Tile | None = None
        rinshan = False
        while True:
            at = state.taken[seat]
            if at >= len(self.takes[seat]):
                return None
            take = self.takes[seat][at]
            state.taken[seat] += 1
            if isinstance(take, Tile):
                if river is not None and river.seat != (seat + 3) % 4:
                    return None
                state.events.append(Draw(seat, take, True) if rinshan else DRAWS[seat][take.code])
                held[take.code] += 1
                drawn = take
            else:
                if river is None or river.seat != take.target or river.tile != take.tile:
                    return None
                for tile in take.consumed:
                    held[tile.code] -= 1
                    if held[tile.code] < 0:
                        return None
                state.events.append(take)
                if isinstance(take, Daiminkan):
                    at = state.given[seat]
                    if at >= len(self.gives[seat]) or self.gives[seat][at] is not SKIP:
                        return None
                    state.given[seat] += 1
                    river, rinshan = None, True
                    continue
            river = None
            at = state.given[seat]
            if at >= len(self.gives[seat]):
                return [] if self.used_up(state) and drawn is not None else None
            give = self.gives[seat][at]
            state.given[seat] += 1
            if isinstance(give, Drop):
                return self.discard(state, seat, give, drawn)
            for tile in give.tiles if isinstance(give, Ankan) else (give.tile,):
                held[tile.code] -= 1
                if held[tile.code] < 0:
                    return None
            state.events.append(give)
            if self.used_up(state):
                return []
            rinshan = True

    def discard(
        self, state: _State, seat: Seat, give: Drop, drawn: Tile | None
    ) -> list[Seat] | None:
        tile = drawn if give.tile is None else give.tile
        if tile is None or give is SKIP:
            return None
        held = state.held[seat]
        held[tile.code] -= 1
        if held[tile.code] < 0:
            return None
        if give.riichi:
            state.events.append(Riichi(seat))
            state.accepts = seat
        state.river = DISCARDS[seat][tile.code][give.tile is None]
        state.events.append(state.river)
        if self.used_up(state):
            return []
        callers: list[Seat] = []
        natural: list[Seat] = []
        for step in (1, 2, 3):
            other = Seat((seat + step) % 4)
            at = state.taken[other]
            if at >= len(self.takes[other]):
                continue
            take = self.takes[other][at]
            if isinstance(take, Tile):
                if step == 1:
                    natural.append(other)
            elif take.target == seat and take.tile == tile:
                (natural if isinstance(take, Chi) else callers).append(other)
        return callers + natural or None

    def used_up(self, state: _State) -> bool:
        return all(
            state.taken[s] == len(self.takes[s]) and state.given[s] == len(self.gives[s])
            for s in range(4)
        )
