"""Games inside riichienv: four stand-ins, an outside program that knows the rules, and a count.

Every answer goes through riichienv's own rule checks; what it does not accept is counted, and
so is every decision at which the two disagree about what is allowed. Some seats are played by
somebody else for a while: a stand-in is handed the events so far, plays, and hands back.
Needs riichienv (extra ``[bench]``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from haiyomi.logs.mjai_write import Message
from haiyomi.play.mjai_seat import MjaiSeat

MakeBot = Callable[[int, int, bool], MjaiSeat]
"""(game, seat, relief) -> a new bot; ``relief``: the one that takes over midway."""
MODE = "4p-red-half"


@dataclass(frozen=True, slots=True)
class Handover:
    """Seat ``seat`` of a game is taken over at its ``start``-th message with something to
    choose, and handed back at its ``end``-th."""

    seat: int
    start: int
    end: int


@dataclass(slots=True)
class GameReport:
    """What came of a game: riichienv's ``log``, final ``scores``, what went wrong."""

    game: int
    log: list[Message] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    decisions: int = 0
    reliefs: int = 0
    illegal: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    fallbacks: int = 0
    errors: int = 0
    seconds: list[float] = field(default_factory=list)


class _Seat:
    """Who plays a seat: its own bot, or for a while the relief."""

    def __init__(self, make: MakeBot, game: int, seat: int, handover: Handover | None) -> None:
        self.make = make
        self.game = game
        self.seat = seat
        self.handover = handover
        self.sent: list[str] = []
        self.bot = make(game, seat, False)
        self.relief: MjaiSeat | None = None
        self.bots = [self.bot]
        self.turns = 0

    def answer(self, lines: Sequence[str]) -> Message:
        """The answer of who plays now; the other listens."""
        self.sent += lines
        array = "[" + ",".join(lines) + "]"
        h = self.handover
        if h is not None and self.turns == h.start:
            # Handed the events so far, all at once.
            self.relief = self.make(self.game, self.seat, True)
            self.bots.append(self.relief)
            self.bot.watching = True
            self.bot.react(array)
            array = "[" + ",".join(self.sent) + "]"
        elif h is not None and self.relief is not None and self.turns == h.end:
            self.relief = None
            self.bot.watching = False
        elif self.relief is not None:
            self.bot.react(array)
        self.turns += 1
        answer: Message = json.loads((self.relief or self.bot).react(array))
        return answer


def play(
    game: int, make: MakeBot, handovers: Sequence[Handover] = (), seed: int = 0, mode: str = MODE
) -> GameReport:
    """One whole game. Exceptions of riichienv or of a bot are not caught."""
    from riichienv import GameRule, RiichiEnv

    env = RiichiEnv(game_mode=mode, rule=GameRule.default_tenhou(), seed=seed * 100_003 + game)
    by_seat = {h.seat: h for h in handovers}
    seats = [_Seat(make, game, s, by_seat.get(s)) for s in range(4)]
    report = GameReport(game)
    observations = env.reset()
    while not env.done():
        actions = {}
        for player, observation in observations.items():
            seat = seats[player]
            answer = seat.answer(observation.new_events())
            report.decisions += 1
            report.reliefs += seat.relief is not None
            legal = observation.legal_actions()
            chosen = observation.select_action_from_mjai(json.dumps(answer))
            _compare(report, seat, legal)
            if chosen is None:
                legal_messages = [json.loads(a.to_mjai()) for a in legal]
                report.illegal.append(f"seat {player}: {answer} is none of {legal_messages}")
                chosen = legal[-1]
            actions[player] = chosen
        observations = env.step(actions)
    report.log = [json.loads(m) if isinstance(m, str) else m for m in env.mjai_log]
    report.scores = list(env.scores())
    report.ranks = list(env.ranks())
    for seat in seats:
        for bot in seat.bots:
            report.fallbacks += bot.fallbacks
            report.errors += bot.errors
            report.seconds += bot.seconds
    return report


def _compare(report: GameReport, seat: _Seat, legal: Sequence[Any]) -> None:
    """Hold the bot's idea of what is allowed against riichienv's."""
    bot = seat.relief or seat.bot
    mine = bot.choices()
    if mine is None:
        report.differing.append(f"seat {seat.seat}: no options, but {len(legal)} legal actions")
        return
    ours = Counter(_key(m) for m in mine)
    theirs = Counter(_key(json.loads(a.to_mjai())) for a in legal)
    if set(ours) != set(theirs):
        report.differing.append(
            f"seat {seat.seat}: only ours {sorted(set(ours) - set(theirs))}, "
            f"only theirs {sorted(set(theirs) - set(ours))}"
        )


def _key(message: Message) -> tuple[str, ...]:
    kind = message["type"]
    if kind in ("reach", "hora", "ryukyoku", "none"):
        return (kind,)
    if kind == "kakan":
        return kind, message["pai"]
    consumed = sorted(message.get("consumed", ()))
    return kind, message.get("pai", "") if kind != "ankan" else "", *consumed
