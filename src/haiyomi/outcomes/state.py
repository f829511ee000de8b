"""How the hand ends from what a seat sees before it decides: the state heads of a network.

The forecast of a state averages over what the seat may do; that of an option is in ``forecast``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from haiyomi.arrays import Bools, Floats
from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.game.observation import DECLARES, NONE, open_melds
from haiyomi.networks.network import Network
from haiyomi.networks.opponents import AlreadySeen
from haiyomi.networks.shape import STATE_WHOLE, WORTH_CLASSES
from haiyomi.networks.softmax import softmax
from haiyomi.outcomes.ends import Stakes, by_ending, ends_of, later_deposits, spread
from haiyomi.outcomes.joint import TENPAI
from haiyomi.outcomes.later import LaterEndings, Trunk
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.rules import DEPOSIT, RIICHI_DRAWS


@dataclass(frozen=True, slots=True, eq=False)
class StateLogits:
    """Of n decisions, raw: ``ending`` (n, 33), ``worth`` (n, 4, 9), ``deposit`` (n, 4) log odds."""

    ending: Floats
    worth: Floats
    deposit: Floats

    def probabilities(self) -> StateEnds:
        """The softmax of each."""
        deposit = 1 / (1 + np.exp(-self.deposit))
        return StateEnds(softmax(self.ending), softmax(self.worth), deposit)


@dataclass(frozen=True, slots=True, eq=False)
class StateEnds:
    """Of n decisions: ``ending`` (n, 33) P of each joint ending, ``worth`` (n, 4, 9) P of the class
    of each seat's hand given that it wins, ``deposit`` (n, 4) P that it pays a deposit."""

    ending: Floats
    worth: Floats
    deposit: Floats


def state_logits(network: Network, rows: Decisions) -> StateLogits:
    """The state of decision records. Raises ModelError for a network without these heads."""
    _check(network)
    found = network.answers(rows)
    return StateLogits(
        found["ending"].astype(np.float64),
        found["worth"].astype(np.float64).reshape(len(rows), 4, WORTH_CLASSES),
        found["deposit"].astype(np.float64),
    )


@dataclass(frozen=True, slots=True, eq=False)
class StateLater:
    """The state for every option of a decision: what comes later on average over the options. Two
    options differ only by the deal-in on their own tile and by the rules."""

    network: Network
    policy: str = "pooled, whatever the option"

    @classmethod
    def load(cls, path: Path) -> StateLater:
        """Of a network's file. Raises ModelError where it is no network with state heads."""
        network = Network.load(path)
        _check(network)
        return cls(network)

    def later(
        self, block: OptionBlock, read: AlreadySeen | None = None, trunk: Trunk | None = None
    ) -> LaterEndings:
        """The same for every option of a decision; neither ``read`` nor ``trunk`` is needed."""
        found = state_logits(self.network, block.records).probabilities()
        row = block.row
        return LaterEndings(
            found.ending[row][None], found.worth[row, 0][None], found.worth[:, 1:], found.deposit
        )


def state_endings(rows: Decisions, found: StateEnds) -> tuple[Floats, Floats]:
    """(n, 14) the probability of each ``Ending`` of decision records, and the mean change of the
    own score then, with what the rules exclude left out."""
    seen = rows["observation"]
    riichi = seen["players"]["riichi"] >= 0
    p = np.where((riichi[:, None] & (TENPAI == 0)).any(axis=2), 0, found.ending)
    p /= p.sum(axis=1, keepdims=True)
    deposits = later_deposits(np.where(_may_deposit(rows), found.deposit, _declared(rows)), p)
    stakes = np.stack([seen["dealer"], seen["honba"], seen["sticks"]], axis=1).astype(np.int64)
    every, of = np.unique(stakes, axis=0, return_inverse=True)
    changes = np.array([ends_of(Stakes(*row)).changes[:, 0] for row in every.tolist()])
    return by_ending(spread(p, found.worth), deposits, changes[of.reshape(-1)])


def _check(network: Network) -> None:
    """Raises ModelError for a network without the state heads."""
    named = dict(network.shape.decision.whole)
    if any(named.get(name) != size for name, size in STATE_WHOLE):
        raise ModelError("this network does not answer how a hand ends: it has no state heads")


def _may_deposit(rows: Decisions) -> Bools:
    """(n, 4) whether a seat may still declare riichi and pay for it."""
    players = rows["observation"]["players"]
    left = rows["observation"]["draws_left"].astype(np.int64)
    drawn = np.where(np.arange(4) == 0, left[:, None], left[:, None] - 1) >= RIICHI_DRAWS
    out: Bools = (
        (open_melds(players) == 0) & (players["riichi"] < 0) & (players["score"] >= DEPOSIT) & drawn
    )
    return out


def _declared(rows: Decisions) -> Floats:
    """(n, 4) 1 for the seat whose riichi the tile on offer declares: it has not paid yet."""
    offered = (rows["from"] != NONE) & (rows["flags"] & DECLARES != 0)
    out: Floats = (offered[:, None] & (rows["from"][:, None] == np.arange(4))).astype(np.float64)
    return out
