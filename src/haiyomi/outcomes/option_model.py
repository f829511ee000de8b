"""How the hand ends after each option: what the option adds to what the policy's network expects.

The policy's network predicts the end of the hand from what the seat sees before it decides: the
*state*. A small network reads an option (``option_inputs``) and adds to the state's logits of the
ending and of the worth of the own hand. What it adds is centred by the policy's shares, so that
the mean over the options stays the state's.

All is given that nobody wins at once on the option's tile. The state's logits of dealing in are
lowered by the share of it that is due to the tile discarded now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.game.observation import NONE
from haiyomi.kernels.network import Floats
from haiyomi.networks.network import Network
from haiyomi.networks.shape import JOINT_ENDINGS, WORTH_CLASSES
from haiyomi.outcomes.later import Later
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.option_actions import OptionActions
from haiyomi.outcomes.option_inputs import NAMES, Doubles, Seen, exact_inputs, see
from haiyomi.play.actions import action_of
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.storage.tensors_file import read_tensors, write_tensors
from haiyomi.styles.policy import Policy

NAME: Final = "options"
VERSION: Final = 1
OUTPUTS: Final = JOINT_ENDINGS + WORTH_CLASSES
LEAST_LATER: Final = 0.1
"""At least so much of a state's deal-in probability is later than the tile discarded now."""
_DEAL_INS: Final = slice(4, 16, 4)
"""The joint endings in which the seat deals in to the right, across and to the left."""


@dataclass(frozen=True, slots=True, eq=False)
class OptionAnswers:
    """Of b options as in ``Later``: ``ending`` (b, 33), ``worth`` (b, 4, 9), ``deposit`` (b, 4),
    ``share`` (b,)."""

    ending: Doubles
    worth: Doubles
    deposit: Doubles
    share: Doubles


@dataclass(frozen=True, slots=True, eq=False)
class OptionModel:
    """The network of options on those of the policy and of the opponents.

    ``layers``: weights by name, (rows, columns): ``channels``, ``pooled`` and ``exact`` into the
    first hidden layer with its ``bias``; ``hidden`` and ``hidden bias``; ``out``.
    """

    policy_model: Policy
    opponents: Network
    layers: Mapping[str, Floats]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    policy: str = "pooled"

    def answers(self, records: Decisions, options: OptionActions) -> OptionAnswers:
        """Of all options of n decisions; a row's bits do not depend on the others."""
        seen = see(records, self.policy_model, self.opponents)
        return self.answers_seen(records, seen, options)

    def answers_seen(self, records: Decisions, seen: Seen, options: OptionActions) -> OptionAnswers:
        """``answers`` of decisions that the networks have seen."""
        exact, share, risk = exact_inputs(records, seen, options)
        added = self._added(seen, options, exact)
        state = state_logits(seen, options, share, risk)
        return combine(state, seen, options, share, added)

    def _added(self, seen: Seen, options: OptionActions, exact: Floats) -> Floats:
        """(b, OUTPUTS) what the network says of each option, not yet centred."""
        layers, row = self.layers, options.row
        kind = np.where(options.kind == NONE, 0, options.kind)
        hidden = _product(seen.channels[row, kind], layers["channels"])
        hidden += _product(seen.pooled, layers["pooled"])[row]
        hidden += _product(exact, layers["exact"])
        hidden = np.maximum(hidden + layers["bias"], 0)
        hidden = np.maximum(_product(hidden, layers["hidden"]) + layers["hidden bias"], 0)
        return _product(hidden, layers["out"])

    def later(self, decisions: Sequence[tuple[Decision, tuple[Option, ...]]]) -> list[Later]:
        """As ``later.LaterModel`` says."""
        if not decisions:
            return []
        records = unpack_decisions(b"".join(pack_decision(d) for d, _ in decisions))
        options = actions_of(records, decisions)
        found = self.answers(records, options)
        cuts = np.cumsum([len(named) for _, named in decisions])[:-1]
        columns = (found.ending, found.worth, found.deposit, found.share)
        parts = (np.split(column, cuts) for column in columns)
        return [Later(*each) for each in zip(*parts, strict=True)]

    def save(self, path: Path) -> None:
        """Write a safetensors file. Raises ModelError."""
        write_tensors(path, NAME, VERSION, self.layers, self.manifest)

    @classmethod
    def load(cls, path: Path, policy: Policy, opponents: Network) -> OptionModel:
        """Read a file, for the networks that it was fitted on. Raises ModelError."""
        layers, manifest = read_tensors(path, NAME, VERSION)
        decision = policy.network.shape.decision
        due = {
            "channels": decision.width,
            "pooled": decision.hidden,
            "exact": len(NAMES),
            "bias": 1,
            "hidden bias": 1,
        }
        if set(layers) != {*due, "hidden", "out"} or any(
            layers[name].shape[0] != rows for name, rows in due.items()
        ):
            raise ModelError(f"{path.name}: fitted on networks of another shape")
        if layers["out"].shape[1] != OUTPUTS:
            raise ModelError(f"{path.name}: outputs of another number")
        return cls(policy, opponents, layers, manifest)


def actions_of(
    records: Decisions, decisions: Sequence[tuple[Decision, tuple[Option, ...]]]
) -> OptionActions:
    """The options of decisions as actions, in their order."""
    rows, firsts, seconds = [], [], []
    for row, (decision, options) in enumerate(decisions):
        paths = options_of(decision)
        for option in options:
            first, *second = (action_of(choice) for choice in paths[option])
            rows.append(row)
            firsts.append(first)
            seconds.append(second[0] if second else NONE)
    return OptionActions.of(records, np.array(rows), np.array(firsts), np.array(seconds))


def state_logits(seen: Seen, options: OptionActions, share: Doubles, risk: Doubles) -> Doubles:
    """(n, OUTPUTS) logits of the ending and of the worth of the own hand before the seat decides,
    given that its tile is not won on at once.

    The policy's mean over the options of ``risk`` (b, 3) is taken from the deal-ins.
    """
    n = len(seen.ending)
    p = _softmax(seen.ending.astype(np.float64))
    now = np.stack([np.bincount(options.row, share * risk[:, j], n) for j in range(3)], axis=1)
    deal_ins = p[:, _DEAL_INS]
    p[:, _DEAL_INS] = np.maximum(deal_ins - now, LEAST_LATER * deal_ins)
    return np.concatenate([np.log(p), seen.worth[:, 0].astype(np.float64)], axis=1)


def combine(
    state: Doubles, seen: Seen, options: OptionActions, share: Doubles, added: Floats
) -> OptionAnswers:
    """The probabilities of options from the state and what each adds to it."""
    row, n = options.row, len(state)
    moved = added.astype(np.float64)
    mean = np.stack([np.bincount(row, share * column, n) for column in moved.T], axis=1)
    logits = state[row] + moved - mean[row]
    worth = _softmax(seen.worth.astype(np.float64))[row]
    worth[:, 0] = _softmax(logits[:, JOINT_ENDINGS:])
    deposit = 1 / (1 + np.exp(-seen.deposit.astype(np.float64)))
    return OptionAnswers(_softmax(logits[:, :JOINT_ENDINGS]), worth, deposit[row], share)


def _product(x: Floats, weight: Floats) -> Floats:
    """Each row by itself: its bits do not depend on the others."""
    out: Floats = np.matmul(x[:, None], weight)[:, 0]
    return out


def _softmax(x: Doubles) -> Doubles:
    p = np.exp(x - x.max(axis=-1, keepdims=True))
    out: Doubles = p / p.sum(axis=-1, keepdims=True)
    return out
