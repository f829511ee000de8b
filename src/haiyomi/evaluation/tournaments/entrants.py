"""The bots of a tournament by name, and how they take their seats."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias

from haiyomi.errors import RulesError
from haiyomi.networks import opponents
from haiyomi.outcomes import later_models
from haiyomi.outcomes.improved import LEAST_SCALE, SCALE, ImprovedPolicy, shipped_improved
from haiyomi.outcomes.improved_bot import ImprovedPlayer
from haiyomi.play.mjai_process import MjaiProcess, TimeLimits
from haiyomi.play.mjai_program import ProgramPlayer
from haiyomi.play.mjai_seat import AtTable
from haiyomi.play.player import Player
from haiyomi.play.random_player import RandomPlayer
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import Ruleset
from haiyomi.seeds import generator
from haiyomi.styles.bot import Bot
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import POOLED, SHIPPED, Policy, shipped_policy
from haiyomi.tiles import Seat

RANDOM: Final = "random"
POLICY: Final = "policy:"
MODEL: Final = "model:"
EV: Final = "ev"
PROGRAM: Final = "cmd:"
PYTHON: Final = "python:"
"""The prefix of a Python bot's label, by which ``Conditions.makers`` knows it."""
BotMaker: TypeAlias = Callable[[], Bot]
"""A class of bots, or a function that makes one."""
Entrant: TypeAlias = str | BotMaker
"""A bot as ``haiyomi play --versus`` takes it, or what makes a bot in Python."""
_LABEL: Final = re.compile(r"^([\w.-]+)=")


def parse_entrants(values: Sequence[str]) -> tuple[str, ...]:
    """The names in the values of ``--versus``, checked: each a list with commas between, or one
    ``cmd:PROGRAM ARGUMENTS``, which may have commas. Before a bot there may be a label for the
    tables, as in ``mine=cmd:PROGRAM``. Raises RulesError, also for one label of two bots, or
    ModelError."""
    names: list[str] = []
    for value in values:
        parts = [value] if bot_of(value).startswith(PROGRAM) else value.split(",")
        names += [part.strip() for part in parts]
    for name in names:
        check_bot(bot_of(name))
    called: dict[str, str] = {}
    for name in names:
        if called.setdefault(label_of(name), name) != name:
            raise RulesError(f"two different bots are called {label_of(name)}: label one of them")
    return tuple(names)


def label_of(name: str) -> str:
    """How tables call a bot: its label, or the bot itself."""
    found = _LABEL.match(name)
    return found[1] if found else name


def bot_of(name: str) -> str:
    """The bot without its label."""
    return _LABEL.sub("", name, count=1)


def check_bot(name: str) -> None:
    """Raises RulesError or ModelError where no bot has this name, which is without a label."""
    if name.startswith(PROGRAM):
        command = command_of(name)
        if shutil.which(command[0]) is None:
            raise RulesError(f"{name}: there is no program {command[0]!r}")
    elif name.startswith((POLICY, MODEL)):
        policy, style = policy_of(name)
        policy.style(style)
    elif name.startswith(EV):
        improved_of(name)
    elif name != RANDOM and name not in RULE_STYLES:
        raise RulesError(
            f"no bot {name!r}: there are {RANDOM}, {', '.join(RULE_STYLES)}, {POLICY}STYLE, "
            f"{MODEL}FILE or {MODEL}FILE@STYLE, {EV}, {EV}:SCALE or {EV}@FILE, and "
            f"{PROGRAM}PROGRAM"
        )


def command_of(name: str) -> list[str]:
    """The words of a program's command line; no shell reads them. Raises RulesError."""
    try:
        words = shlex.split(name.removeprefix(PROGRAM), posix=os.name == "posix")
    except ValueError as error:
        raise RulesError(f"{name}: {error}") from None
    if not words:
        raise RulesError(f"{name}: expected a program after {PROGRAM}")
    return words


def policy_of(name: str) -> tuple[Policy, str]:
    """The policy of a bot that is one, and the name of its style. Raises ModelError."""
    if name.startswith(POLICY):
        return shipped_policy(), name.removeprefix(POLICY)
    file, _, style = name.removeprefix(MODEL).partition("@")
    return _loaded(file), style or POOLED


def files_of(name: str) -> tuple[Path, ...]:
    """The files of the networks that a bot plays by; none of a program."""
    if name.startswith(POLICY):
        return (SHIPPED,)
    if name.startswith(MODEL):
        return (Path(name.removeprefix(MODEL).partition("@")[0]),)
    if name.startswith(EV):
        file = name.partition("@")[2]
        return (SHIPPED, opponents.SHIPPED, Path(file) if file else later_models.SHIPPED)
    return ()


@cache
def improved_of(name: str) -> ImprovedPolicy:
    """The improved policy of a bot that is one: ``ev`` or ``ev:SCALE``, with ``@FILE`` on the
    network of options of a file. Raises RulesError, ModelError."""
    words, _, file = name.partition("@")
    bot, colon, text = words.partition(":")
    try:
        scale = float(text) if colon else SCALE
    except ValueError:
        scale = math.nan
    if bot != EV or not LEAST_SCALE <= scale < math.inf:
        raise RulesError(
            f"no bot {name!r}: expected {EV} or {EV}:SCALE, a number from {LEAST_SCALE:g}"
        )
    return shipped_improved(scale, Path(file) if file else None)


@cache
def _loaded(file: str) -> Policy:
    return Policy.load(Path(file))


@dataclass(frozen=True, slots=True)
class Conditions:
    """What all games of a tournament have in common: ``temperature`` is that of policies,
    ``makers`` make the Python bots, by label."""

    rules: Ruleset
    seed: int
    temperature: float
    limits: TimeLimits
    makers: Mapping[str, BotMaker] = field(default_factory=dict)


class Seating:
    """Four bots who play some games together; programs keep running from game to game.

    A context manager: programs end with it.
    """

    def __init__(self, bots: Sequence[str], conditions: Conditions) -> None:
        self.labels = [label_of(bot) for bot in bots]
        self.bots = [bot_of(bot) for bot in bots]
        self.conditions = conditions
        self._processes: dict[int, MjaiProcess] = {}
        self._programs: dict[int, ProgramPlayer] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._processes.values():
            process.close() if kind is None else process.kill()

    def players(self, order: Sequence[int], wall: int, number: int) -> list[Player]:
        """The players by absolute seat: ``order[seat]`` is an index of ``bots``.

        ``wall`` and ``number`` (of the order) seed their random choices. Raises SeatFailure.
        """
        self._programs = {}
        names = [self.labels[bot] for bot in order]
        players = [self._player(bot, Seat(s), wall, number) for s, bot in enumerate(order)]
        for program in self._programs.values():
            program.begin(names)
        return players

    def end_game(self, failed: Seat | None) -> None:
        """Tell the programs that the game is over; one that failed or left starts anew."""
        for bot, program in self._programs.items():
            if program.seat == failed:
                self._processes.pop(bot).kill()
            elif failed is not None or not program.end():
                self._processes.pop(bot).close()

    def _player(self, bot: int, seat: Seat, wall: int, number: int) -> Player:
        given, name = self.conditions, self.bots[bot]
        if name.startswith(PROGRAM):
            return self._program(bot, seat)
        rng = generator(given.seed, "tournament", wall, number, "seat", seat)
        if name.startswith(PYTHON):
            label = name.removeprefix(PYTHON)
            made = given.makers[label]()
            if not isinstance(made, Bot):
                raise RulesError(f"{label} made {str(made)[:60]}: expected a Bot")
            made.seed = rng
            return AtTable(made, seat, given.rules)
        if name == RANDOM:
            return RandomPlayer(rng)
        if name in RULE_STYLES:
            return RulePlayer(seat, rng, RULE_STYLES[name])
        if name.startswith(EV):
            return ImprovedPlayer(seat, improved_of(name), rng, given.temperature, given.rules)
        policy, style = policy_of(name)
        vector = policy.style(style)
        return Imitator(seat, policy, rng, vector, given.temperature, given.rules)

    def _program(self, bot: int, seat: Seat) -> Player:
        process = self._processes.get(bot)
        if process is None:
            process = MjaiProcess(command_of(self.bots[bot]), self.conditions.limits)
            self._processes[bot] = process
        program = ProgramPlayer(process, seat, self.conditions.rules)
        self._programs[bot] = program
        return program
