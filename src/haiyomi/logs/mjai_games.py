"""mjai JSON lines to whole games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from haiyomi.errors import FormatError, TileError, TruncatedError, UnsupportedError
from haiyomi.events import ENDINGS, Event, FourScores, Game, Hand, Header, Win
from haiyomi.logs import fields
from haiyomi.logs.dora_order import in_canonical_order
from haiyomi.logs.final_scores import final_scores_of
from haiyomi.logs.mjai_facts import message_facts
from haiyomi.logs.mjai_read import Stream, message_events, messages
from haiyomi.logs.mjai_rules import EAST_ONLY, LONGER, stated_rules
from haiyomi.logs.stated import Facts, Stated, StatedHand
from haiyomi.rules import TENHOU


class _Games:
    """Collects the events of messages into hands and games."""

    def __init__(self, name: str, stated: list[Stated] | None) -> None:
        self.name = name
        self.all_stated = stated
        self.stated = Stated(lacks_end="end_game")
        self.facts: dict[int, Facts] = {}
        self.stream = Stream()
        self.games: list[Game] = []
        self.hands: list[Hand] = []
        self.header = Header()
        self.begun = False
        self.final: FourScores | None = None

    def read(self, lines: Iterable[str]) -> tuple[Game, ...]:
        for number, message in messages(lines, self.name, self.all_stated is not None):
            kind = message["type"]
            if kind == "start_game":
                self.end_game()
                self.begun = True
                self.header = self.start_game(message, number)
                if message.get("kyoku_first") not in (None, LONGER, EAST_ONLY):
                    self.stated.problem = f"kyoku_first {message['kyoku_first']} is neither 0 nor 4"
                continue
            if kind in ("start_kyoku", "end_kyoku", "end_game"):
                self.end_hand(message if kind != "end_kyoku" else {})
            if kind == "end_game":
                self.end(message, number)
                continue
            found = message_events(self.stream, number, message, self.name, len(self.hands))
            if self.all_stated is not None and found:
                self.keep_facts(found[0], message, number)
            if self.stream.masked:
                raise UnsupportedError(
                    f"line {number + 1} hides tiles: this is one seat's view, no record",
                    self.name,
                    len(self.hands),
                )
        self.end_hand({})
        self.end_game()
        if not self.games:
            raise TruncatedError("holds no hand", self.name)
        return tuple(self.games)

    def keep_facts(self, event: Event, m: dict[str, Any], number: int) -> None:
        try:
            facts = message_facts(event, m, self.stream.kyoku)
        except (ValueError, TileError) as error:
            what = f"line {number + 1}, {m['type']}: {error}"
            raise FormatError(what, self.name, len(self.hands)) from None
        if facts is not None:
            self.facts[len(self.stream.events) - 1] = facts

    def start_game(self, m: dict[str, Any], number: int) -> Header:
        try:
            names = m.get("names")
            n0, n1, n2, n3 = (
                ("", "", "", "")
                if names is None
                else (fields.text(n or "", "name") for n in fields.names(names, "names"))
            )
        except ValueError as error:
            raise FormatError(f"line {number + 1}, start_game: {error}", self.name) from None
        self.stream = Stream()
        return Header((n0, n1, n2, n3), stated_rules(m, TENHOU))

    def end(self, m: dict[str, Any], number: int) -> None:
        self.stated.lacks_end = ""
        if m.get("scores") is not None:
            try:
                self.final = fields.points(m["scores"], "scores")
            except ValueError as error:
                raise FormatError(f"line {number + 1}, end_game: {error}", self.name) from None

    def end_hand(self, following: dict[str, Any]) -> None:
        """Keep the hand that is over; the next message may tell what its win paid."""
        events = self.stream.events
        if not events:
            return
        wins = [e for e in events if isinstance(e, Win)]
        if not isinstance(events[-1], ENDINGS):
            raise TruncatedError("ends inside a hand", self.name, len(self.hands), len(events))
        if self.stream.unpaid:
            if not following and len(wins) == 1:
                return  # the payments may stand in the next start_kyoku or end_game
            self.settle(events, wins, following)
        hand = Hand(tuple(events))
        self.hands.append(in_canonical_order(hand))
        if self.all_stated is not None:
            self.stated.hands.append(StatedHand(hand, self.facts))
            self.facts = {}
        self.stream.events = []
        self.stream.unpaid = False

    def settle(self, events: list[Event], wins: list[Win], following: dict[str, Any]) -> None:
        try:
            if len(wins) != 1 or following.get("scores") is None:
                raise ValueError("a hora without deltas, and no later scores tell them")
            after = fields.points(following["scores"], "scores")
        except ValueError as error:
            raise FormatError(str(error), self.name, len(self.hands), len(events) - 1) from None
        a, b, c, d = (x - y for x, y in zip(after, self.stream.scores, strict=True))
        w = wins[0]
        events[-1] = Win(
            w.seat, w.target, w.tile, (a, b, c, d), w.ura, w.yaku, w.fu, w.points, w.pao
        )
        self.stream.scores = after

    def end_game(self) -> None:
        if self.stream.events:
            self.end_hand({"type": "end"})
        if self.hands:
            rules = self.header.rules
            if self.final is None:
                self.stated.lacks_final = True
                if not self.stated.lacks_end:
                    self.final = final_scores_of(self.hands, rules)
            header = Header(self.header.names, rules, self.final)
            self.games.append(Game(header, tuple(self.hands)))
            if self.all_stated is not None:
                self.all_stated.append(self.stated)
        elif self.begun:
            raise TruncatedError("a game without a hand", self.name)
        self.hands, self.header, self.final, self.begun = [], Header(), None, False
        self.stated = Stated(lacks_end="end_game")


def read_mjai(lines: Iterable[str], name: str, stated: list[Stated] | None) -> tuple[Game, ...]:
    """The games of mjai lines, at least one; what each states twice goes to ``stated``, if given.

    Raises RecordError, with ``name`` as its file; UnsupportedError if tiles are hidden
    (``LiveStream`` reads what one seat sees).
    """
    return _Games(name, stated).read(lines)
