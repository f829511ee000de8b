"""Deal-in risk from the network of opponents and the exact posterior over tenpai hands.

One forward pass (``networks.opponents``) gives P(tenpai), the log odds of a ron on each kind, and
the factors of the posterior (``reading.hand_factors``), which gives P(can ron a kind | tenpai)
exactly for its weights. P(ron) joins the network's and P(tenpai) times the posterior's
(``dealin.combination``). Given the ron, its points and its waits are those of the posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from haiyomi.arrays import Bytes, Floats, Singles
from haiyomi.dealin.combination import weights_of
from haiyomi.dealin.possible import FLOOR
from haiyomi.dealin.posterior_opponents import PosteriorOpponents
from haiyomi.dealin.tenpai_posterior import Reading
from haiyomi.game.position import Position
from haiyomi.kernels.posterior import (
    Factors,
    Posterior,
    RonAnswer,
    Shown,
    ron_chances,
)
from haiyomi.networks.opponents import OpponentNetwork, OpponentOutputs, shipped_opponents
from haiyomi.reading.hand_factors import posteriors_of
from haiyomi.rules import Ruleset

NAME: Final = "posterior"


@dataclass(frozen=True, slots=True, eq=False)
class Rons:
    """m opponents: the ``rows`` of their posteriors; ``tenpai`` (m,) P(tenpai); ``by_hands`` (m,
    34) P(tenpai) times the posterior's P(ron | tenpai); ``ron`` (m, 34) P(ron) with the rules'
    zeros; ``wait`` (m, 34) P(waits on it | tenpai)."""

    rows: tuple[Reading, ...]
    tenpai: Floats
    by_hands: Floats
    ron: Floats
    wait: Floats


@dataclass(frozen=True, slots=True, eq=False)
class NetworkModel:
    """The model on a network."""

    network: OpponentNetwork
    name: str = NAME

    @classmethod
    def load(cls, path: Path) -> NetworkModel:
        """On the network of a file. Raises ModelError."""
        found = OpponentNetwork.load(path)
        weights_of(found.network)
        return cls(found)

    def forgetting(self, name: str) -> NetworkModel:
        """The same model, called ``name``, for viewers who do not remember which discards were
        tedashi."""
        return NetworkModel(replace(self.network, forgets=True), name)

    def prepare(self) -> None:
        """Build the core's tables now instead of at the first prediction."""
        _build_tables()

    def rons(
        self, seen: OpponentOutputs, rules: Ruleset, chankan: bool = False, keep: bool = False
    ) -> Rons:
        """The answers for the opponents that the network has seen in games of one rule set;
        ``keep``: hands will be drawn of most of them."""
        shown = seen.shown(rules, chankan)
        rows, answers = readings(seen, shown, keep)
        return joined(seen, shown, rows, answers, weights_of(seen.source))

    def read(
        self, positions: Sequence[Position], chankan: bool = False, chances_only: bool = False
    ) -> list[PosteriorOpponents]:
        """The predictions for the opponents of positions under one rule set, as a batch;
        batch-invariant, so each is bit for bit that of the position by itself. ``chances_only``:
        most will not be asked for points, waits or hands, which then cost more."""
        if not positions:
            return []
        seen = self.network.read_positions(positions)
        found = self.rons(seen, positions[0].rules, chankan, not chances_only)
        out = []
        for n, position in enumerate(positions):
            rows = slice(3 * n, 3 * n + 3)
            out.append(
                PosteriorOpponents(
                    self.name, position, chankan, found.rows[rows], found.tenpai[rows],
                    found.ron[rows], seen if len(positions) == 1 else seen.take(rows),
                )
            )  # fmt: skip
        return out

    def hands_by_risk(self, position: Position, seat: int, n: int, seed: int) -> Bytes:
        """(n, 34) tenpai hands of an opponent that win on each kind as often as the risk says
        (``PosteriorOpponents.hands_by_risk``)."""
        return self.read([position])[0].hands_by_risk(seat, n, seed)


@cache
def shipped() -> NetworkModel:
    """The model on the shipped network, made once. Raises ModelError where there is none."""
    return NetworkModel(shipped_opponents())


@cache
def _build_tables() -> None:
    Posterior(13, Factors.flat([4] * 34))


def readings(
    seen: OpponentOutputs, shown: Shown, keep: bool = True
) -> tuple[tuple[Reading, ...], RonAnswer]:
    """The posterior of each opponent, and what they may win on; ``keep`` as in
    ``Posterior.read``."""
    posteriors, answers = posteriors_of(seen, shown, keep)
    return tuple(Reading(each, shown, i) for i, each in enumerate(posteriors)), answers


def joined(
    seen: OpponentOutputs,
    shown: Shown,
    rows: tuple[Reading, ...],
    answers: RonAnswer,
    weights: Singles | None,
) -> Rons:
    """What the network and the posteriors say together (``kernels.posterior.ron_chances``)."""
    tenpai, ron = np.ascontiguousarray(seen.tenpai), np.ascontiguousarray(seen.ron)
    found = ron_chances(shown, tenpai, ron, answers, weights, FLOOR)
    return Rons(rows, *found, answers.wait)
