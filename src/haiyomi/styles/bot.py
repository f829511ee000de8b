"""The bot: plays one seat of mjai games or of the package's own table by the imitation."""

from __future__ import annotations

from reprlib import repr as shorten

import numpy as np
from numpy.random import Generator

from haiyomi.arrays import Singles
from haiyomi.errors import HaiyomiError, check_type
from haiyomi.kernels.network import STYLE
from haiyomi.play.decision import Decision
from haiyomi.play.mjai_seat import MjaiSeat
from haiyomi.play.player import Choice
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.seeds import generator
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import POOLED, Policy, shipped_policy
from haiyomi.tiles import Seat


class Bot(MjaiSeat):
    """Plays one seat by the imitation of people; override ``choose`` to play otherwise.

    ``react`` takes mjai messages and gives the answers; ``simulate`` seats a bot at the package's
    own table. ``seat``: 0 to 3, where ``start_game`` has no ``id``. ``style``: "pooled" for all
    players, a class of players ("open-riichi", "closed", "even-damaten"), a program ("suphx-like",
    "luckyj-like"), or a style vector of eight numbers.
    ``temperature`` 1 samples from the policy's probabilities, 0 always takes the likeliest choice.
    ``seed``: with the seat it seeds the generator of each game; a numpy Generator is used as it is.
    ``policy``: by default the one that the package ships, loaded for a named style at once, else at
    the first decision.
    ``rules`` of mjai games where ``start_game`` does not state others: a ``Ruleset``, or
    "tenhou", "tenhou-east", "mahjong-soul" or "mahjong-soul-east"; ``simulate`` has those of its
    table. Raises HaiyomiError for another seat, another name of rules, a temperature outside 0 to
    2, a style that is neither a name of the policy's (ModelError) nor eight finite numbers, or a
    ``policy`` that is no Policy.
    """

    name = "haiyomi"
    """The bot's name in records and on a server."""

    def __init__(
        self,
        seat: int | None = None,
        *,
        style: str | Singles = POOLED,
        temperature: float = 1.0,
        seed: int | Generator = 0,
        policy: Policy | None = None,
        rules: Ruleset | str = TENHOU,
    ) -> None:
        super().__init__(seat, rules=rules)
        check_type(temperature, "Bot(temperature=...)", int, float)
        if not 0 <= temperature <= 2:
            raise HaiyomiError(f"temperature {temperature}: expected 0 to 2")
        if policy is not None:
            check_type(policy, "Bot(policy=...)", Policy)
        if not isinstance(style, str) and not _is_vector(style):
            raise HaiyomiError(f"style {shorten(style)}: expected a name, or {STYLE} numbers")
        self.style = style
        self.temperature = temperature
        self.seed = seed
        self.policy = policy
        self._imitator: Imitator | None = None
        if isinstance(style, str) and style != POOLED:
            self._policy.style(style)

    @property
    def _policy(self) -> Policy:
        return shipped_policy() if self.policy is None else self.policy

    def sit_down(self, seat: Seat, rules: Ruleset) -> None:
        """Begin a game with a fresh random generator."""
        self._imitator = None

    def choose(self, decision: Decision) -> Choice:
        """A choice by the policy in the bot's style. Raises ArgumentError for what is no
        Decision."""
        check_type(decision, "choose", Decision)
        if self._imitator is None:
            self._imitator = self.player(decision.seat)
        return self._imitator.choose(decision)

    def player(self, seat: Seat) -> Imitator:
        """The player that chooses in a game at this seat."""
        style = self._policy.style(self.style) if isinstance(self.style, str) else self.style
        rng = self.generator(seat)
        return Imitator(seat, self._policy, rng, style, self.temperature, self.rules)

    def generator(self, seat: Seat) -> Generator:
        """The random generator of a game at this seat."""
        return self.seed if isinstance(self.seed, Generator) else generator(self.seed, "bot", seat)


def _is_vector(style: object) -> bool:
    """Whether a value is a style vector: STYLE finite numbers."""
    try:
        vector = np.asarray(style, np.float64)
    except (TypeError, ValueError):
        return False
    return vector.shape == (STYLE,) and bool(np.isfinite(vector).all())
