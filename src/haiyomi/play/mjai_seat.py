"""One seat that speaks mjai: a JSON message in, an answer out.

It answers every message (``{"type": "none"}`` where it has nothing to do); a list of messages gets
one answer, to the last. It can join a game in the middle of a hand. An invalid message, or one that
cannot follow the messages before, is answered with ``{"type": "error", "message": ...}`` and
otherwise ignored. The seat tries each later message. Where its own draw cannot follow either, a
message is missing: it discards the tile drawn, and counts each such *fallback*. Where the message
that a riichi is accepted is missing, the next draw or call shows it.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from typing import Any, Final, TextIO, overload

from haiyomi.errors import HaiyomiError, IllegalError, PositionError, SizeError, not_json
from haiyomi.events import (
    Discard,
    DoraReveal,
    Event,
    Offer,
    OwnDeal,
    Pon,
    Riichi,
    visible_to,
)
from haiyomi.game.position import Position
from haiyomi.logs.fields import decode_json
from haiyomi.logs.mjai_read import LiveStream
from haiyomi.logs.mjai_rules import stated_rules
from haiyomi.logs.mjai_write import Message, action
from haiyomi.play.decision import Decision
from haiyomi.play.player import Choice, Claim, Options, Pass
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import TENHOU, Ruleset, rules_of
from haiyomi.tiles import Seat, Tile

NONE: Final[Message] = {"type": "none"}
_QUIET = frozenset({"start_game", "end_game", "end_kyoku", "none", "error", "hello"})
_ENDINGS = frozenset({"hora", "ryukyoku"})
_AFTER_DISCARD = frozenset({"tsumo", "chi", "pon", "daiminkan"})
_CANNOT_FOLLOW = (HaiyomiError, AssertionError, LookupError, ValueError)
LONGEST: Final = 100_000
"""The most characters of a line; a whole game in one array has about 60,000."""


def lines_of(stream: TextIO) -> Iterator[str]:
    """The lines that are not blank of a stream of which nothing was read yet; of a line longer than
    LONGEST its beginning, which a seat refuses.

    mjai is UTF-8, whatever the encoding of standard input. A byte that is not UTF-8 is read as a
    replacement character.
    """
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace")
    while line := stream.readline(LONGEST + 1):
        end = line
        while len(end) > LONGEST and end[-1] != "\n":
            end = stream.readline(LONGEST + 1)
        if line.strip():
            yield line


class MjaiSeat(ABC):
    """Follows mjai games from one seat and asks ``choose`` at each decision.

    ``seat`` (0 to 3) is needed where the stream gives neither an ``id`` nor shows exactly one hand.
    ``watching``: somebody else plays the seat; its decisions are recorded in ``watched``, each
    with the events after it, and every answer is none. The last of these messages is answered if
    it is sent again afterwards. ``seconds`` holds the time of each decision; ``fallbacks`` counts
    answers given without ``choose``, ``errors`` invalid messages.
    ``rules``, a ``Ruleset`` or its name, are those of mjai games where ``start_game`` does not
    state others. Raises HaiyomiError for another seat, and another name of rules.
    """

    def __init__(self, seat: int | None = None, *, rules: Ruleset | str = TENHOU) -> None:
        if seat is not None and not _is_seat(seat):
            raise HaiyomiError(f"seat {seat!r}: expected 0 to 3")
        self.rules: Ruleset = rules_of(rules)
        self._game_rules = self.rules
        self.watching = False
        self.seat: Seat | None = None if seat is None else Seat(seat)
        self.watched: list[tuple[Decision, list[Event]]] = []
        self.seconds: list[float] = []
        self.fallbacks: int = 0
        self.errors: int = 0
        self._given = self.seat
        self._stream = LiveStream()
        self._taken = 0
        self._state: SeatState | None = None
        self._pons: dict[tuple[Seat, int], Pon] = {}
        self._latest: list[object] = []
        self._unanswered: Message | None = None  # the latest, if it was only watched
        self._trust()

    @abstractmethod
    def choose(self, decision: Decision) -> Choice:
        """One of ``decision.choices``. Raise PositionError where the position cannot be read:
        ``react`` then passes, or discards the drawn tile; at haiyomi's own table the game ends."""

    @abstractmethod
    def sit_down(self, seat: Seat, rules: Ruleset) -> None:
        """A game begins at this seat: called before the first ``choose`` of each game."""

    @overload
    def react(self, message: str) -> str: ...
    @overload
    def react(self, message: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Message: ...
    def react(
        self, message: str | Mapping[str, Any] | Sequence[Mapping[str, Any]]
    ) -> str | Message:
        """The answer to one mjai message, or to the last of several.

        A text (one line of JSON, as mjai servers send) is answered with a text. Raises
        IllegalError where ``choose`` gives what is none of the choices.
        """
        if isinstance(message, str):
            return json.dumps(self._read(message), separators=(",", ":"))
        return self._answer(message)

    @property
    def position(self) -> Position | None:
        """What the seat sees now, also while others decide. None before the first hand, and after
        two messages in a row that cannot follow those before them, until one follows (if one of the
        two was its own move, until the next hand). Only in a game by ``react``."""
        return None if self._state is None or self._astray else self._state.position()

    def choices(self) -> list[Message] | None:
        """All mjai messages that may answer now; None where the seat has nothing to do."""
        options = self._options()
        return None if options is None else [self._message(c) for c in options.choices]

    # -- messages ---------------------------------------------------------------------------

    def _read(self, text: str) -> Message:
        if len(text) > LONGEST:
            self._taken += 1
            return self._error(f"the line has more than {LONGEST} characters")
        try:
            return self._answer(decode_json(text.removeprefix("\ufeff")))  # a byte order mark
        except (ValueError, SizeError) as error:
            self._taken += 1
            return self._error(f"the line is not JSON: {not_json(error)}")

    def _answer(self, value: object) -> Message:
        messages = list(value) if isinstance(value, list | tuple) else [value]
        if not messages:
            return NONE
        again = messages == self._latest
        self._latest = messages
        unanswered = self._unanswered if again else None
        self._unanswered = unanswered if self.watching else None
        if unanswered is not None and not self.watching:
            self._taken += len(messages)
            return self._reply(unanswered)
        answers = [self._take(message, False, again) for message in messages[:-1]]
        last = self._take(messages[-1], True, again)
        wrong = (answer for answer in answers if answer["type"] == "error")
        return next(wrong, last) if last["type"] == "none" else last

    def _error(self, why: str) -> Message:
        self.errors += 1
        return {"type": "error", "message": why}

    def _take(self, given: object, to_answer: bool, again: bool) -> Message:
        self._taken += 1
        if not isinstance(given, Mapping) or not isinstance(given.get("type"), str):
            return self._error(f"not an mjai message: {_shown(given)}")
        message: Message = dict(given)
        kind = message["type"]
        try:
            if kind == "hello":
                return {"type": "join", "name": "haiyomi", "room": message.get("room", "default")}
            if kind == "start_game":
                return self._start_game(message)
            if kind in _QUIET:
                return NONE
            if again and not (kind == "dora" and self._indicator_to_come):
                raise PositionError(f"{kind} was just sent")
            if kind in _ENDINGS:
                return self._ended(message)
            if kind == "reach_accepted" and message.get("actor") in self._shown_accepted:
                self._shown_accepted.remove(message["actor"])  # it comes late
                return NONE
            declared = self._declared_last() if kind in _AFTER_DISCARD else None
            if declared is None:
                self._observe(message)
            else:
                self._observe({"type": "reach_accepted", "actor": int(declared)}, message)
                self._shown_accepted.append(declared)
        except HaiyomiError as error:
            answer = self._error(str(error))
            return (self._fall_back(message) if to_answer and not again else None) or answer
        if self.watching:
            self._record_decision()
            if to_answer:
                self._unanswered = message
            return NONE
        return self._reply(message) if to_answer else NONE

    def _reply(self, message: Message) -> Message:
        """The answer to a message that the state has taken."""
        return self._decide() or (self._fall_back(message) if self._blind else None) or NONE

    def _start_game(self, message: Message) -> Message:
        named = message.get("id")
        seat = self._given if named is None else named
        if seat is not None and not _is_seat(seat):
            return self._error(f"start_game: id {_shown(seat)}: expected a whole number 0 to 3")
        self.seat = None if seat is None else Seat(seat)
        self._game_rules = stated_rules(message, self.rules)
        self._state = None
        self._stream = LiveStream()
        self._trust()
        return NONE

    def _ended(self, message: Message) -> Message:
        """Handle the end of a hand; an error in it is ignored once play has begun."""
        try:
            self._stream.feed(message, self._taken - 1)
        except HaiyomiError:
            if self._state is None:
                raise
        return NONE

    def _observe(self, *messages: Message) -> None:
        """Take a message whole, or raise and leave the state as the messages before made it.
        ``messages``: those that it shows to be missing come first."""
        message = messages[-1]
        kind, mark = message["type"], self._stream.mark()
        seat, before = self.seat, self._state
        seen = [] if before is None else before.seen.copy()
        try:
            events = [event for m in messages for event in self._stream.feed(m, self._taken - 1)]
        except HaiyomiError:
            self._stream.back_to(mark)
            raise
        try:
            if kind == "start_kyoku":
                self._begin(events)
            for event in events:
                self._apply(event, kind)
        except _CANNOT_FOLLOW as error:
            self._stream.back_to(mark)
            self.seat, self._state = seat, before
            if before is not None:
                self._state = SeatState(before.seat, before.rules)
                for event in seen:
                    self._state.apply(event)
            self._refused(message)
            if type(error) is HaiyomiError:
                raise
            raise PositionError(f"{kind} cannot follow here ({error})") from None
        self._row, self._row_own = 0, False
        if kind == "start_kyoku":
            self._pons = {}
            self._trust()
            if before is None and self.seat is not None:
                self.sit_down(self.seat, self._game_rules)

    def _apply(self, event: Event, kind: str) -> None:
        if self._state is None:
            raise HaiyomiError(f"{kind} before any start_kyoku")
        seen = visible_to(event, self._state.seat)
        self._state.apply(seen)
        for _, after in self.watched[-4:]:
            after.append(seen)
        if isinstance(event, Pon):
            self._pons[event.seat, event.tile.kind] = event

    def _declared_last(self) -> Seat | None:
        """Who declared riichi with the last discard, while it is not known that it was accepted."""
        if self._state is None:
            return None
        match [e for e in self._state.seen[-3:] if not isinstance(e, DoraReveal)]:
            case [*_, Riichi(seat), Discard(discards)] if seat == discards:
                return seat
        return None

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
        if self._state is None:
            self._state = SeatState(self.seat, self._game_rules)

    # -- trust in the state ---------------------------------------------------------------------

    def _trust(self) -> None:
        """A game or a hand begins: the state is known."""
        self._row = 0  # messages in a row that could not follow
        self._row_own = False  # one of them is a move of this seat
        self._gap = False  # messages of this hand are missing
        self._blind = False  # they may be of this seat, so that its hand is unknown
        self._shown_accepted: list[Seat] = []  # whose riichi a later message showed as accepted

    def _refused(self, message: Message) -> None:
        """Note a message that cannot follow. One may be a mistake; after two in a row, messages
        before them are missing."""
        own = message.get("actor") == self.seat
        self._row += 1
        self._row_own |= own
        self._gap |= self._row > 1
        unknown = message["type"] == "reach_accepted" and not self._declared
        self._blind |= self._row_own and (self._row > 1 or unknown)

    @property
    def _declared(self) -> bool:
        """Whether the state knows of an own riichi."""
        return self._state is not None and self._state.position().players[0].riichi

    @property
    def _astray(self) -> bool:
        """Whether the state is not that of the table."""
        return self._blind or self._row > 1

    @property
    def _indicator_to_come(self) -> bool:
        """Whether fewer indicators show than the kans so far allow: the next may be of the same
        kind as the last."""
        live = None if self._state is None else self._state.live
        if self._state is None or live is None:
            return False
        return len(self._state.position().indicators) <= len(live.kans)

    # -- decisions --------------------------------------------------------------------------

    def _options(self) -> Options | None:
        if self._state is None or self._astray:
            return None
        try:
            options = self._state.options()
        except _CANNOT_FOLLOW:
            self._blind = True  # an impossible state
            return None
        if options is None or not self._gap:
            return options
        # Whether it is furiten, and how many draws are left, is not known.
        sure = [
            choice
            for choice in options.choices
            if isinstance(choice, Discard | Pass)
            or (isinstance(choice, Claim) and choice.target == self.seat)
        ]
        return Options(options.seat, tuple(sure))

    def _decision(self, options: Options) -> Decision:
        assert self._state is not None
        return Decision.of_state(self._state, options)

    def _record_decision(self) -> None:
        """Record a decision that somebody else takes."""
        options = self._options()
        if options is not None and len(options.choices) > 1:
            self.watched.append((self._decision(options), []))

    def _decide(self) -> Message | None:
        options = self._options()
        if options is None:
            return None
        if len(options.choices) == 1:
            return self._message(options.choices[0])
        begun = time.perf_counter()
        try:
            choice = self.choose(self._decision(options))
        except PositionError:
            self.fallbacks += 1
            choice = _plainest(options.choices)
        check_choice(self, choice, options)
        self.seconds.append(time.perf_counter() - begun)
        return self._message(choice)

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
        assert self._state is not None
        last = self._state.last
        if isinstance(last, Offer):
            return last.tile
        drawn = self._state.position().drawn
        assert drawn is not None
        return drawn

    def _fall_back(self, message: Message) -> Message | None:
        """Discard the drawn tile while the state is unknown; None if nothing was drawn."""
        mine = message.get("type") == "tsumo" and message.get("actor") == self.seat
        if self.watching or not mine or self.seat is None:
            return None
        try:
            tile = Tile.from_mjai(message["pai"])
        except (HaiyomiError, KeyError, TypeError):
            return None
        self.fallbacks += 1
        return {"type": "dahai", "actor": self.seat, "pai": tile.mjai, "tsumogiri": True}


def _plainest(choices: Sequence[Choice]) -> Choice:
    """To pass, or to discard the drawn tile; after a call, the last of the tiles."""
    plain = (c for c in choices if isinstance(c, Pass) or (isinstance(c, Discard) and c.tsumogiri))
    return next(plain, choices[-1])


def _shown(value: object) -> str:
    """The beginning of a value as JSON."""
    return json.dumps(value, default=str)[:60]


def _is_seat(value: object) -> bool:
    return not isinstance(value, bool | float) and value in (0, 1, 2, 3)


class AtTable:
    """A seat of the package's own table (``play.player.Player``), played by an MjaiSeat."""

    def __init__(self, bot: MjaiSeat, seat: Seat, rules: Ruleset) -> None:
        self.bot = bot
        self.state = SeatState(seat, rules)
        bot.sit_down(seat, rules)

    def observe(self, event: Event) -> None:
        """Receive an event as this seat sees it."""
        self.state.apply(event)

    def act(self, options: Options) -> Choice:
        """What the bot chooses. Raises IllegalError for what is none of the choices."""
        choice = self.bot.choose(Decision.of_state(self.state, options))
        return check_choice(self.bot, choice, options)


def check_choice(bot: MjaiSeat, choice: Choice, options: Options) -> Choice:
    """The choice of a bot, which must be one of its options. Raises IllegalError."""
    if choice not in options.choices:
        name, n = type(bot).__name__, len(options.choices)
        raise IllegalError(f"{name}.choose gave what is none of its {n} choices", value=choice)
    return choice
