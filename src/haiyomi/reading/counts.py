"""Hidden hands from the network of opponents: exact sums over counts, and over tenpai hands.

P(hand) is proportional to the number of ways to draw it from the unseen tiles times a potential of
each kind's count, **given** that it holds as many concealed tiles as everybody can count. An
opponent in riichi has a tenpai hand of the posterior (``reading.hand_factors``) instead; of the
others, hands are drawn from the posterior as often as the network says that they are tenpai.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes, Floats
from haiyomi.game.position import Position
from haiyomi.kernels.hand_counts import hand_best, hand_marginals
from haiyomi.kernels.posterior import Posterior, ways
from haiyomi.networks.opponents import OpponentNetwork, OpponentOutputs, shipped_opponents
from haiyomi.reading.hand_factors import concealed_of, posteriors_of
from haiyomi.reading.model import OpponentsKnown
from haiyomi.reading.sampler import N_SHANTEN, draw_hands
from haiyomi.reading.tilts import shipped_tilts
from haiyomi.seeds import generator

NAME: Final = "counts"


@dataclass(frozen=True, slots=True, eq=False)
class CountModel:
    """The model on a network."""

    network: OpponentNetwork
    name: str = NAME

    @classmethod
    def load(cls, path: Path) -> CountModel:
        """On the network of a file. Raises ModelError."""
        return cls(OpponentNetwork.load(path))

    @property
    def samples_tenpai(self) -> bool:
        """Hands of an opponent in riichi are tenpai."""
        return True

    def answers(
        self, positions: Sequence[Position], asked: Sequence[OpponentsKnown] = ()
    ) -> CountAnswers:
        """See ``reading.model.HandModel``."""
        parts = [each.seen for each in asked]
        ours = [p for p in parts if p is not None and p.source is self.network.network]
        joined = len(ours) == len(positions) > 0
        return self.of(
            OpponentOutputs.join(ours) if joined else self.network.read_positions(positions)
        )

    def of(self, seen: OpponentOutputs) -> CountAnswers:
        """The answers for the opponents that the network has seen."""
        logs = log_weights(seen.observations["unseen"], seen.count)
        totals = seen.own["concealed"]
        marginals = hand_marginals(logs, totals)[1]
        # Between its turns; who holds one tile more has not discarded yet.
        sure = np.flatnonzero((seen.own["riichi"] >= 0) & (totals == concealed_of(seen)))
        for i in sure.tolist():
            posterior = posterior_of(seen, i)
            if posterior.total > 0:
                marginals[i] = posterior.marginals().count
        return CountAnswers(seen, logs, totals, marginals)


@dataclass(frozen=True, slots=True, eq=False)
class CountAnswers:
    """The answers for m opponents: ``logs`` (m, 34, 5) log weights of the counts, ``totals`` (m,)
    concealed tiles, exact ``marginals`` (m, 34, 5)."""

    seen: OpponentOutputs
    logs: Floats
    totals: Bytes
    marginals: Floats

    def likeliest(self) -> Bytes:
        """(m, 34) the most probable hands by their counts."""
        return hand_best(self.logs, self.totals)[1]

    def draw(self, rows: slice, samples: int, seed: int) -> list[Bytes]:
        """Hands of each row: tenpai ones as often as P(tenpai), the others by their counts."""
        rng = generator(seed)
        declared = self.seen.own["riichi"] >= 0
        between_turns = self.totals == concealed_of(self.seen)
        out = []
        for i in range(*rows.indices(len(self.logs))):
            log_odds = float(self.seen.tenpai[i])
            riichi = bool(declared[i])
            tenpai = 1.0 if riichi else 1.0 / (1.0 + np.exp(-log_odds))
            ready = np.zeros((0, 34), np.uint8)
            if between_turns[i]:
                n = int(rng.binomial(samples, tenpai))
                ready = posterior_of(self.seen, i).sample(n, int(rng.integers(2**63)))
            others = self._by_counts(i, riichi, samples - len(ready), rng)
            hands = np.concatenate([ready, others])
            out.append(hands[rng.permutation(len(hands))])
        return out

    def _by_counts(self, i: int, riichi: bool, n: int, rng: np.random.Generator) -> Bytes:
        """Hands that are not tenpai; of an opponent in riichi, tenpai ones."""
        row = slice(i, i + 1)
        tenpai = (np.arange(N_SHANTEN) == 0)[None].astype(np.float64)
        accept = tenpai if riichi else shipped_tilts().weights(self.seen.own["n"][row])
        found = draw_hands(self.logs[row], self.totals[row], accept, n, rng)
        return found.hands[0, : found.found[0]]


def log_weights(unseen: Bytes, potential: NDArray[Any]) -> Floats:
    """(n, 34, 5) log weights of holding 0-4 of each kind: ways to draw them, times potentials
    (n, 34, 4) of 1-4."""
    with np.errstate(divide="ignore"):
        out: Floats = np.log(ways(unseen))
    out[:, :, 1:] += potential
    return out


def posterior_of(seen: OpponentOutputs, i: int) -> Posterior:
    """The posterior over the tenpai hands of one of the opponents."""
    one = seen.take(slice(i, i + 1))
    return posteriors_of(one, one.shown())[0][0]


@cache
def shipped() -> CountModel:
    """The model on the shipped network, made once. Raises ModelError where there is none."""
    return CountModel(shipped_opponents())
