"""A player and a bot that act by the improved policy."""

from __future__ import annotations

from numpy.random import Generator

from haiyomi.outcomes.improved import ImprovedPolicy, shipped_improved
from haiyomi.play.actions import choice_of_action
from haiyomi.play.decision import Decision
from haiyomi.play.player import Choice
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.styles.bot import Bot
from haiyomi.styles.imitator import Imitator, read_decision
from haiyomi.tiles import Seat


class ImprovedPlayer(Imitator):
    """Plays one seat by people's choices, reweighted by what each option is worth."""

    def __init__(
        self,
        seat: Seat,
        improved: ImprovedPolicy,
        rng: Generator,
        temperature: float,
        rules: Ruleset,
    ) -> None:
        super().__init__(seat, improved.policy, rng, None, temperature, rules)
        self.improved = improved

    def choose(self, decision: Decision) -> Choice:
        """One of the choices. Raises PositionError where the policy cannot read the position."""
        record, legal = read_decision(decision)
        (action,) = self.improved.actions(
            record, legal, decision.position.rules, self.temperature, self.rng
        )
        return choice_of_action(int(action), decision.choices)


class ImprovedBot(Bot):
    """Plays one seat by people's choices, reweighted by what each option is worth, as ``haiyomi bot
    --by ev``; override ``choose`` to play otherwise.

    ``improved``: by default on the networks that the package ships, loaded at the first decision.
    The rest and its errors are those of ``Bot``, but it plays in no style; HaiyomiError also for
    rules without placements.
    """

    def __init__(
        self,
        seat: int | None = None,
        *,
        temperature: float = 1.0,
        seed: int | Generator = 0,
        improved: ImprovedPolicy | None = None,
        rules: Ruleset | str = TENHOU,
    ) -> None:
        super().__init__(seat, temperature=temperature, seed=seed, rules=rules)
        self.improved = improved

    def player(self, seat: Seat) -> Imitator:
        """What chooses in a game at this seat."""
        improved = shipped_improved() if self.improved is None else self.improved
        return ImprovedPlayer(seat, improved, self.generator(seat), self.temperature, self.rules)
