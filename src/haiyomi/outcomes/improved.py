"""The improved policy: people's choices, reweighted by what each option is worth.

An option's probability is the policy's share times exp(advantage / scale), and not that of
the largest value: values have errors, the largest of several is the one that was overestimated
most, and options that people hardly ever take are those that the values know least about. Where
several networks value the options, the advantage is lowered by their disagreement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Bytes, Floats, Ints
from haiyomi.errors import ArgumentError
from haiyomi.game.decision_record import Decisions
from haiyomi.outcomes.later_models import shipped as shipped_options
from haiyomi.outcomes.option_actions import OptionActions, option_shares, options_of_records
from haiyomi.outcomes.option_inputs import trunk_of
from haiyomi.outcomes.option_model import OptionModel
from haiyomi.outcomes.option_values import option_values
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import PlacementModel
from haiyomi.outcomes.placement import shipped as shipped_placement
from haiyomi.rules import Ruleset
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_actions import Draws
from haiyomi.styles.policy_network import Logits

PLACES: Final = Payoff("3/2/1/0", (3, 2, 1, 0))
"""Values in places: 1 is one place better at the end of the game."""
SCALE: Final = 0.01
"""In units of the payoff."""
LEAST_SCALE: Final = 1e-6
"""A number that is divided by one nearly 0 becomes infinite."""
SURE: Final = 0.98
"""An option that the policy takes so often is left alone."""


@dataclass(frozen=True, slots=True, eq=False)
class ImprovedPolicy:
    """A policy that is better than the one of its ``model`` by what the model says of options.

    ``scale`` in units of ``PLACES``: the smaller, the further it goes from the policy. Raises
    ArgumentError for one below ``LEAST_SCALE``.
    """

    model: OptionModel
    placement: PlacementModel
    scale: float = SCALE

    def __post_init__(self) -> None:
        if not LEAST_SCALE <= self.scale < math.inf:
            raise ArgumentError(f"scale is {self.scale}: expected a number from {LEAST_SCALE:g}")

    @property
    def policy(self) -> Policy:
        """What it improves on."""
        return self.model.policy_model

    def shares(
        self, records: Decisions, legal: Bools, rules: Ruleset
    ) -> tuple[OptionActions, Floats]:
        """All options of n decisions and how often each is taken; a decision's sum to one.

        ``legal`` (n, N_ACTIONS). Raises HaiyomiError for rules without placements.
        """
        options = options_of_records(records, legal)
        trunk = trunk_of(records, self.policy).mean()
        share = option_shares(records, Logits.of(trunk), options)
        n, row = len(records), options.row
        ends_hand = np.bincount(row, ~options.goes_on, n) > 0
        most = np.zeros(n)
        np.maximum.at(most, row, share)
        doubtful = np.flatnonzero(~ends_hand & (most < SURE))
        if not len(doubtful):
            return options, share
        number = np.full(n, -1)
        number[doubtful] = np.arange(len(doubtful))
        mine = np.flatnonzero(number[row] >= 0)
        asked = options.take(mine)
        asked = replace(asked, row=number[asked.row])
        found = option_values(
            self.model, self.placement, PLACES, records[doubtful], asked, rules,
            {name: part[doubtful] for name, part in trunk.items()},
        )  # fmt: skip
        share[mine] = reweighted(found.share, found.value, asked.row, self.scale)
        return options, share

    def actions(
        self,
        records: Decisions,
        legal: Bools,
        rules: Ruleset,
        temperature: float = 0.0,
        rng: Draws | None = None,
    ) -> Bytes:
        """(n,) one legal action for each of n decisions, of a riichi the declaration.

        ``temperature`` 0 takes what is likeliest; above 0 ``rng`` draws, one number a decision.
        Raises ValueError for a temperature below 0 or without ``rng``.
        """
        options, share = self.shares(records, legal, rules)
        if not temperature >= 0:
            raise ArgumentError(f"temperature {temperature}: expected 0 or more")
        if temperature > 0:
            if rng is None:
                raise ValueError("a temperature above 0 needs a random generator")
            chosen = drawn(share, options.row, temperature, rng.random((len(records),)))
        else:
            chosen = _likeliest(share, options.row)
        return options.first[chosen]


def reweighted(share: Floats, value: Floats, row: Ints, scale: float) -> Floats:
    """(b,) a policy's shares times exp(advantage / scale), which sum to one by decision.

    ``share`` (b,), ``value`` (e, b) by e networks, ``row`` (b,) the decision, ascending. An
    advantage is over the mean by the shares; of several networks it is their mean less their
    standard deviation.
    """
    n = int(row[-1]) + 1
    means = np.stack([np.bincount(row, share * each, n) for each in value])
    advantage = value - means[:, row]
    lower = advantage.mean(axis=0) - advantage.std(axis=0)
    with np.errstate(divide="ignore"):
        weight = _weights(np.log(share) + lower / scale, row, n)
    out: Floats = weight / np.bincount(row, weight, n)[row]
    return out


def drawn(share: Floats, row: Ints, temperature: float, uniforms: Floats) -> Ints:
    """(n,) an option of each decision, drawn by the shares to the power of 1 / temperature with
    ``uniforms`` (n,) in [0, 1)."""
    n = len(uniforms)
    with np.errstate(divide="ignore"):
        weight = _weights(np.log(share) / max(temperature, LEAST_SCALE), row, n)
    ends = np.cumsum(weight)
    begins = np.concatenate([[0.0], ends[np.searchsorted(row, np.arange(1, n)) - 1]])
    total = np.bincount(row, weight, n)
    found = np.searchsorted(ends, begins + uniforms * total, side="right")
    last = np.searchsorted(row, np.arange(n), side="right") - 1
    out: Ints = np.minimum(found, last)
    return out


def _weights(score: Floats, row: Ints, n: int) -> Floats:
    """(b,) exp of the scores, by decision over the greatest, which is 1."""
    top = np.full(n, -np.inf)
    np.maximum.at(top, row, score)
    out: Floats = np.exp(score - top[row])
    return out


def _likeliest(share: Floats, row: Ints) -> Ints:
    """(n,) the option of each decision with the largest share, the first of equals."""
    order = np.lexsort((np.arange(len(share)), -share, row))
    begins = np.searchsorted(row, np.arange(int(row[-1]) + 1))
    out: Ints = order[begins]
    return out


def shipped_improved(scale: float = SCALE, options: Path | None = None) -> ImprovedPolicy:
    """On the shipped networks; ``options``: the network of options of this file instead. Raises
    ModelError where a file is missing or does not fit."""
    model = shipped_options()
    if options is not None:
        model = OptionModel.load(options, model.policy_model, model.opponents)
    return ImprovedPolicy(model, shipped_placement(), scale)
