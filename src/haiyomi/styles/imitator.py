"""A player that acts by the policy, in a given style.

It implements ``play.player``, so it plays at the package's own table, behind the mjai process
and in the referee's test games.
"""

from __future__ import annotations

from numpy.random import Generator

from haiyomi.arrays import Bools, Singles
from haiyomi.errors import PositionError
from haiyomi.events import Event
from haiyomi.game.decision_record import Decisions
from haiyomi.kernels.policy_choice import QUESTIONS
from haiyomi.play.actions import choice_of_action, legal_mask
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import decision_of
from haiyomi.play.player import Choice, Options
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_actions import choices_by
from haiyomi.tiles import Seat


class Imitator:
    """Plays one seat by a policy.

    ``style`` (STYLE,) or None for the pooled policy. ``temperature`` 0 always does what is most
    likely; 1 samples from the policy's probabilities with ``rng``; values between sharpen them.
    """

    def __init__(
        self,
        seat: Seat,
        policy: Policy,
        rng: Generator,
        style: Singles | None = None,
        temperature: float = 0.0,
        rules: Ruleset = TENHOU,
    ) -> None:
        self.seat = seat
        self.policy = policy
        self.rng = rng
        self.style = style
        self.temperature = temperature
        self.state = SeatState(seat, rules)

    def observe(self, event: Event) -> None:
        """Receive an event as this seat sees it."""
        self.state.apply(event)

    def act(self, options: Options) -> Choice:
        """One of the choices after the last event that was observed."""
        return self.choose(Decision.of_state(self.state, options))

    def choose(self, decision: Decision) -> Choice:
        """One of the choices; between a red five and a plain one by what players usually do.

        Raises PositionError where the policy cannot read the position.
        """
        record, legal = read_decision(decision)
        # The generator goes on by the numbers that are used: their count depends on the choice.
        before = self.rng.bit_generator.state
        ahead = self.rng.random((1, QUESTIONS))
        self.rng.bit_generator.state = before
        (action,), (used,) = choices_by(
            self.policy, record, legal, self.style, ahead, self.temperature, in_order=True
        )
        self.rng.random(used)
        return choice_of_action(int(action), decision.choices)


def read_decision(decision: Decision) -> tuple[Decisions, Bools]:
    """(1,) the record of a decision and (1, ACTIONS) its legal actions. Raises PositionError where
    the policy cannot read the position."""
    try:
        record = decision_of(decision)
    except ValueError as error:
        raise PositionError(f"the policy cannot read the position: {error}") from None
    return record, legal_mask(decision.choices)[None]
