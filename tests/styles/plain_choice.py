"""The choice by a policy's logits in plain Python, slow: what the core's must equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from haiyomi.arrays import Singles
from haiyomi.events import AbortiveDraw, Ankan, Chi, Daiminkan, Discard, Kakan, Pon, Riichi
from haiyomi.game.decision_record import NINE, RIICHI, TSUMO
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import act_of
from haiyomi.play.player import Choice, Claim, Pass
from haiyomi.styles.policy_network import Logits

Uniform = Callable[[int], float]
"""The random number of a question: 0 tsumo or the answer to another's tile, 1 nine terminals, 2 a
kan, 3 riichi, 4 the discard."""


def plain_choice(
    decision: Decision, logits: Logits, temperature: float, uniform: Uniform
) -> Choice:
    """One of the choices, by the ``logits`` of this decision alone."""
    acts, kan_logits = logits.acts[0], logits.kans[0]
    if decision.offer is not None:
        return _answer(decision.choices, acts, temperature, uniform)

    def accepts(question: int, logit: np.float32) -> bool:
        both = np.array([0.0, logit], np.float32)
        return _drawn(both, temperature, uniform, question) == 1

    for win in decision.of(Claim):
        if accepts(0, acts[TSUMO]):
            return win
    for draw in decision.of(AbortiveDraw):
        if accepts(1, acts[NINE]):
            return draw
    if kans := decision.of(Ankan) + decision.of(Kakan):
        best = max(kans, key=lambda kan: float(kan_logits[_kan_kind(kan)]))
        if accepts(2, kan_logits[_kan_kind(best)]):
            return best
    for riichi in decision.of(Riichi):
        if accepts(3, acts[RIICHI]):
            return riichi
    discards = decision.of(Discard)
    kinds = sorted({c.tile.kind for c in discards})
    kind = kinds[_drawn(logits.discards[0, kinds], temperature, uniform, 4)]
    return min(
        (c for c in discards if c.tile.kind == kind), key=lambda c: (c.tile.red, not c.tsumogiri)
    )


def _answer(
    choices: Sequence[Choice], acts: Singles, temperature: float, uniform: Uniform
) -> Choice:
    open_to = sorted({act_of(choice) for choice in choices if not isinstance(choice, Pass)})
    scores = np.array([0.0, *(acts[act] for act in open_to)], np.float32)
    taken = _drawn(scores, temperature, uniform, 0)
    if taken == 0:
        return next(c for c in choices if isinstance(c, Pass))
    return max((c for c in choices if act_of(c) == open_to[taken - 1]), key=_reds)


def _drawn(scores: Singles, temperature: float, uniform: Uniform, question: int) -> int:
    """The index of the chosen logit."""
    if temperature <= 0 or len(scores) == 1:
        return int(scores.argmax())
    shares = np.exp((scores - scores.max()).astype(np.float64) / temperature)
    point = uniform(question) * shares.sum()
    return min(int(np.searchsorted(np.cumsum(shares), point)), len(scores) - 1)


def _kan_kind(kan: Ankan | Kakan) -> int:
    return kan.tiles[0].kind if isinstance(kan, Ankan) else kan.tile.kind


def _reds(choice: Choice) -> int:
    """Red fives that a call takes from the hand."""
    called = isinstance(choice, Chi | Pon | Daiminkan)
    return sum(tile.red for tile in choice.consumed) if called else 0
