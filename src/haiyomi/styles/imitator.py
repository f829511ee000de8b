"""A player that acts by the policy, in a given style.

It implements ``play.player``, so it plays at the package's own table, behind the mjai process
and in the referee's test games.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from haiyomi.errors import PositionError
from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Event,
    Kakan,
    Pon,
    Riichi,
)
from haiyomi.game.decision_record import CHI_LOW, NINE, OFFERS, RIICHI, RON, TSUMO
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import act_of, decision_of
from haiyomi.play.player import Choice, Claim, Options, Pass
from haiyomi.play.seat_state import SeatState
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import Singles
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

        ``styles.policy_actions`` and the core's ``policy_choice`` make the same choices in batches.
        Raises PositionError where the policy cannot read the position.
        """
        try:
            row = decision_of(decision)
        except ValueError as error:
            raise PositionError(f"the policy cannot read the position: {error}") from None
        logits = self.policy.logits(row, self.style)
        acts = logits.acts[0]
        if decision.offer is not None:
            return self._choose_claim(decision.choices, int(row["legal"][0]), acts)
        by_type: dict[type, list[Choice]] = {}
        for choice in decision.choices:
            by_type.setdefault(type(choice), []).append(choice)
        if Claim in by_type and self._accepts(acts[TSUMO]):
            return by_type[Claim][0]
        if AbortiveDraw in by_type and self._accepts(acts[NINE]):
            return by_type[AbortiveDraw][0]
        kans = [c for c in decision.choices if isinstance(c, Ankan | Kakan)]
        if kans:
            best = max(kans, key=lambda c: float(logits.kans[0, _kan_kind(c)]))
            if self._accepts(logits.kans[0, _kan_kind(best)]):
                return best
        if Riichi in by_type and self._accepts(acts[RIICHI]):
            return by_type[Riichi][0]
        discards = [c for c in decision.choices if isinstance(c, Discard)]
        kinds = sorted({c.tile.kind for c in discards})
        kind = kinds[self._choose(logits.discards[0, kinds])]
        # A plain five rather than the red one; of equal tiles the one just drawn.
        return min(
            (c for c in discards if c.tile.kind == kind),
            key=lambda c: (c.tile.red, not c.tsumogiri),
        )

    def _choose_claim(self, choices: Sequence[Choice], legal: int, acts: Singles) -> Choice:
        open_to = [a for a in range(CHI_LOW, RON + 1) if legal & OFFERS & 1 << a]
        scores = np.array([0.0, *(acts[a] for a in open_to)], np.float32)
        taken = self._choose(scores)
        if taken == 0:
            return next(c for c in choices if isinstance(c, Pass))
        act = open_to[taken - 1]
        alike = [c for c in choices if act_of(c) == act]
        return max(alike, key=_reds)

    def _accepts(self, logit: np.float32) -> bool:
        return self._choose(np.array([0.0, logit], np.float32)) == 1

    def _choose(self, scores: Singles) -> int:
        """The index of the chosen logit."""
        if self.temperature <= 0 or len(scores) == 1:
            return int(scores.argmax())
        shares = np.exp((scores - scores.max()).astype(np.float64) / self.temperature)
        point = self.rng.random() * shares.sum()
        return min(int(np.searchsorted(np.cumsum(shares), point)), len(scores) - 1)


def _kan_kind(choice: Ankan | Kakan) -> int:
    return choice.tiles[0].kind if isinstance(choice, Ankan) else choice.tile.kind


def _reds(choice: Choice) -> int:
    """Red fives that a call takes from the hand: players show them."""
    if isinstance(choice, Chi | Pon | Daiminkan):
        return sum(t.red for t in choice.consumed)
    return 0
