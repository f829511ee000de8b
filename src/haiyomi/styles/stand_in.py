"""The stand-in, speaking mjai: one JSON message a line in, one answer a line out.

It answers every line (``{"type": "none"}`` where it has nothing to do), or an array of messages
in one line with one answer to the last. It may be told of a game in the middle: it plays from
what it has been told. A message that is none, or that cannot follow what came before, is
answered with ``{"type": "error", "message": ...}`` and is otherwise as if it had not been sent;
where the state was lost by it, the stand-in discards what it draws until the next hand, and
counts every such *fallback*.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.events import Discard, Event, Kakan, OwnDeal, Pon, visible_to
from haiyomi.logs.mjai_read import LiveStream
from haiyomi.logs.mjai_write import action
from haiyomi.play.player import Choice, Claim, Options, Pass
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy_network import Floats
from haiyomi.tiles import Seat, Tile

Message = dict[str, Any]
NONE: Message = {"type": "none"}
_QUIET = frozenset({"start_game", "end_game", "end_kyoku", "none", "error", "hello"})
_ENDINGS = frozenset({"hora", "ryukyoku"})
LONGEST = 100_000
"""Characters of a line; a whole game so far in one array is some 60,000."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision put to the seat while somebody else plays it, and what followed."""

    options: Options
    packed: bytes
    after: list[Event] = field(default_factory=list)


class MjaiBot:
    """One seat of mjai games, played by an Imitator that ``player(seat)`` makes for each game.

    ``seat``: where the stream does not tell it by ``id`` or by the one hand it shows.
    ``watching``: somebody else plays; the decisions put to the seat are kept in ``asked``, and
    the answer is always none. ``seconds`` holds how long each decision took.
    """

    def __init__(self, player: Any, seat: int | None = None, watching: bool = False) -> None:
        self._make = player
        self._given = seat
        self.watching = watching
        self.seat: Seat | None = None if seat is None else Seat(seat)
        self.asked: list[Asked] = []
        self.seconds: list[float] = []
        self.fallbacks = 0
        self.errors = 0
        self.player: Imitator | None = None
        self._stream = LiveStream("stdin")
        self._pons: dict[tuple[Seat, int], Pon] = {}
        self._lost = False
        self._last: Event | None = None

    def line(self, text: str) -> str:
        """The answer to one line, without its newline."""
        return json.dumps(self.answer(text), separators=(",", ":"))

    def answer(self, text: str) -> Message:
        """The answer to one line as a message."""
        if len(text) > LONGEST:
            return self._error(f"a line of {len(text)} characters")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            return self._error(f"no JSON: {error}")
        messages = value if isinstance(value, list) else [value]
        if not messages:
            return NONE
        for message in messages[:-1]:
            told = self._take(message, False)
            if told["type"] == "error":
                return told
        return self._take(messages[-1], True)

    def take_over(self, style: Floats | None = None) -> None:
        """Play from now on, with a style; until now somebody else did."""
        self.watching = False
        if self.player is not None and style is not None:
            self.player.style = style

    def _error(self, why: str) -> Message:
        self.errors += 1
        return {"type": "error", "message": why}

    def _take(self, message: Any, asked: bool) -> Message:
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            return self._error(f"no mjai message: {str(message)[:60]}")
        kind = message["type"]
        try:
            if kind == "hello":
                return {"type": "join", "name": "haiyomi", "room": message.get("room", "default")}
            if kind == "start_game":
                return self._start_game(message)
            if kind in _QUIET:
                return NONE
            if kind in _ENDINGS:
                return self._ended(message)
            self._observe(message)
        except HaiyomiError as error:
            told = self._error(str(error))
            return self._fall_back(message) or told
        if self.watching:
            self._note()
            return NONE
        return (self._decide() or NONE) if asked else NONE

    def _start_game(self, message: Message) -> Message:
        told = message.get("id")
        seat = self._given if told is None else told
        if seat is not None and (isinstance(seat, bool) or seat not in (0, 1, 2, 3)):
            return self._error(f"start_game: id {str(seat)[:20]!r} is no seat 0 to 3")
        self.seat = None if seat is None else Seat(seat)
        self.player = None
        self._stream = LiveStream("stdin")
        self._lost = False
        return NONE

    def _ended(self, message: Message) -> Message:
        """A hand is over: what it paid matters to the next scores, if to anything."""
        try:
            self._stream.feed(message)
        except HaiyomiError:
            if self.player is None:
                raise
        self._last = None
        return NONE

    def _observe(self, message: Message) -> None:
        kind = message["type"]
        if self._lost and kind != "start_kyoku":
            raise HaiyomiError(f"{kind} after a message that could not be understood")
        events = self._stream.feed(message)
        if kind == "start_kyoku":
            self._begin(events)
        for event in events:
            if self.player is None or self.seat is None:
                raise HaiyomiError(f"{kind} before any start_kyoku")
            seen = visible_to(event, self.seat)
            for earlier in self.asked[-4:]:
                earlier.after.append(seen)
            try:
                self.player.observe(seen)
            except (HaiyomiError, AssertionError, LookupError, ValueError) as error:
                # What cannot follow may have been half taken in.
                self._lost = True
                raise PositionError(f"{kind} cannot follow here ({error})") from None
            self._last = seen
            if isinstance(event, Pon):
                self._pons[event.seat, event.tile.kind] = event

    def _begin(self, events: Iterable[Event]) -> None:
        own = next((e for e in events if isinstance(e, OwnDeal)), None)
        if own is not None:
            if self.seat is not None and own.seat != self.seat:
                raise HaiyomiError(
                    f"start_kyoku shows the hand of seat {own.seat}, not of seat {self.seat}"
                )
            self.seat = own.seat
        if self.seat is None:
            raise HaiyomiError("no seat: start_game has no id, and every hand is shown")
        if self.player is None:
            self.player = self._make(self.seat)
        self._lost = False
        self._pons = {}

    def _options(self) -> Options | None:
        if self.player is None or self._lost:
            return None
        try:
            return self.player.watch.options()
        except (HaiyomiError, AssertionError, LookupError, ValueError):
            self._lost = True  # a state that no game leads to
            return None

    def _note(self) -> None:
        """Keep a decision that somebody else takes."""
        from haiyomi.styles.decisions import pack_decision

        options = self._options()
        if self.player is None or options is None or len(options.choices) < 2:
            return
        offer = self._last if isinstance(self._last, Discard | Kakan) else None
        try:
            packed = pack_decision(self.player.watch.position(), options, offer)
        except ValueError:
            return  # numbers that no game has
        self.asked.append(Asked(options, packed))

    def choices(self) -> list[Message] | None:
        """Everything that the seat may answer now; None where it has nothing to do."""
        options = self._options()
        return None if options is None else [self._message(c) for c in options.choices]

    def _decide(self) -> Message | None:
        options = self._options()
        if self.player is None or options is None:
            return None
        begun = time.perf_counter()
        try:
            choice = options.choices[0] if len(options.choices) == 1 else self.player.act(options)
        except (HaiyomiError, ValueError):
            # The last of the choices is to pass, or to discard.
            self.fallbacks += 1
            choice = options.choices[-1]
        told = self._message(choice)
        if len(options.choices) > 1:
            self.seconds.append(time.perf_counter() - begun)
        return told

    def _message(self, choice: Choice) -> Message:
        if isinstance(choice, Pass):
            return NONE
        if isinstance(choice, Claim):
            return {
                "type": "hora",
                "actor": choice.seat,
                "target": choice.target,
                "pai": self._claimed().mjai,
            }
        return action(choice, self._pons)

    def _claimed(self) -> Tile:
        last = self._last
        if isinstance(last, Discard | Kakan):
            return last.tile
        assert self.player is not None
        drawn = self.player.watch.position().drawn
        assert drawn is not None
        return drawn

    def _fall_back(self, message: Message) -> Message | None:
        """Discard what is drawn while the state is lost; None where nothing is drawn."""
        mine = message.get("type") == "tsumo" and message.get("actor") == self.seat
        if self.watching or not mine or self.seat is None:
            return None
        try:
            tile = Tile.from_mjai(message["pai"])
        except (HaiyomiError, KeyError, TypeError):
            return None
        self.fallbacks += 1
        return {"type": "dahai", "actor": self.seat, "pai": tile.mjai, "tsumogiri": True}
