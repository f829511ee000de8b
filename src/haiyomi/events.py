"""What happens at a table: frozen events, and a Game made of them.

A *hand* (kyoku) is one deal until a win or a draw; a Game is a header and its hands. Events
carry tiles as kind and red flag. Seats are absolute: 0 is the first dealer of the game.

Canonical order, kept by every reader: ``Start``, ``Deal``, then the turns. A riichi is
``Riichi``, ``Discard``, ``RiichiAccepted`` (absent when the discard was won on). A kan is
followed by ``Draw(rinshan=True)``; the new indicator's ``DoraReveal`` stands directly before
that draw for a concealed kan, and for the other kans directly before the discard (or the
draw of a further kan) that follows it. A hand ends with one ``Win`` for each winner, in the
order of the turn after the discarder, or with one ``AbortiveDraw`` or ``ExhaustiveDraw``.

``visible_to(event, seat)`` is the event as that seat sees it. What a seat may not see has no
place in the type it gets: another's ``Draw`` becomes ``HiddenDraw``, the ``Deal`` becomes
``OwnDeal``, and the ura indicators of a win are public only when the win shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from haiyomi.rules import DEPOSIT, TENHOU, Ruleset
from haiyomi.tiles import TILES, Seat, Tile, TileId

FourScores: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Start:
    """A hand begins: ``kyoku`` 0 = East 1, 4 = South 1, ...; the dealer is ``kyoku % 4``.

    ``honba`` counters (each worth 300 to the winner), ``sticks`` riichi deposits on the
    table (1000 each), ``scores`` in points by absolute seat, ``indicator`` the first dora
    indicator.
    """

    kyoku: int
    honba: int
    sticks: int
    scores: FourScores
    indicator: Tile

    @property
    def dealer(self) -> Seat:
        return Seat(self.kyoku % 4)


@dataclass(frozen=True, slots=True)
class Deal:
    """The four starting hands of thirteen tiles, by absolute seat (order kept as dealt)."""

    hands: tuple[tuple[Tile, ...], ...]


@dataclass(frozen=True, slots=True)
class OwnDeal:
    """What one seat sees of a Deal."""

    seat: Seat
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw from the wall, or after a kan (``rinshan``) from the dead wall."""

    seat: Seat
    tile: Tile
    rinshan: bool = False


@dataclass(frozen=True, slots=True)
class HiddenDraw:
    """Another seat's draw."""

    seat: Seat
    rinshan: bool = False


@dataclass(frozen=True, slots=True)
class Discard:
    """A discard: *tsumogiri* if it is the tile just drawn, else *tedashi* (from the hand)."""

    seat: Seat
    tile: Tile
    tsumogiri: bool


@dataclass(frozen=True, slots=True)
class Riichi:
    """The declaration, before its discard."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RiichiAccepted:
    """The deposit of 1000, once nobody won on the declaration tile."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Chi:
    """A sequence called from the left; ``consumed`` are the two own tiles, ascending."""

    seat: Seat
    target: Seat
    tile: Tile
    consumed: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Pon:
    """A triplet called from ``target``; ``consumed`` are the two own tiles."""

    seat: Seat
    target: Seat
    tile: Tile
    consumed: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Daiminkan:
    """An open kan called from ``target``; ``consumed`` are the three own tiles."""

    seat: Seat
    target: Seat
    tile: Tile
    consumed: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Ankan:
    """A concealed kan of four own tiles; under some rules thirteen orphans can win on its
    ``tile``."""

    seat: Seat
    tiles: tuple[Tile, ...]

    @property
    def tile(self) -> Tile:
        """One of the four."""
        return self.tiles[0]


@dataclass(frozen=True, slots=True)
class Kakan:
    """A tile added to an own pon (an added kan); it can be won on (chankan)."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True)
class DoraReveal:
    """A further dora indicator, after a kan."""

    indicator: Tile


@dataclass(frozen=True, slots=True)
class Win:
    """A win as the record states it; tsumo where ``target == seat``.

    ``deltas`` are the changes of all scores through this win, honba and riichi deposits
    included (a deposit leaves its owner at ``RiichiAccepted``, not here). ``ura`` are the
    ura indicators, shown for a riichi winner. The fields below are None where the record's
    format has no place for them: ``yaku`` as (Tenhou yaku id, han) pairs, limit hands with
    13 han each, in the record's order, entries of 0 han dropped; ``han`` their sum (13 a
    yakuman); ``fu``; ``points`` the hand's worth without honba and sticks (the sum of what
    all pay). ``pao`` is who is liable for a limit hand, if anyone.
    """

    seat: Seat
    target: Seat
    tile: Tile
    deltas: FourScores
    ura: tuple[Tile, ...] = ()
    yaku: tuple[tuple[int, int], ...] | None = None
    fu: int | None = None
    points: int | None = None
    pao: Seat | None = None

    @property
    def tsumo(self) -> bool:
        return self.seat == self.target

    @property
    def han(self) -> int | None:
        return None if self.yaku is None else sum(h for _, h in self.yaku)


AbortiveReason: TypeAlias = Literal[
    "nine-terminals", "four-winds", "four-riichi", "four-kans", "triple-ron"
]


@dataclass(frozen=True, slots=True)
class AbortiveDraw:
    """The hand is dealt again; ``seat`` is who declared nine terminals, else None."""

    reason: AbortiveReason
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class ExhaustiveDraw:
    """The wall is empty. ``tenpai`` by absolute seat; ``nagashi`` who made nagashi mangan.

    ``deltas`` are the payments between tenpai and noten, or for the nagashi mangan.
    ``tenpai`` is None where the format has no place for it and the payments do not tell.
    """

    deltas: FourScores
    tenpai: tuple[bool, bool, bool, bool] | None
    nagashi: tuple[Seat, ...] = ()


Event: TypeAlias = (
    Start
    | Deal
    | OwnDeal
    | Draw
    | HiddenDraw
    | Discard
    | Riichi
    | RiichiAccepted
    | Chi
    | Pon
    | Daiminkan
    | Ankan
    | Kakan
    | DoraReveal
    | Win
    | AbortiveDraw
    | ExhaustiveDraw
)
Offer: TypeAlias = Discard | Kakan | Ankan
"""What other seats may claim the ``tile`` of."""
ENDINGS = (Win, AbortiveDraw, ExhaustiveDraw)


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand (kyoku): its events in canonical order.

    ``copies`` is provenance of mjlog and plays no part in equality: the tile ids that the
    events name, in the order of the events and of their fields (indicator, 52 dealt, then one
    a draw, discard or indicator, the called tile and the consumed ones of a call, the winning
    tile and the ura indicators of a win), None where the format has no copy numbers.
    """

    events: tuple[Event, ...]
    copies: tuple[TileId, ...] | None = field(default=None, compare=False, repr=False)

    @property
    def start(self) -> Start:
        first = self.events[0]
        assert isinstance(first, Start)
        return first


def _writable(text: str) -> str:
    """A text that UTF-8 can write: JSON may name half a character (a lone surrogate)."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def by_place(scores: Sequence[int]) -> tuple[Seat, Seat, Seat, Seat]:
    """The seats from first to last place by their four scores; of equal scores the seat nearer to
    the first dealer is ahead."""
    a, b, c, d = sorted(range(4), key=lambda seat: -scores[seat])
    return Seat(a), Seat(b), Seat(c), Seat(d)


def final_scores(scores: FourScores, sticks: int) -> FourScores:
    """Scores at the game's end: deposits left on the table go to the first place."""
    first = by_place(scores)[0]
    a, b, c, d = (p + DEPOSIT * sticks * (s == first) for s, p in enumerate(scores))
    return a, b, c, d


@dataclass(frozen=True, slots=True)
class Header:
    """What a record says about the game as a whole.

    ``names`` by absolute seat (empty text if unknown). ``final`` the final scores in points,
    None if the record is a fragment or has no place for them. ``extra`` holds what only some
    formats know (dan, rate, sex, lobby, ref, title ...), as sorted (name, text) pairs, and
    plays no part in equality.
    """

    names: tuple[str, str, str, str] = ("", "", "", "")
    rules: Ruleset = TENHOU
    final: FourScores | None = None
    extra: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        a, b, c, d = map(_writable, self.names)
        object.__setattr__(self, "names", (a, b, c, d))
        extra = tuple((name, _writable(text)) for name, text in self.extra)
        object.__setattr__(self, "extra", extra)

    @property
    def places(self) -> tuple[int, int, int, int] | None:
        """The place of each absolute seat, 1 to 4; of equal scores the seat nearer to the first
        dealer is ahead. None without final scores."""
        if (final := self.final) is None:
            return None
        order = by_place(final)
        a, b, c, d = (order.index(Seat(seat)) + 1 for seat in range(4))
        return a, b, c, d


@dataclass(frozen=True, slots=True)
class Absence:
    """A seat's line drops, or is ``back``, just before event ``event`` of hand ``hand``.

    ``hand`` is 0-based; ``event`` may equal the number of the hand's events. While a seat is
    absent the server discards what it draws.
    """

    hand: int
    event: int
    seat: Seat
    back: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    """A header and the hands played; ``absences``, in order, play no part in equality."""

    header: Header
    hands: tuple[Hand, ...]
    absences: tuple[Absence, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        return f"<Game of {', '.join(map(repr, self.header.names))}, hands: {len(self.hands)}>"

    def __iter__(self) -> Iterator[Hand]:
        return iter(self.hands)

    def absent(self, hand: int) -> tuple[tuple[Seat, int, int], ...]:
        """Who was absent in a hand: (seat, first event, end) with the end excluded.

        A record names an absence when it is noticed: discards of the drawn tile right before it
        count as made for the seat.
        """
        away: dict[Seat, int] = {}
        spans: list[tuple[Seat, int, int]] = []
        for absence in self.absences:
            if absence.hand > hand:
                break
            at = absence.event if absence.hand == hand else 0
            if not absence.back:
                away.setdefault(absence.seat, at)
            elif absence.seat in away:
                first = away.pop(absence.seat)
                if absence.hand == hand and at > first:
                    spans.append((absence.seat, self._begun(hand, absence.seat, first), at))
        end = len(self.hands[hand].events)
        spans.extend(
            (seat, self._begun(hand, seat, first), end)
            for seat, first in away.items()
            if first < end
        )
        return tuple(spans)

    def _begun(self, hand: int, seat: Seat, event: int) -> int:
        """The draw of a seat with which the discards of the drawn tile begin that end before an
        event of the hand; the event itself without any."""
        first, events = event, self.hands[hand].events
        for i in range(event - 1, 0, -1):
            made = events[i]
            if isinstance(made, Draw) and made.seat == seat:
                first = i
            elif getattr(made, "seat", None) == seat and not (
                isinstance(made, Discard) and made.tsumogiri
            ):
                break
        return first


_HIDDEN_DRAWS = {
    (s, rinshan): HiddenDraw(Seat(s), rinshan) for s in range(4) for rinshan in (False, True)
}


def visible_to(event: Event, seat: int) -> Event:
    """The event as ``seat`` sees it (see the module's text)."""
    if isinstance(event, Draw):
        return event if event.seat == seat else _HIDDEN_DRAWS[event.seat, event.rinshan]
    if isinstance(event, Deal):
        return OwnDeal(Seat(seat), event.hands[seat])
    return event


# Events are immutable, so the common ones are made once: readers take them from here.
DRAWS: tuple[tuple[Draw, ...], ...] = tuple(
    tuple(Draw(Seat(s), tile) for tile in TILES) for s in range(4)
)
"""``DRAWS[seat][code]``: a plain draw."""
DISCARDS: tuple[tuple[tuple[Discard, Discard], ...], ...] = tuple(
    tuple((Discard(Seat(s), tile, False), Discard(Seat(s), tile, True)) for tile in TILES)
    for s in range(4)
)
"""``DISCARDS[seat][code][tsumogiri]``."""
