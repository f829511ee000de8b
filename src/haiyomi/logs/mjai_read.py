"""mjai JSON lines to events.

One JSON object a line. Two dialects are common: the original (``uradora_markers``, ``pai``,
``yakus``, ``fu``, ``fan``, ``scores``) and the lean one of newer programs (``ura_markers``,
nulls left out). Both are read, mixed if need be. ``LiveStream`` reads what one seat gets at a
table, in which other hands and draws are ``"?"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from haiyomi.errors import (
    FormatError,
    RecordError,
    SizeError,
    TileError,
    UnsupportedError,
    not_json,
)
from haiyomi.events import (
    DISCARDS,
    DRAWS,
    ENDINGS,
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    FourScores,
    HiddenDraw,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.logs import fields
from haiyomi.logs.endings import nagashi_seats, tenpai_seats, untold_draw
from haiyomi.logs.limits import MOST_EVENTS, MOST_LINE
from haiyomi.logs.mjai_names import (
    DRAGONS,
    LIMITS,
    NAGASHI,
    REASONS,
    REASONS_OF_RIICHIENV,
    yaku_id,
)
from haiyomi.rules import DEPOSIT
from haiyomi.tiles import Seat, Tile

_WINDS = {"E": 0, "S": 1, "W": 2, "N": 3}
_ABORTIVE = {name: reason for reason, name in REASONS.items() if reason is not None}
_ABORTIVE["suchareachi"] = _ABORTIVE["sucha_riichi"] = "four-riichi"
_ABORTIVE["sanchahou"] = "triple-ron"
_IGNORED = frozenset({"none", "hello", "join", "error", "end_kyoku"})
_NOTHING: FourScores = (0, 0, 0, 0)


class _UnknownType(ValueError):
    """A message of a type that mjai does not have; the text names the type."""


class Stream:
    """The fold over mjai messages: what the later ones leave out is known from the earlier."""

    def __init__(self) -> None:
        self.scores: FourScores = (25000, 25000, 25000, 25000)
        self.sticks = 0
        self.kyoku = 0
        self.events: list[Event] = []
        self.masked = False
        self.unpaid = False  # a win whose payments the last hand did not tell

    def message(self, m: dict[str, Any]) -> Event | None:
        """The event of one message, None if it is none. Raises ValueError, TileError..."""
        kind = m["type"]
        event: Event
        if kind == "tsumo":
            event = self.tsumo(m)
        elif kind == "dahai":
            event = self.dahai(m)
        elif kind == "start_kyoku":
            # The deal is a second event: events() yields it after this one.
            self.events = []
            event = self.start(m)
        elif kind == "chi" or kind == "pon" or kind == "daiminkan":
            event = _call(kind, m)
        elif kind == "ankan":
            event = Ankan(fields.seat(m["actor"]), _tiles(m["consumed"], 4))
        elif kind == "kakan":
            event = Kakan(fields.seat(m["actor"]), Tile.from_mjai(m["pai"]))
        elif kind == "dora":
            event = DoraReveal(Tile.from_mjai(m["dora_marker"]))
        elif kind == "reach":
            event = Riichi(fields.seat(m["actor"]))
        elif kind == "reach_accepted":
            event = RiichiAccepted(fields.seat(m["actor"]))
            self.pay(tuple(-DEPOSIT * (s == event.seat) for s in range(4)))
            self.sticks += 1
        elif kind == "hora":
            won = self.hora(m)
            if won is None:
                return None
            event = won
        elif kind == "ryukyoku":
            event = self.ryukyoku(m)
        elif kind in _IGNORED:
            return None
        else:
            raise _UnknownType(f"no message of type {str(kind)[:40]!r}")
        if not self.events and not isinstance(event, Start):
            raise ValueError(f"{kind} before start_kyoku")
        if self.events and isinstance(self.events[-1], ENDINGS) and not isinstance(event, Win):
            raise ValueError(f"{kind} after the end of the hand")
        if len(self.events) == MOST_EVENTS:
            raise ValueError(f"a hand of more than {MOST_EVENTS} events")
        self.events.append(event)
        return event

    def pay(self, deltas: tuple[int, ...]) -> None:
        a, b, c, d = (s + p for s, p in zip(self.scores, deltas, strict=True))
        self.scores = a, b, c, d

    def start(self, m: dict[str, Any]) -> Start:
        number = fields.integer(m["kyoku"], 1, 4, "kyoku") - 1
        wind = fields.text(m["bakaze"], "bakaze")
        if wind not in _WINDS:
            raise ValueError(f"bakaze {wind!r} is no wind")
        self.kyoku = 4 * _WINDS[wind] + number
        if fields.seat(m.get("oya", number), "oya") != number:
            raise ValueError(f"dealer {m['oya']} in kyoku {number + 1}")
        if m.get("scores") is not None:
            if len(fields.array(m["scores"], "scores")) == 3:
                raise UnsupportedError("is a three-player record, which haiyomi does not read")
            self.scores = fields.points(m["scores"], "scores")
        if m.get("kyotaku") is not None:
            self.sticks = fields.integer(m["kyotaku"], 0, 999, "kyotaku")
        honba = fields.integer(m.get("honba", 0), 0, 999, "honba")
        indicator = Tile.from_mjai(m["dora_marker"])
        return Start(self.kyoku, honba, self.sticks, self.scores, indicator)

    def deal(self, m: dict[str, Any]) -> Deal | OwnDeal:
        hands = fields.array(m["tehais"], "tehais", 4)
        hidden = [
            s for s, h in enumerate(hands) if all(t == "?" for t in fields.array(h, "tehai", 13))
        ]
        event: Deal | OwnDeal
        if not hidden:
            event = Deal(tuple(_tiles(h, 13) for h in hands))
        elif len(hidden) == 3:
            (seat,) = {0, 1, 2, 3} - set(hidden)
            event = OwnDeal(Seat(seat), _tiles(hands[seat], 13))
            self.masked = True
        else:
            raise ValueError(f"{len(hidden)} of four hands are hidden")
        self.events.append(event)
        return event

    def tsumo(self, m: dict[str, Any]) -> Draw | HiddenDraw:
        seat = fields.seat(m["actor"])
        before = next((e for e in reversed(self.events) if not isinstance(e, DoraReveal)), None)
        rinshan = isinstance(before, Ankan | Kakan | Daiminkan)
        if m["pai"] == "?":
            self.masked = True
            return HiddenDraw(seat, rinshan)
        tile = Tile.from_mjai(m["pai"])
        return Draw(seat, tile, True) if rinshan else DRAWS[seat][tile.code]

    def dahai(self, m: dict[str, Any]) -> Discard:
        tile = Tile.from_mjai(m["pai"])
        tsumogiri = m["tsumogiri"]
        if tsumogiri is not True and tsumogiri is not False:
            raise ValueError(f"tsumogiri {str(tsumogiri)[:40]!r} is neither true nor false")
        return DISCARDS[fields.seat(m["actor"])][tile.code][tsumogiri]

    def deltas(self, m: dict[str, Any]) -> FourScores | None:
        """The changes of an ending, from themselves or from the scores after it."""
        if m.get("deltas") is not None:
            found = fields.points(m["deltas"], "deltas")
            self.pay(found)
            return found
        if m.get("scores") is not None:
            after = fields.points(m["scores"], "scores")
            a, b, c, d = (x - y for x, y in zip(after, self.scores, strict=True))
            self.scores = after
            return a, b, c, d
        return None

    def hora(self, m: dict[str, Any]) -> Win | None:
        seat, target = fields.seat(m["actor"]), fields.seat(m["target"])
        deltas = self.deltas(m)
        self.unpaid = deltas is None
        if m.get("pai") is not None:
            tile = Tile.from_mjai(m["pai"])
        else:
            won = self.winning_tile()
            if won is None:
                return None  # another's self-draw that the stream does not show
            tile = won
        markers = m.get("uradora_markers") or m.get("ura_markers") or []
        ura = _tiles(markers, None)
        # Some programs show the indicators with every win; only a riichi winner's are real.
        if not any(isinstance(e, Riichi) and e.seat == seat for e in self.events):
            ura = ()
        fu = m.get("fu")
        worth = m.get("hora_points")
        self.sticks = 0
        return Win(
            seat,
            target,
            tile,
            deltas or _NOTHING,
            ura,
            self.yaku(m.get("yakus"), seat, None if seat == target else tile),
            None if fu is None else fields.integer(fu, 0, 999, "fu"),
            None if worth is None else fields.integer(worth, 0, fields.MOST_POINTS, "points"),
        )

    def winning_tile(self) -> Tile | None:
        last = next(
            (e for e in reversed(self.events) if not isinstance(e, DoraReveal | Riichi | Win)),
            None,
        )
        if isinstance(last, Draw | Discard | Kakan):
            return last.tile
        if isinstance(last, Ankan):
            return last.tiles[0]
        if isinstance(last, HiddenDraw):
            return None
        raise ValueError("hora without pai where no tile can be won on")

    def yaku(
        self, value: object, seat: Seat, called: Tile | None
    ) -> tuple[tuple[int, int], ...] | None:
        """Ids and han of a win by ``seat``, perhaps on another's tile; None if a name is of other
        rules."""
        if not value:
            return None
        found: list[tuple[int, int]] = []
        dragons: Iterator[int] | None = None
        for entry in fields.array(value, "yakus"):
            name, fan = fields.array(entry, "yaku", 2)
            if name == DRAGONS:
                dragons = dragons or self.dragons(seat, called)
                ident = next(dragons, None)
            else:
                ident = yaku_id(fields.text(name, "yaku"), seat, self.kyoku)
            if ident is None:
                return None
            han = 13 if ident in LIMITS else fields.integer(fan, 0, 99, "fan")
            if han:
                found.append((ident, han))
        return tuple(found)

    def dragons(self, seat: Seat, called: Tile | None) -> Iterator[int]:
        """The yaku of the dragons of which a winner has three: their one name tells no colour."""
        own: list[int] = [] if called is None else [called.kind]
        gone: list[int] = []
        for event in self.events:
            match event:
                case Deal(hands):
                    own += [tile.kind for tile in hands[seat]]
                case Draw(who, tile) | Pon(who, tile=tile) | Daiminkan(who, tile=tile):
                    own += [tile.kind] * (who == seat)
                case Discard(who, tile):
                    gone += [tile.kind] * (who == seat)
        for ident, kind in ((18, 31), (19, 32), (20, 33)):
            if own.count(kind) - gone.count(kind) >= 3:
                yield ident

    def ryukyoku(self, m: dict[str, Any]) -> AbortiveDraw | ExhaustiveDraw:
        deltas = self.deltas(m) or _NOTHING
        reason = m.get("reason")
        if reason is None:
            if not self.events:
                raise ValueError("ryukyoku before start_kyoku")
            return untold_draw(self.events, deltas)
        reason = REASONS_OF_RIICHIENV.get(fields.text(reason, "reason"), reason)
        if reason in _ABORTIVE:
            last = self.events[-1] if self.events else None
            drawer = last.seat if isinstance(last, Draw | HiddenDraw) else None
            return AbortiveDraw(
                _ABORTIVE[reason], drawer if reason == REASONS["nine-terminals"] else None
            )
        tenpai_flags = m.get("tenpais")
        if tenpai_flags is None:
            tenpai = None if reason == NAGASHI else tenpai_seats(deltas)
        else:
            t0, t1, t2, t3 = fields.array(tenpai_flags, "tenpais", 4)
            tenpai = (t0, t1, t2, t3)
            if not all(t is True or t is False for t in tenpai):
                raise ValueError(f"tenpais {str(tenpai)[:40]} are not true or false")
        if reason == NAGASHI:
            seats = nagashi_seats(deltas, self.kyoku % 4)
            if seats is None:
                raise ValueError(f"payments {deltas} are of no nagashi mangan")
            return ExhaustiveDraw(deltas, tenpai, seats)
        if reason != REASONS[None]:
            raise ValueError(f"no draw of reason {str(reason)[:40]!r}")
        return ExhaustiveDraw(deltas, tenpai)


def _tiles(value: object, length: int | None) -> tuple[Tile, ...]:
    tiles = fields.array(value, "tiles", length)
    if len(tiles) > 14:
        raise ValueError(f"{len(tiles)} tiles")
    return tuple(Tile.from_mjai(t) for t in tiles)


def _call(kind: str, m: dict[str, Any]) -> Chi | Pon | Daiminkan:
    seat, target, tile = fields.seat(m["actor"]), fields.seat(m["target"]), m["pai"]
    own = tuple(sorted(_tiles(m["consumed"], 3 if kind == "daiminkan" else 2)))
    made = Chi if kind == "chi" else Pon if kind == "pon" else Daiminkan
    return made(seat, target, Tile.from_mjai(tile), own)


def messages(
    lines: Iterable[str], name: str, strict: bool = False
) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number from 0, message) of the lines that are not blank."""
    for number, line in enumerate(lines):
        if not line or line.isspace():
            continue
        if len(line) > MOST_LINE:
            raise SizeError(f"line {number + 1} has more than {MOST_LINE} characters", name)
        try:
            value = fields.decode_json(line, strict)
        except SizeError as error:
            raise SizeError(f"line {number + 1}: {error.what}", name) from None
        except ValueError as error:
            raise FormatError(
                f"line {number + 1} is not JSON: {not_json(error)}", name, value=line[:80]
            ) from None
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            raise FormatError(f"line {number + 1} is not an mjai message", name, value=line[:80])
        yield number, value


def message_events(
    stream: Stream,
    number: int,
    message: dict[str, Any],
    name: str | None,
    hand: int | None,
    noun: str = "line",
) -> list[Event]:
    """The events of one message, line ``number`` (from 0) of ``name``; ``noun`` is what errors
    call a line. Raises RecordError."""
    kind = message["type"]
    if kind in ("start_game", "end_game"):
        return []
    try:
        event = stream.message(message)
        found: list[Event] = [] if event is None else [event]
        if kind == "start_kyoku":
            found.append(stream.deal(message))
        return found
    except KeyError as error:
        what = f"{noun} {number + 1}, {kind}, lacks {error}"
    except _UnknownType as error:
        what = f"{noun} {number + 1}: {error}"
    except (ValueError, TileError) as error:
        what = f"{noun} {number + 1}, {kind}: {error}"
    except RecordError as error:
        error.file, error.hand = name, hand
        raise
    raise FormatError(what, name, hand, len(stream.events))


Mark: TypeAlias = tuple[dict[str, Any], int]
"""The attributes of a Stream, and how many events the hand had: its list only grows."""


class LiveStream:
    """One seat's live stream, message by message; after an error it goes on as it was.

    Hidden deals and draws become ``OwnDeal`` and ``HiddenDraw``. Reveals stand where the stream
    tells them. A win whose payments the stream does not tell has changes of 0; another's self-draw
    win of an unknown tile is left out.
    """

    def __init__(self) -> None:
        self._stream = Stream()

    def feed(self, message: dict[str, Any], number: int) -> list[Event]:
        """The events of message ``number`` (from 0), which has a ``type``.

        Raises RecordError, which names the message by its number alone.
        """
        mark = self.mark()
        try:
            return message_events(self._stream, number, message, None, None, "message")
        except RecordError as error:
            self.back_to(mark)
            error.event = None
            raise

    def mark(self) -> Mark:
        """Where the stream is, for ``back_to``."""
        return vars(self._stream).copy(), len(self._stream.events)

    def back_to(self, mark: Mark) -> None:
        """Forget the messages that ``feed`` has taken since."""
        state, events = mark
        vars(self._stream).update(state)
        del self._stream.events[events:]
