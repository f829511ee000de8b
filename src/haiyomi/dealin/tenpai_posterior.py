"""The posterior over opponents' tenpai hands: waits and rons given tenpai, for a batch of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.observation import NONE, RIVER, Observations
from haiyomi.kernels.posterior import Given, Posterior, RonAnswer
from haiyomi.reading.posterior import FactorRows
from haiyomi.rules import TENHOU, Ruleset

Floats = NDArray[np.float64]
_BITS: Final = np.concatenate([np.uint64(1) << np.arange(34, dtype=np.uint64), [np.uint64(0)]])


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One opponent: the posterior, the rules' conditions, and the probabilities by kind."""

    posterior: Posterior
    given: Given
    answer: RonAnswer


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """n opponents: their factors, and by row ``total`` (n,), ``wait``, ``live`` and ``ron``
    (n, 34) given tenpai, ``kinds`` (n, 34, 4) P(waits on it, by kind of wait)."""

    factors: FactorRows
    rows: tuple[Reading, ...]
    total: Floats
    wait: Floats
    live: Floats
    ron: Floats
    kinds: Floats

    def part(self, rows: slice) -> Readings:
        """The readings of some of the opponents."""
        return Readings(
            self.factors.part(rows), self.rows[rows], self.total[rows], self.wait[rows],
            self.live[rows], self.ron[rows], self.kinds[rows],
        )  # fmt: skip


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


def givens_of(
    observations: Observations,
    opponent: NDArray[Any],
    rules: Ruleset = TENHOU,
    certain: bool = False,
) -> list[Given]:
    """The rules' conditions for each row's opponent; ``certain``: a yaku whatever the hand."""
    own = observations["players"][np.arange(len(observations)), opponent]
    sure = (own["riichi"] >= 0) | (observations["draws_left"] == 0) | certain
    round_wind = 27 + observations["kyoku"] // 4 % 4
    seat_wind = 27 + (opponent - observations["dealer"]) % 4
    columns = (
        furiten_masks(observations, opponent), sure, own["melds"][:, :, :2], round_wind, seat_wind
    )  # fmt: skip
    return [
        Given(
            furiten,
            yaku,
            tuple((kind, base) for kind, base in melds if kind != NONE),
            of_round,
            of_seat,
            rules,
        )
        for furiten, yaku, melds, of_round, of_seat in zip(
            *[column.tolist() for column in columns], strict=True
        )
    ]


def read(
    weights: Mapping[str, NDArray[Any]],
    observations: Observations,
    opponent: NDArray[Any],
    rules: Ruleset = TENHOU,
    chankan: bool = False,
    given: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None,
    batch_invariant: bool = False,
) -> Readings:
    """The readings of each row's relative seat ``opponent``; ``given``: their features, if already
    computed. Averaged over each row and its mirror image; ``batch_invariant`` as in
    ``FactorRows``."""
    factors = FactorRows(
        weights, observations, opponent, given, batch_invariant=batch_invariant, both_ends=True
    )
    given_of = givens_of(observations, opponent, rules, chankan)
    posteriors, answers = Posterior.read(
        factors.concealed, factors.count, factors.tiles, factors.wait, factors.shape,
        factors.irregular, given_of,
    )  # fmt: skip
    rows = tuple(map(Reading, posteriors, given_of, answers))
    total = np.array([posterior.total for posterior in posteriors])
    n = len(observations)
    found = np.array([answer[:3] for answer in answers]).reshape(n, 3, 34)
    kinds = np.array([answer.kinds for answer in answers]).reshape(n, 34, 4)
    return Readings(factors, rows, total, found[:, 0], found[:, 1], found[:, 2], kinds)
