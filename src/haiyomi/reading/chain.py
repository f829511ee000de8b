"""The chain: a distribution over whole hands that respects the rules, with exact inference.

P(hand) is proportional to the number of ways to draw it from the unseen tiles, times the
exponentials of potentials on single kinds (``network``, the mean of a few) and on three
neighbouring kinds (tables by turn and melds), **given** that the hand holds exactly as many
concealed tiles as everybody can count. Marginals, samples and the most probable hand are exact:
the marginals need no sampling, the samples no Markov chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import ModelError
from haiyomi.game.observation import Observations
from haiyomi.game.position import Position
from haiyomi.kernels.count_chain import (
    TRIPLE_CELLS,
    TRIPLE_STARTS,
    chain_best,
    chain_marginals,
    chain_samples,
)
from haiyomi.reading.features import CONTEXT_FEATURES, KIND_FEATURES, features
from haiyomi.reading.model import Asked, Features
from haiyomi.reading.network import Weights, n_layers, potentials, shapes
from haiyomi.reading.opponent_class import CLASSES, CLOSED, class_of, opponents_of, totals_of
from haiyomi.reading.sampler import N_SHANTEN, Samples, draw_hands
from haiyomi.seeds import generator
from haiyomi.storage.model_file import float16_array, read_model

NAME: Final = "chain"
VERSION: Final = 1
LARGEST_WEIGHT: Final = 50.0
"""No weight of a network is larger; those of the shipped chain stay below 2."""
TURNS: Final = (2, 4, 6, 8, 10, 12, 15)
"""An opponent's discards at which the triples' table changes."""
STATES: Final = CLASSES[::-1]
N_TURNS: Final = len(TURNS) + 1
N_TABLES: Final = N_TURNS * len(STATES)
PIECE: Final = 64
Floats = NDArray[np.float64]
ChainRows = tuple[Floats, NDArray[np.uint8], NDArray[np.int64]]
"""(n, 34, 5) log factors of the kinds, (n,) tiles, (n,) tables of triples."""

_WAYS = np.array([[comb(u, k) for k in range(5)] for u in range(5)], dtype=np.float64)
with np.errstate(divide="ignore"):
    LOG_WAYS: Floats = np.log(_WAYS)
    """(5, 5): log of the ways to draw k of u unseen copies, -inf beyond."""
# The cell of three neighbouring counts in the mirror image, where 123 of a suit becomes 789.
MIRROR: Final = np.array([25 * (i % 5) + 5 * (i // 5 % 5) + i // 25 for i in range(TRIPLE_CELLS)])


def state_of(observations: Observations, opponent: NDArray[Any]) -> NDArray[np.int64]:
    """(n,) index into STATES."""
    return CLOSED - class_of(observations, opponent)


def table_of(observations: Observations, opponent: NDArray[Any]) -> NDArray[np.int64]:
    """(n,) which table of triples a row takes: by the opponent's discards and state."""
    player = observations["players"][np.arange(len(observations)), opponent]
    turn = np.searchsorted(TURNS, player["n"].astype(np.int64), side="right")
    out: NDArray[np.int64] = turn * len(STATES) + state_of(observations, opponent)
    return out


def log_tables(base: Floats, turns: Floats, states: Floats) -> Floats:
    """(N_TABLES, 7, 125) log factors of triples: a base, more by turn (N_TURNS, 7, 125), more
    by state (5, 7, 125); the two ends of a suit mirror each other."""
    table = base + turns[:, None] + states[None, :]
    table = table.reshape(N_TABLES, TRIPLE_STARTS, TRIPLE_CELLS)
    out: Floats = (table + table[:, ::-1][:, :, MIRROR]) / 2
    return out


def log_nodes(unseen: NDArray[np.uint8], potential: NDArray[Any]) -> Floats:
    """(n, 34, 5) log factors of holding 0-4 of each kind: ways to draw, times potential."""
    out: Floats = LOG_WAYS[unseen]
    out[:, :, 1:] += potential
    return out


def acceptance(factors: Floats) -> Floats:
    """(N_TABLES, N_SHANTEN): the acceptance probability of a drawn hand by its shanten, from log
    factors; an opponent in riichi is tenpai."""
    out: Floats = np.exp(factors - factors.max(axis=1, keepdims=True))
    riichi = np.arange(N_TABLES) % len(STATES) == STATES.index("riichi")
    out[riichi] = np.arange(N_SHANTEN) == 0
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The weights of one network and its share in the mean of the potentials."""

    share: float
    weights: Weights


def _network(value: Any, file: str) -> Network:
    weights = {str(k): float16_array(v) for k, v in value["weights"].items()}
    expected = shapes(weights["in"].shape[1], n_layers(weights))
    if {k: v.shape for k, v in weights.items()} != expected:
        raise ModelError(f"{file}: the weights' shapes do not fit together")
    largest = max(float(np.abs(v).max()) for v in weights.values())
    share = float(value["share"])
    if not (largest <= LARGEST_WEIGHT and 0 <= share <= 1):
        raise ModelError(f"{file}: a network with a weight of {largest:g} and a share of {share:g}")
    return Network(share, weights)


@dataclass(frozen=True, slots=True, eq=False)
class ChainModel:
    """A fitted chain: its networks, (N_TABLES, 7, 125) factors of triples, and
    (N_TABLES, N_SHANTEN) log factors of a whole hand's shanten, by which samples are weighted."""

    networks: tuple[Network, ...]
    tables: Floats
    factors: Floats
    manifest: Mapping[str, Any]
    name: str = NAME

    @property
    def samples_tenpai(self) -> bool:
        """Hands of an opponent in riichi are tenpai."""
        return True

    def answers(self, positions: Sequence[Position], asked: Sequence[Asked] = ()) -> ChainAnswers:
        """See ``reading.model.HandModel``."""
        found = [each.features for each in asked]
        given = [each for each in found if each is not None]
        features = None
        if len(given) == len(positions):
            x, context = zip(*given, strict=True)
            features = np.concatenate(x), np.concatenate(context)
        rows = self.rows(*opponents_of(positions), batch_invariant=True, given=features)
        return ChainAnswers(self, rows, chain_marginals(*rows, self.tables)[1])

    @classmethod
    def load(cls, path: Path) -> ChainModel:
        """Read a model file. Raises ModelError."""
        payload, manifest = read_model(path, NAME, VERSION)
        try:
            features_of = (payload["kind features"], payload["context features"])
            if features_of != (list(KIND_FEATURES), list(CONTEXT_FEATURES)):
                raise ModelError(f"{path.name}: made for other features")
            networks = tuple(_network(n, path.name) for n in payload["networks"])
            factors = np.array(payload["shanten"], dtype=np.float64)
            base, turns, states = (
                float16_array(payload[k]).astype(np.float64) for k in ("triples", "turns", "states")
            )
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise ModelError(f"{path.name}: a table is missing or damaged ({error})") from None
        cells = (TRIPLE_STARTS, TRIPLE_CELLS)
        if [base.shape, turns.shape, states.shape, factors.shape] != [
            cells, (N_TURNS, *cells), (len(STATES), *cells), (N_TABLES, N_SHANTEN)
        ] or not networks:  # fmt: skip
            raise ModelError(f"{path.name}: the tables' shapes do not fit")
        numbers: list[Any] = [base, turns, states, factors, [n.share for n in networks]]
        numbers += [v for n in networks for v in n.weights.values()]
        if not all(np.isfinite(v).all() for v in numbers):
            raise ModelError(f"{path.name}: a number is not finite")
        with np.errstate(over="ignore"):
            tables = np.exp(log_tables(base, turns, states))
        if not np.isfinite(tables).all():
            raise ModelError(f"{path.name}: a factor of triples is not finite")
        return cls(networks, tables, factors, manifest)

    def rows(
        self,
        observations: Observations,
        opponent: NDArray[Any],
        batch_invariant: bool = False,
        given: Features | None = None,
    ) -> ChainRows:
        """``nodes``, ``totals`` and ``which`` of the chain's kernel for n rows; ``batch_invariant``
        as in ``network.potentials``; ``given``: their features, if already computed."""
        nodes = np.empty((len(observations), 34, 5))
        # In batches that fit the processor's cache, several times faster than all at once.
        for at in range(0, len(observations), PIECE):
            part = slice(at, at + PIECE)
            x, context = (
                (given[0][part], given[1][part])
                if given
                else features(observations[part], opponent[part])
            )
            summed = [
                n.share * potentials(n.weights, x, context, batch_invariant=batch_invariant)[0]
                for n in self.networks
            ]
            nodes[part] = log_nodes(observations["unseen"][part], np.sum(summed, axis=0))
        return nodes, totals_of(observations, opponent), table_of(observations, opponent)

    def marginals(
        self,
        observations: Observations,
        opponent: NDArray[Any],
        batch_invariant: bool = False,
        given: Features | None = None,
    ) -> Floats:
        """(n, 34, 5) P(n_h = k) for n rows, each looking at a relative seat 1-3;
        ``batch_invariant`` and ``given`` as in ``rows``."""
        return chain_marginals(
            *self.rows(observations, opponent, batch_invariant, given), self.tables
        )[1]

    def samples(
        self,
        observations: Observations,
        opponent: NDArray[Any],
        draws: int,
        rng: np.random.Generator,
    ) -> Samples:
        """Hands of each row, drawn exactly from the chain times its shanten factors; of an
        opponent in riichi, exactly from the chain given tenpai. See ``draw_hands``."""
        return self.draw(self.rows(observations, opponent), draws, rng)

    def draw(self, rows: ChainRows, draws: int, rng: np.random.Generator) -> Samples:
        """``samples`` from the result of ``rows``."""
        accept = acceptance(self.factors)[rows[2]]
        return draw_hands(*rows, self.tables, accept, draws, rng)

    def chain_samples(
        self,
        observations: Observations,
        opponent: NDArray[Any],
        draws: int,
        rng: np.random.Generator,
    ) -> NDArray[np.uint8]:
        """(n, draws, 34) hands of the chain without shanten factors, whose marginals are
        ``marginals``."""
        return chain_samples(*self.rows(observations, opponent), self.tables, draws, rng)

    def likeliest(self, observations: Observations, opponent: NDArray[Any]) -> NDArray[np.uint8]:
        """(n, 34): the single most probable hand of each row."""
        return chain_best(*self.rows(observations, opponent), self.tables)[1]


@dataclass(frozen=True, slots=True, eq=False)
class ChainAnswers:
    """The chain's answers for n opponents: exact marginals, and hands drawn exactly."""

    model: ChainModel
    rows: ChainRows
    marginals: Floats

    def likeliest(self) -> NDArray[np.uint8]:
        """(n, 34) the most probable hands."""
        return chain_best(*self.rows, self.model.tables)[1]

    def draw(self, rows: slice, samples: int, seed: int) -> list[NDArray[np.uint8]]:
        """Hands of each row, weighted by their shanten; of an opponent in riichi, tenpai."""
        nodes, totals, which = self.rows
        chosen = nodes[rows], totals[rows], which[rows]
        drawn = self.model.draw(chosen, samples, generator(seed))
        return [drawn.hands[r, : drawn.found[r]] for r in range(len(drawn.hands))]


def shipped_file() -> Path:
    """The model file that comes with haiyomi."""
    return Path(__file__).with_name("chain.json")


@cache
def shipped() -> ChainModel:
    """The model that comes with haiyomi. Raises ModelError."""
    return ChainModel.load(shipped_file())
