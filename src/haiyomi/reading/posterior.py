"""The learned factors of the posterior over tenpai hands, from observation features.

Every kind gets eight numbers, the log factors of holding 1, 2, 3 or 4 of it and of waiting on
it two-sided, shanpon, edge or closed and single. They come from the features of the kind and
its neighbours, by a linear map (*log-linear*) or by the small network of ``reading.network``.
Each suit gets a log factor for its number of tiles, each class of opponent its shapes.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.observation import NONE, Observations
from haiyomi.kernels.posterior import SUIT_SHAPES, ways
from haiyomi.reading.features import (
    CONTEXT_FEATURES,
    KIND_FEATURES,
    MIRROR_KINDS,
    RIVER_FEATURES,
    features,
    mirror_features,
)
from haiyomi.reading.network import Trace, from_both_ends, gradients, n_layers, potentials, shapes
from haiyomi.reading.opponent_class import CLASSES, class_of

Floats = NDArray[np.float32]
Arrays = dict[str, NDArray[Any]]
OUTPUTS: Final = 8
REACH: Final = 3
"""Neighbours to either side whose river features enter a kind's log-linear factors."""
WINDOW: Final = tuple(d for d in range(-REACH, REACH + 1) if d)
N_RIVER: Final = len(RIVER_FEATURES)
SUIT_FEATURES: Final = (
    "own melds in the suit", "own discards in the suit", "own first 6 in the suit",
    "own tedashi in the suit",
)  # fmt: skip
_SUIT_AT = [KIND_FEATURES.index(name) for name in SUIT_FEATURES]
N_SUIT: Final = 2 * len(SUIT_FEATURES) + 1
"""The same features again for hands whose melds are of one suit only, and a constant."""
TABLES: Final = ("tiles", "tiles class", "shape", "irregular")
"""The weights that do not belong to a network."""
_LIMIT = 20.0


def concealed_of(observations: Observations, opponent: NDArray[Any]) -> NDArray[np.uint8]:
    """(n,) concealed tiles of the opponent between its turns: 13 minus three a meld."""
    own = observations["players"][np.arange(len(observations)), opponent]
    melds = (own["melds"][:, :, 0] != NONE).sum(axis=1)
    out: NDArray[np.uint8] = (13 - 3 * melds).astype(np.uint8)
    return out


def windows(x: Floats) -> Floats:
    """(n, 34, F + 6 N_RIVER): each kind's features, then the river's of its six neighbours."""
    n = len(x)
    out = np.zeros((n, 34, len(KIND_FEATURES) + len(WINDOW) * N_RIVER), np.float32)
    out[:, :, : len(KIND_FEATURES)] = x
    suits = x[:, :27, :N_RIVER].reshape(n, 3, 9, N_RIVER)
    for j, d in enumerate(WINDOW):
        at = len(KIND_FEATURES) + j * N_RIVER
        to = out[:, :27, at : at + N_RIVER].reshape(n, 3, 9, N_RIVER)
        low, high = max(0, -d), min(9, 9 - d)
        to[:, :, low:high] = suits[:, :, low + d : high + d]
        out[:, :27, at : at + N_RIVER] = to.reshape(n, 27, N_RIVER)
    return out


def suit_features(x: Floats) -> Floats:
    """(n, 4, N_SUIT) of m, p, s and the honours."""
    n = len(x)
    own = x[:, [0, 9, 18, 27]][:, :, _SUIT_AT]
    one_suit = ((own[:, :3, 0] > 0).sum(axis=1) == 1)[:, None, None]
    return np.concatenate([own, own * one_suit, np.ones((n, 4, 1), np.float32)], axis=2)


def weight_shapes(weights: Mapping[str, NDArray[Any]]) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight of the version that these are of."""
    classes = len(CLASSES)
    out: dict[str, tuple[int, ...]]
    if is_linear(weights):
        wide = len(KIND_FEATURES) + len(WINDOW) * N_RIVER
        out = {
            "linear": (wide, OUTPUTS),
            "linear honours": (len(KIND_FEATURES), OUTPUTS),
            "linear context": (len(CONTEXT_FEATURES), 2 * OUTPUTS),
            "linear kinds": (classes, 34, OUTPUTS),
        }
    else:
        out = shapes(weights["in"].shape[1], n_layers(weights), OUTPUTS)
    return out | {
        "tiles": (N_SUIT, 2),
        "tiles class": (classes, 2, 14),
        "shape": (classes, len(SUIT_SHAPES)),
        "irregular": (classes, 2),
    }


def is_linear(weights: Mapping[str, NDArray[Any]]) -> bool:
    """Whether the weights are those of the log-linear version."""
    return "linear" in weights


def kind_outputs(
    weights: Mapping[str, NDArray[Any]],
    x: Floats,
    context: Floats,
    group: NDArray[np.int64],
    drop: float = 0.0,
    rng: np.random.Generator | None = None,
    batch_invariant: bool = False,
) -> tuple[Floats, Any]:
    """(n, 34, 8) log factors and, unless ``batch_invariant``, the trace for the backward pass;
    ``drop``, ``rng`` and ``batch_invariant`` as in ``network.potentials``."""
    if not is_linear(weights):
        return potentials(weights, x, context, not batch_invariant, drop, rng, batch_invariant)
    wide = windows(x)
    out = np.empty((len(x), 34, OUTPUTS), np.float32)
    out[:, :27] = wide[:, :27] @ weights["linear"]
    out[:, 27:] = x[:, 27:] @ weights["linear honours"]
    shift = context @ weights["linear context"]
    out += (shift.reshape(-1, 2, OUTPUTS))[:, np.r_[np.zeros(27, int), np.ones(7, int)]]
    out += weights["linear kinds"][group]
    return out, wide


def kind_gradients(
    weights: Mapping[str, NDArray[Any]],
    x: Floats,
    context: Floats,
    group: NDArray[np.int64],
    trace: Any,
    gradient: Floats,
) -> Arrays:
    """The gradient of every weight behind ``kind_outputs``."""
    if isinstance(trace, Trace):
        return dict(gradients(weights, trace, gradient))
    width = trace.shape[2]
    both = np.concatenate([gradient[:, :27].sum(axis=1), gradient[:, 27:].sum(axis=1)], axis=1)
    kinds = np.zeros_like(weights["linear kinds"])
    np.add.at(kinds, group, gradient)
    # The suits share what their kinds are worth.
    suits = kinds[:, :27].reshape(len(CLASSES), 3, 9, OUTPUTS).sum(axis=1, keepdims=True)
    kinds[:, :27] = np.broadcast_to(suits, (len(CLASSES), 3, 9, OUTPUTS)).reshape(
        len(CLASSES), 27, OUTPUTS
    )
    return {
        "linear": trace[:, :27].reshape(-1, width).T @ gradient[:, :27].reshape(-1, OUTPUTS),
        "linear honours": x[:, 27:].reshape(-1, x.shape[2]).T
        @ gradient[:, 27:].reshape(-1, OUTPUTS),
        "linear context": context.T @ both,
        "linear kinds": kinds,
    }


class FactorRows:
    """The factors of n opponents: ``count`` (n, 34, 5), ``tiles`` (n, 4, 14), ``wait`` (n, 34,
    4), ``shape`` (n, 15), ``irregular`` (n, 2), as ``kernels.posterior.Factors`` has them.

    A network reads the rows ``mirrored`` (n,) from the other end of the suits, or all rows
    ``both_ends``, after which no gradient can be computed.
    """

    def __init__(
        self,
        weights: Mapping[str, NDArray[Any]],
        observations: Observations,
        opponent: NDArray[Any],
        given: tuple[Floats, Floats] | None = None,
        mirrored: NDArray[np.bool_] | None = None,
        drop: float = 0.0,
        rng: np.random.Generator | None = None,
        batch_invariant: bool = False,
        both_ends: bool = False,
    ) -> None:
        self.weights = weights
        self.group = class_of(observations, opponent)
        self.concealed = concealed_of(observations, opponent)
        self.x, self.context = given or features(observations, opponent)
        self.mirrored = mirrored
        x = self.x
        if mirrored is not None:
            x = x.copy()
            x[mirrored] = mirror_features(x[mirrored])
        self.seen = x
        self.trace: Any = None
        if both_ends and not is_linear(weights):
            out = from_both_ends(weights, x, self.context, batch_invariant)
        else:
            rows = x, self.context, self.group
            out, self.trace = kind_outputs(weights, *rows, drop, rng, batch_invariant)
        if mirrored is not None:
            out[mirrored] = out[mirrored][:, MIRROR_KINDS]
        self.out = out
        exp = np.exp(np.clip(out.astype(np.float64), -_LIMIT, _LIMIT))
        self.count = ways(observations["unseen"])
        self.count[:, :, 1:] *= exp[:, :, :4]
        self.wait = np.ascontiguousarray(exp[:, :, 4:])
        self.suit_x = suit_features(self.x)
        share = np.arange(14) / 13.0
        self.powers = np.stack([share, share**2])
        gradient = self.suit_x @ weights["tiles"].astype(np.float32)  # (n, 4, 2)
        level = weights["tiles class"][self.group][:, [0, 0, 0, 1]]
        log_tiles = gradient.astype(np.float64) @ self.powers + level
        self.tiles = np.exp(np.clip(log_tiles, -_LIMIT, _LIMIT))
        self.shape = np.exp(weights["shape"][self.group].astype(np.float64))
        self.irregular = np.exp(weights["irregular"][self.group].astype(np.float64))

    def part(self, rows: slice) -> FactorRows:
        """The factors of some of the rows."""
        out = copy(self)
        for name in ("group", "concealed", "x", "context", "seen", "out", "count", "wait",
                     "suit_x", "tiles", "shape", "irregular"):  # fmt: skip
            setattr(out, name, getattr(self, name)[rows])
        return out

    def gradients(self, rows: NDArray[np.float64]) -> Arrays:
        """The gradient of a sum whose gradient by the log factors is ``rows`` (n, 379)."""
        n = len(rows)
        count = rows[:, :170].reshape(n, 34, 5)[:, :, 1:]
        tiles = rows[:, 170:226].reshape(n, 4, 14)
        wait = rows[:, 226:362].reshape(n, 34, 4)
        gradient = np.concatenate([count, wait], axis=2).astype(np.float32)
        if self.mirrored is not None:
            gradient[self.mirrored] = gradient[self.mirrored][:, MIRROR_KINDS]
        out = kind_gradients(
            self.weights, self.seen, self.context, self.group, self.trace, gradient
        )
        by_power = (tiles @ self.powers.T).astype(np.float32)
        out["tiles"] = np.einsum("nsf,nsp->fp", self.suit_x, by_power)
        by_class = np.zeros((len(CLASSES), 2, 14))
        np.add.at(by_class[:, 0], self.group, tiles[:, :3].sum(axis=1))
        np.add.at(by_class[:, 1], self.group, tiles[:, 3])
        out["tiles class"] = by_class
        for name, part in (("shape", rows[:, 362:377]), ("irregular", rows[:, 377:])):
            total = np.zeros((len(CLASSES), part.shape[1]))
            np.add.at(total, self.group, part)
            out[name] = total
        return out


def first_shape() -> NDArray[np.float64]:
    """Initial log shape factors: poor waits are rarer than the number of such hands suggests."""
    start = dict(zip(SUIT_SHAPES, [0.0] * len(SUIT_SHAPES), strict=True))
    start["single"] = -2.4
    start["edge or closed"] = -0.9
    start["two-sided"] = 0.3
    out: NDArray[np.float64] = np.tile(np.array(list(start.values())), (len(CLASSES), 1))
    return out
