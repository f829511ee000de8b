"""A player whose choices an mjai program makes: it gets what its seat sees, and is held to the
rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Event,
    FourScores,
    Kakan,
    Pon,
    Riichi,
    Start,
)
from haiyomi.logs.mjai_rules import rule_fields
from haiyomi.logs.mjai_write import HandMessages, Message
from haiyomi.play.mjai_process import MjaiProcess
from haiyomi.play.player import Choice, Claim, Options, Pass
from haiyomi.play.seat_failure import ProgramError, SeatFailure
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import Seat

_TYPES: Final[dict[type, str]] = {
    Discard: "dahai",
    Riichi: "reach",
    Chi: "chi",
    Pon: "pon",
    Daiminkan: "daiminkan",
    Ankan: "ankan",
    Kakan: "kakan",
    AbortiveDraw: "ryukyoku",
    Claim: "hora",
    Pass: "none",
}
_CHECKED: Final = {"pai", "target", "tsumogiri"}
"""Fields that an answer may leave out (not the tile of a discard), but not fill otherwise."""


class ProgramPlayer:
    """Plays one seat of one game by a program that answers each message.

    ``begin`` comes first and ``end`` last. Raises SeatFailure from ``begin`` and ``observe`` as
    soon as the program fails.
    """

    def __init__(self, process: MjaiProcess, seat: Seat, rules: Ruleset = TENHOU) -> None:
        self.process = process
        self.seat = seat
        self.rules = rules
        self._state = SeatState(seat, rules)
        self._written = HandMessages()
        self._scores: FourScores = (rules.start_points,) * 4
        self._sticks = 0
        self._chosen: Choice | None = None
        self._in_hand = False
        self._sent: list[Message] = []

    def begin(self, names: Sequence[str]) -> None:
        """A game begins, of players with these names by seat."""
        self._ask(
            {
                "type": "start_game",
                "id": int(self.seat),
                "names": list(names),
                **rule_fields(self.rules),
            }
        )

    def observe(self, event: Event) -> None:
        """Send an event as this seat sees it, and hold the answer to the rules."""
        if isinstance(event, Start):
            self._end_hand()
            self._in_hand = True
            self._written = HandMessages()
            self._scores, self._sticks = event.scores, event.sticks
        self._state.apply(event)
        message = self._written.of(event)
        if message is None:
            return
        answer = self._ask(message)
        options = self._state.options()
        try:
            self._chosen = self._choice(answer, options)
        except ProgramError as error:
            raise self._failure(error) from None

    def act(self, options: Options) -> Choice:
        """The choice that the program answered to the last message."""
        choice = self._chosen
        assert choice is not None
        assert choice in options.choices
        return choice

    def end(self) -> bool:
        """The game is over; whether the program can play another."""
        try:
            self._end_hand()
        except SeatFailure:
            return False
        return self.process.tell({"type": "end_game"})

    def _end_hand(self) -> None:
        if self._in_hand:
            self._in_hand = False
            self._ask({"type": "end_kyoku"})

    def _ask(self, message: Message) -> Message:
        self._sent.append(message)
        try:
            return self.process.ask(message)
        except ProgramError as error:
            raise self._failure(error) from None

    def _failure(self, error: ProgramError) -> SeatFailure:
        return SeatFailure(self.seat, error, self._scores, self._sticks, self._sent)

    def _choice(self, answer: Message, options: Options | None) -> Choice | None:
        """The choice that an answer is. Raises ProgramError where the rules have none such."""
        if options is None:
            if answer["type"] != "none":
                raise ProgramError("illegal", f"it answered {_shown(answer)} when it had no choice")
            return None
        alike = [c for c in options.choices if self._means(answer, c)]
        if not alike:
            legal = sorted({_TYPES[type(c)] for c in options.choices})
            raise ProgramError(
                "illegal", f"its answer {_shown(answer)} is not legal: expected {', '.join(legal)}"
            )
        # Without "tsumogiri", a tile that is held twice comes from the hand.
        return alike[0]

    def _means(self, answer: Message, choice: Choice) -> bool:
        if answer["type"] != _TYPES[type(choice)] or answer.get("actor", self.seat) != self.seat:
            return False
        if isinstance(choice, Claim | Pass | AbortiveDraw | Riichi):
            return True
        message = self._written.action(choice)
        same = all(
            answer.get(key, message[key]) == message[key] for key in _CHECKED & message.keys()
        )
        if isinstance(choice, Discard | Kakan):
            return same and "pai" in answer
        return same and _names(answer.get("consumed")) == _names(message["consumed"])


def _names(tiles: object) -> list[str] | None:
    return sorted(map(str, tiles)) if isinstance(tiles, list) else None


def _shown(answer: Message) -> str:
    words = [str(answer[key]) for key in ("type", "pai", "consumed") if key in answer]
    return " ".join(words)[:80]
