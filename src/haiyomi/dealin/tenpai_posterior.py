"""What the rules say of an opponent's ron, and one opponent's posterior with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.observation import NONE, RIVER, TSUMOGIRI, Observations
from haiyomi.kernels.posterior import Given, Posterior, Shown
from haiyomi.kernels.waits import KIND_BITS

_BITS: Final = np.append(KIND_BITS, np.uint64(0))


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One opponent: the posterior, and its ``row`` among those that were ``shown``."""

    posterior: Posterior
    shown: Shown
    row: int

    @property
    def given(self) -> Given:
        """What the rules say of its ron."""
        return self.shown.given(self.row)


def furiten_masks(observations: Observations, opponent: NDArray[Any]) -> NDArray[np.uint64]:
    """(n,) kinds on which each opponent cannot win: own river, let pass since the own last
    discard or after the riichi. Such a ron is against the rules, so its probability is 0."""
    own = observations["players"][np.arange(len(observations)), opponent]
    kinds = np.where(own["kind"] == NONE, 34, own["kind"]).astype(np.int64)
    kinds[np.arange(RIVER) >= own["n"][:, None]] = 34
    out: NDArray[np.uint64] = np.bitwise_or.reduce(_BITS[kinds], axis=1)
    out |= own["passed"]
    out |= own["passed_riichi"]
    return out


def kinds_let_pass(observations: Observations, opponent: NDArray[Any]) -> NDArray[np.uint64]:
    """(n,) kinds that others discarded since each opponent's hand last changed, by a discard from
    it or by a meld, and that it did not win on: with the same hand it hardly wins on them now. None
    in riichi, where they are furiten, and at the last discard, on which a hand without a yaku wins
    too. As the core's, for what is discarded.
    """
    rows, places = np.arange(len(observations)), np.arange(RIVER)
    players = observations["players"]
    own = players[rows, opponent]
    from_hand = (places < own["n"][:, None]) & (own["flags"] & TSUMOGIRI == 0)
    order = np.where(from_hand, own["order"].astype(np.int64) + 1, 0).max(axis=1)
    melds = own["melds"]
    called = np.where(melds[:, :, 0] != NONE, melds[:, :, 3], 0).max(axis=1)
    first = np.maximum(order, called)[:, None, None]
    there = (places < players["n"][:, :, None]) & (players["order"] >= first)
    there[rows, opponent] = False
    none = (own["riichi"] >= 0) | (observations["draws_left"] == 0)
    there[none] = False
    kinds = np.where(there, players["kind"], 34).astype(np.int64)
    out: NDArray[np.uint64] = np.bitwise_or.reduce(_BITS[kinds], axis=(1, 2))
    return out
