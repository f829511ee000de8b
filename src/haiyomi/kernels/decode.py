"""The events of a hand from its words: the inverse of ``kernels.replay.encode``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from haiyomi.errors import IllegalError
from haiyomi.events import (
    DISCARDS,
    DRAWS,
    AbortiveDraw,
    AbortiveReason,
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    FourScores,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.tiles import TILES, Seat, Tile

_REASONS: Final[tuple[AbortiveReason, ...]] = (
    "nine-terminals",
    "four-winds",
    "four-riichi",
    "four-kans",
    "triple-ron",
)
_HANDS: Final = 13


def decode(words: Sequence[int]) -> tuple[Event, ...]:
    """The events of a hand; ``words`` as ``cpp/core/replay.hpp`` says, such as a list.

    Raises IllegalError, with the number of the event, for words that are none.
    """
    reader = _Reader(words)
    events: list[Event] = []
    try:
        while reader.at < len(words):
            events.append(reader.event())
    except (IndexError, KeyError):
        raise IllegalError("the words of the hand are damaged", event=len(events)) from None
    return tuple(events)


def length_of(words: Sequence[int], events: int) -> int:
    """How many words the first ``events`` of a hand have. Raises IllegalError as ``decode``."""
    reader = _Reader(words)
    read = 0
    try:
        for read in range(events):  # noqa: B007 - the error names it
            reader.event()
    except (IndexError, KeyError):
        raise IllegalError("the words of the hand are damaged", event=read) from None
    return reader.at


class _Reader:
    """Reads words in order; ``at`` is the next one's place."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = words
        self.at = 0

    def event(self) -> Event:
        word = self.words[self.at]
        if word < 0:
            raise IndexError
        self.at += 1
        code, seat, flag = word >> 4 & 63, word >> 12 & 3, bool(word >> 10 & 1)
        return _READERS[word & 15](self, TILES[code], Seat(seat), Seat(word >> 14 & 3), flag)

    def number(self) -> int:
        self.at += 1
        return self.words[self.at - 1]

    def known(self) -> int | None:
        """A number, of which -1 means that it is not stated."""
        number = self.number()
        return None if number < 0 else number

    def four(self) -> FourScores:
        return self.number(), self.number(), self.number(), self.number()

    def tiles(self, n: int | None = None) -> tuple[Tile, ...]:
        """Some tiles after their number, or ``n``."""
        codes = [self.number() for _ in range(self.number() if n is None else n)]
        if any(code < 0 for code in codes):
            raise IndexError
        return tuple(TILES[code] for code in codes)

    def deal(self) -> Deal:
        if self.four() != (_HANDS,) * 4:
            raise IndexError
        a, b, c, d = (self.tiles(_HANDS) for _ in range(4))
        return Deal((a, b, c, d))

    def win(self, tile: Tile, seat: Seat, target: Seat) -> Win:
        deltas, ura = self.four(), self.tiles()
        n_yaku = self.number()
        yaku = tuple((self.number(), self.number()) for _ in range(n_yaku))
        fu, points, pao = self.known(), self.known(), self.known()
        liable = None if pao is None else Seat(pao)
        stated = None if n_yaku < 0 else yaku
        return Win(seat, target, tile, deltas, ura, stated, fu, points, liable)

    def abort(self) -> AbortiveDraw:
        reason = _REASONS[self.number()]
        seat = self.known()
        return AbortiveDraw(reason, None if seat is None else Seat(seat))

    def exhaustive(self) -> ExhaustiveDraw:
        deltas, tenpai, nagashi = self.four(), self.number(), self.number()
        a, b, c, d = (bool(tenpai >> s & 1) for s in range(4))
        ready = None if tenpai < 0 else (a, b, c, d)
        return ExhaustiveDraw(deltas, ready, tuple(Seat(s) for s in range(4) if nagashi >> s & 1))


# Each takes the reader, and of the first word the tile, seat, target and flag.
_READERS: Final[dict[int, Callable[[_Reader, Tile, Seat, Seat, bool], Event]]] = {
    0: lambda r, t, s, o, f: Start(r.number(), r.number(), r.number(), r.four(), t),
    1: lambda r, t, s, o, f: r.deal(),
    2: lambda r, t, s, o, f: Draw(s, t, True) if f else DRAWS[s][t.code],
    3: lambda r, t, s, o, f: DISCARDS[s][t.code][f],
    4: lambda r, t, s, o, f: Riichi(s),
    5: lambda r, t, s, o, f: RiichiAccepted(s),
    6: lambda r, t, s, o, f: Chi(s, o, t, r.tiles()),
    7: lambda r, t, s, o, f: Pon(s, o, t, r.tiles()),
    8: lambda r, t, s, o, f: Daiminkan(s, o, t, r.tiles()),
    9: lambda r, t, s, o, f: Ankan(s, r.tiles()),
    10: lambda r, t, s, o, f: Kakan(s, t),
    11: lambda r, t, s, o, f: DoraReveal(t),
    12: lambda r, t, s, o, f: r.win(t, s, o),
    13: lambda r, t, s, o, f: r.abort(),
    14: lambda r, t, s, o, f: r.exhaustive(),
}
