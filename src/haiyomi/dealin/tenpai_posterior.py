"""What the rules say of an opponent's ron, and one opponent's posterior with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.observation import NONE, RIVER, Observations
from haiyomi.kernels.posterior import Given, Posterior
from haiyomi.rules import TENHOU, Ruleset

_BITS: Final = np.concatenate([np.uint64(1) << np.arange(34, dtype=np.uint64), [np.uint64(0)]])


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One opponent: the posterior and the rules' conditions."""

    posterior: Posterior
    given: Given


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
    """The rules' conditions for each row's opponent; ``certain``: every hand
    counts as one with a yaku."""
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
