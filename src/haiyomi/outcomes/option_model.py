"""How the hand ends after each option: what the option adds to what the policy's network expects.

The policy's network predicts the end of the hand from what the seat sees before it decides: the
*state*. A small network reads an option (``option_inputs``) and adds to the state's logits of the
ending and of the worth of the own hand. What it adds is centred by the policy's shares, so that
the mean over the options stays the state's.

All is given that nobody wins at once on the option's tile. The state's logits of dealing in are
lowered by the share of it that is due to the tile discarded now. Wins in furiten and without a yaku
have a rule of their own (``rare_wins``). Nor does the state know of furiten: beside discards that
leave a hand tenpai in furiten, those that give up tenpai are centred as if there were none.

The small network is an ensemble: each member was fitted to other games. Where two members differ,
the data do not say what an option is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints, Singles
from haiyomi.errors import ModelError
from haiyomi.game.decision_record import (
    NINE,
    RON,
    TSUMO,
    Decisions,
    just_called,
    without_tedashi,
)
from haiyomi.game.observation import NONE
from haiyomi.kernels.option_net import LANE, LAYERS, MOST_HIDDEN, option_net
from haiyomi.kernels.waits import KIND_BITS
from haiyomi.networks.network import Answers, Network
from haiyomi.networks.opponents import AlreadySeen
from haiyomi.networks.shape import JOINT_ENDINGS, WORTH_CLASSES
from haiyomi.networks.softmax import softmax
from haiyomi.outcomes.corrections.rare_wins import rare_wins
from haiyomi.outcomes.joint import OWN_DEAL_INS
from haiyomi.outcomes.later import LaterEndings, Trunk
from haiyomi.outcomes.option_actions import OptionActions
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.option_inputs import NAMES, NetworkOutputs, exact_inputs, see
from haiyomi.play.actions import DISCARD
from haiyomi.storage.tensors_file import read_tensors, write_tensors
from haiyomi.styles.policy import Policy

NAME: Final = "options"
VERSION: Final = 1
OUTPUTS: Final = JOINT_ENDINGS + WORTH_CLASSES
ENDING_ACTS: Final = np.uint16(1 << TSUMO | 1 << RON | 1 << NINE)
"""The acts that end the hand, as bits of ``legal``: wins and nine terminals."""
PART_TAKEN: Final = 0.85
"""The part of what the network adds at an own turn that forecasts take. It adds too much: the best
part of 3,724 differences between two discards of train that were played on is .8, of 3,083 of valid
.85. Of a pass on another's tile it adds enough."""
_FURITEN: Final = NAMES.index("furiten")
_TENPAI: Final = NAMES.index("tenpai")
LEAST_LATER: Final = 0.1
"""At least so much of a state's deal-in probability is later than the tile discarded now."""


@dataclass(frozen=True, slots=True, eq=False)
class OptionModel:
    """The network of options on those of the policy and of the opponents.

    ``layers``: weights by name, (members, rows, columns): ``channels``, ``pooled`` and ``exact``
    into the first hidden layer with its ``bias``; ``hidden`` and ``hidden bias``; ``out``.
    ``forgets``: it answers for seats that do not remember which discards were tedashi. ``part`` of
    what the network adds at an own turn is taken.
    """

    policy_model: Policy
    opponents: Network
    layers: Mapping[str, Singles]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    policy: str = "pooled"
    forgets: bool = False
    part: float = 1.0

    def answers(
        self, records: Decisions, options: OptionActions, read: AlreadySeen | None = None
    ) -> LaterEndings:
        """Of all options of n decisions under rules with open tanyao; a decision's bits do not
        depend on the others. ``read``: what a network has said of their opponents, used where it is
        this one."""
        return self.answers_seen(records, options, True, read)[0]

    def answers_seen(
        self,
        records: Decisions,
        options: OptionActions,
        kuitan: bool,
        read: AlreadySeen | None = None,
        trunk: Answers | None = None,
    ) -> tuple[LaterEndings, NetworkOutputs, Floats, Floats]:
        """``answers``, what the networks have seen, the policy's shares (b,), and (b, 3) the
        probabilities that opponents 1, 2, 3 win on the option's tile at once. ``trunk``: what the
        policy's network has said of these records (``option_inputs.see``). ``kuitan``: open tanyao
        is a yaku."""
        if self.forgets:
            records = without_tedashi(records)
        later, seen, share, risk = self._asked(records, options, kuitan, read, trunk)
        may_end = np.flatnonzero(records["legal"] & ENDING_ACTS)
        if len(may_end):
            declined = self._declining(records[may_end], options, may_end, kuitan)
            later = later.with_decisions(may_end, options.row, declined)
        return later, seen, share, risk

    def _asked(
        self,
        records: Decisions,
        options: OptionActions,
        kuitan: bool,
        read: AlreadySeen | None = None,
        trunk: Answers | None = None,
    ) -> tuple[LaterEndings, NetworkOutputs, Floats, Floats]:
        seen = see(records, self.policy_model, self.opponents, read=read, trunk=trunk)
        every, allowed = with_swaps(records, options)
        exact, share, risk = exact_inputs(records, seen, every)
        state = later_state(seen, every, share, risk)
        turn = records["from"] == NONE

        def ends_with(numbers: Singles) -> LaterEndings:
            part = np.where(turn, self.part, 1.0)[every.row, None]
            return combine(state, seen, every, share, part * self._added(seen, every, numbers))

        later = ends_with(exact)
        barred = np.bincount(every.row, exact[:, _FURITEN], len(records)) > 0
        back = (barred & turn)[every.row] & (exact[:, _TENPAI] == 0)
        if back.any():
            plain = exact.copy()
            plain[:, _FURITEN] = 0
            later = later.with_options(back, ends_with(plain))
        if every is not options:
            whole, some = np.ones(len(records)), every.row[~allowed]
            whole[some] = np.bincount(options.row, share[allowed], len(records))[some]
            exact, risk, share = exact[allowed], risk[allowed], share[allowed] / whole[options.row]
            later = later.of_options(allowed, share)
        rare = rare_wins(records, options, exact[:, _FURITEN] > 0, share, kuitan)
        return replace(later, ending=rare.apply(later.ending)), seen, share, risk

    def _declining(
        self, records: Decisions, options: OptionActions, of: Ints, kuitan: bool
    ) -> LaterEndings:
        """Of decisions ``of`` which a claim may end the hand, as if it might not: what is expected
        before a claim is the claim, and says little about the hand after declining it."""
        plain = records.copy()
        plain["legal"] &= ~ENDING_ACTS
        mine = options.take(np.isin(options.row, of))
        return self._asked(plain, replace(mine, row=np.searchsorted(of, mine.row)), kuitan)[0]

    def _added(self, seen: NetworkOutputs, options: OptionActions, exact: Singles) -> Singles:
        """(e, b, OUTPUTS) what the networks say of each option, not yet centred."""
        kind = np.where(options.kind == NONE, 0, options.kind)
        return option_net(self.layers, options.row, kind, seen.channels, seen.pooled, exact)

    def later(
        self, block: OptionBlock, read: AlreadySeen | None = None, trunk: Trunk | None = None
    ) -> LaterEndings:
        """As ``later.LaterModel`` says, by ``PART_TAKEN``."""
        known = None
        if trunk is not None and trunk.source is self.policy_model.network:
            known = trunk.views.mean() if trunk.forgets == self.forgets else None
        model = replace(self, part=PART_TAKEN)
        return model.answers_seen(block.records, block.actions, block.kuitan, read, known)[0]

    def save(self, path: Path) -> None:
        """Write a safetensors file. Raises ModelError."""
        write_tensors(path, NAME, VERSION, self.layers, self.manifest)

    @classmethod
    def load(cls, path: Path, policy: Policy, opponents: Network) -> OptionModel:
        """Read a file, for the networks that it was fitted on. Raises ModelError."""
        layers, manifest = read_tensors(path, NAME, VERSION)
        decision = policy.network.shape.decision
        if set(layers) != set(LAYERS) or any(part.ndim != 3 for part in layers.values()):
            raise ModelError(f"{path.name}: other layers than {', '.join(LAYERS)}")
        members, _, hidden = layers["bias"].shape
        if not members:
            raise ModelError(f"{path.name}: an ensemble without members")
        if not 0 < hidden <= MOST_HIDDEN or hidden % LANE:
            raise ModelError(
                f"{path.name}: hidden layers of {hidden} numbers: expected a multiple of {LANE}, "
                f"{MOST_HIDDEN} at most"
            )
        due = {
            "channels": (decision.width, hidden),
            "pooled": (decision.hidden, hidden),
            "exact": (len(NAMES), hidden),
            "bias": (1, hidden),
            "hidden": (hidden, hidden),
            "hidden bias": (1, hidden),
            "out": (hidden, OUTPUTS),
        }
        for name, shape in due.items():
            if (found := layers[name].shape) != (members, *shape):
                raise ModelError(
                    f"{path.name}: layer {name} has the shape {found}, not {(members, *shape)}: "
                    "fitted on other networks"
                )
        return cls(policy, opponents, layers, manifest)


def with_swaps(records: Decisions, options: OptionActions) -> tuple[OptionActions, Bools]:
    """The options of n decisions with the discards that are forbidden right after a call (kuikae),
    and which of them are ``options``.

    The state does not know that they are forbidden. Where the best discard is, the others are worth
    less than the state, so that the mean that they are centred by counts it.
    """
    held = (records["hand"] > 0) & just_called(records)[:, None]
    row, kind = np.nonzero(held & (records["discards"][:, None] & KIND_BITS == 0))
    if not len(row):
        return options, np.ones(len(options.row), np.bool_)
    none = np.full(len(row), NONE)
    swaps = OptionActions.of(records, row, DISCARD + kind, none)
    both = OptionActions.join([options, swaps])
    order = np.argsort(both.row, kind="stable")
    return both.take(order), order < len(options.row)


def later_state(
    seen: NetworkOutputs, options: OptionActions, share: Floats, risk: Floats
) -> Floats:
    """(n, OUTPUTS) logits of the ending and of the worth of the own hand before the seat decides,
    given that its tile is not won on at once.

    The policy's mean over the options of ``risk`` (b, 3) is taken from the deal-ins.
    """
    n = len(seen.ending)
    p = softmax(seen.ending.astype(np.float64))
    now = np.stack([np.bincount(options.row, share * risk[:, j], n) for j in range(3)], axis=1)
    deal_ins = p[:, OWN_DEAL_INS]
    p[:, OWN_DEAL_INS] = np.maximum(deal_ins - now, LEAST_LATER * deal_ins)
    return np.concatenate([np.log(p), seen.worth[:, 0].astype(np.float64)], axis=1)


def combine(
    state: Floats, seen: NetworkOutputs, options: OptionActions, share: Floats, added: Singles
) -> LaterEndings:
    """The probabilities of options from the state and what each member adds to it."""
    row, n = options.row, len(state)
    moved = added.astype(np.float64)
    begins = begins_of(options, n)
    mean = np.add.reduceat(moved * share[:, None], begins, axis=1)
    logits = state[row] + moved - mean[:, row]
    worth = softmax(seen.worth[:, 1:].astype(np.float64))
    deposit = 1 / (1 + np.exp(-seen.deposit.astype(np.float64)))
    ending, own = softmax(logits[..., :JOINT_ENDINGS]), softmax(logits[..., JOINT_ENDINGS:])
    return LaterEndings(ending, own, worth, deposit, share)


def begins_of(options: OptionActions, n: int) -> Ints:
    """(n,) the first option of each of n decisions, all of which have some."""
    return np.searchsorted(options.row, np.arange(n))
