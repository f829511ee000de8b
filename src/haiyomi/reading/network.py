"""A small convolutional network over the kinds, with its backward pass in numpy.

Every kind's features and the context become ``width`` channels; a few residual layers mix
neighbours within a suit, the suit's mean and the whole hand's mean; an output layer gives each
kind some numbers: for the chain the four log potentials of holding 1, 2, 3 and 4 of it against
none; for the posterior the factors of its patterns (``reading.posterior``); for
``dealin.ron_network`` the log odds of a ron and a term of tenpai's. Suits share their weights;
honours have their own and no neighbours. Batch-invariant forward passes run in the core.

With ``layers = 0`` the potentials are one hidden layer of a kind's own features.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haiyomi.kernels.kind_net import KindNet
from haiyomi.reading.features import (
    CONTEXT_FEATURES,
    KIND_FEATURES,
    MIRROR_KINDS,
    mirror_features,
)

Floats = NDArray[np.float32]
Weights = Mapping[str, Floats]
STEP = 10
"""Places of a suit in a row: nine kinds and an empty one that separates it from the next."""
ROW = 3 * STEP


def shapes(width: int, layers: int, outputs: int = 4) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight, in order."""
    out: dict[str, tuple[int, ...]] = {
        "in": (len(KIND_FEATURES), width),
        "in context": (len(CONTEXT_FEATURES), width),
        "in bias": (width,),
        "in context honours": (len(CONTEXT_FEATURES), width),
    }
    for i in range(layers):
        out |= {
            f"{i} below": (width, width),
            f"{i} own": (width, width),
            f"{i} above": (width, width),
            f"{i} suit": (width, width),
            f"{i} hand": (width, width),
            f"{i} bias": (width,),
            f"{i} honours": (width, width),
            f"{i} hand honours": (width, width),
            f"{i} bias honours": (width,),
        }
    out |= {
        "out": (width, outputs),
        "out bias": (outputs,),
        "out honours": (width, outputs),
        "out bias honours": (outputs,),
    }
    return out


def first_weights(
    width: int, layers: int, rng: np.random.Generator, outputs: int = 4
) -> dict[str, Floats]:
    """Initial weights: zero biases and output layers, the rest normal by their fan-in."""
    out = {}
    for name, shape in shapes(width, layers, outputs).items():
        scale = 0.0
        if len(shape) == 2 and not name.startswith("out"):
            scale = (1.0 / shape[0]) ** 0.5 * (0.5 if name[0].isdigit() else 1.0)
        out[name] = (rng.normal(size=shape) * scale).astype(np.float32)
    return out


@dataclass(slots=True)
class Trace:
    """What the forward pass saves for the backward pass: inputs and each layer's activations.

    ``suits`` are (n * ROW, width) with an empty row after each suit, ``honours`` (n * 7,
    width), the inputs of each layer; ``rising`` the ReLU masks; ``kept`` (n, width) the factors
    of dropout of each layer, none without dropout.
    """

    suit_x: Floats
    honour_x: Floats
    context: Floats
    suits: list[Floats] = field(default_factory=list)
    honours: list[Floats] = field(default_factory=list)
    rising: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]] = field(default_factory=list)
    kept: list[Floats] = field(default_factory=list)
    means: list[tuple[Floats, Floats]] = field(default_factory=list)


def n_layers(weights: Weights) -> int:
    """The number of residual layers of the weights."""
    return sum(name.endswith(" own") for name in weights)


def part_suits(values: Floats) -> Floats:
    """(n, 34, f) -> (n * ROW, f): the suits' kinds with an empty place after each nine."""
    n, _, f = values.shape
    out = np.zeros((n, 3, STEP, f), np.float32)
    out[:, :, :9] = values[:, :27].reshape(n, 3, 9, f)
    return out.reshape(n * ROW, f)


def potentials(
    weights: Weights,
    x: Floats,
    context: Floats,
    keep: bool = False,
    drop: float = 0.0,
    rng: np.random.Generator | None = None,
    batch_invariant: bool = False,
) -> tuple[Floats, Trace]:
    """(n, 34, outputs) log potentials (of 1-4 copies against none), and the trace if ``keep``.

    ``drop``, with ``rng``, for fitting: the dropout rate of each layer's channels, the same ones
    over all kinds of a row. ``batch_invariant``: a row's bits do not depend on the other rows;
    there is no trace, and the weights must not change afterwards, for the core's copy is cached.
    """
    if batch_invariant:
        return _core_of(weights)(x, context), Trace(x, x, context)
    n = len(x)
    width = weights["in"].shape[1]
    suit_x = part_suits(x)
    honour_x = np.ascontiguousarray(x[:, 27:]).reshape(n * 7, -1)
    trace = Trace(suit_x, honour_x, context)
    with_context = context @ weights["in context"] + weights["in bias"]
    suits = (suit_x @ weights["in"]).reshape(n, 3, STEP, width)
    suits += with_context[:, None, None]
    with_context += context @ weights["in context honours"]
    honours = (honour_x @ weights["in"]).reshape(n, 7, width)
    honours += with_context[:, None]
    np.maximum(suits, 0, out=suits)
    suits[:, :, 9] = 0
    np.maximum(honours, 0, out=honours)
    flat_suits, flat_honours = suits.reshape(n * ROW, width), honours.reshape(n * 7, width)
    for i in range(n_layers(weights)):
        suit_sum = flat_suits.reshape(n, 3, STEP, width).sum(axis=2)
        mean = (suit_sum.sum(axis=1) + flat_honours.reshape(n, 7, width).sum(axis=1)) / 34
        suit_mean = (suit_sum / 9).reshape(n * 3, width)
        z = flat_suits @ weights[f"{i} own"]
        z[1:] += flat_suits[:-1] @ weights[f"{i} below"]
        z[:-1] += flat_suits[1:] @ weights[f"{i} above"]
        z4 = z.reshape(n, 3, STEP, width)
        z4 += (suit_mean @ weights[f"{i} suit"]).reshape(n, 3, 1, width)
        z4 += (mean @ weights[f"{i} hand"] + weights[f"{i} bias"])[:, None, None]
        zh = (flat_honours @ weights[f"{i} honours"]).reshape(n, 7, width)
        zh += (mean @ weights[f"{i} hand honours"] + weights[f"{i} bias honours"])[:, None]
        z4[:, :, 9] = 0
        if keep:
            trace.suits.append(flat_suits)
            trace.honours.append(flat_honours)
            trace.means.append((suit_mean, mean))
            trace.rising.append((z > 0, zh.reshape(n * 7, width) > 0))
        np.maximum(z, 0, out=z)
        np.maximum(zh, 0, out=zh)
        if rng is not None and drop > 0:
            stays = rng.random((n, width), np.float32) >= drop
            kept = stays.astype(np.float32) / np.float32(1 - drop)
            z4 *= kept[:, None, None]
            zh *= kept[:, None]
            trace.kept.append(kept)
        flat_suits = flat_suits + z
        flat_honours = flat_honours + zh.reshape(n * 7, width)
    if keep:
        trace.suits.append(flat_suits)
        trace.honours.append(flat_honours)
    outputs = weights["out"].shape[1]
    out = np.empty((n, 34, outputs), np.float32)
    last = (flat_suits @ weights["out"] + weights["out bias"]).reshape(n, 3, STEP, outputs)
    out[:, :27] = last[:, :, :9].reshape(n, 27, outputs)
    out[:, 27:] = (flat_honours @ weights["out honours"] + weights["out bias honours"]).reshape(
        n, 7, outputs
    )
    return out, trace


def from_both_ends(
    weights: Weights, x: Floats, context: Floats, batch_invariant: bool = False
) -> Floats:
    """(n, 34, outputs) potentials, the mean over each row and its mirror image (every suit read
    from 9 to 1); ``batch_invariant`` as in ``potentials``.

    A hand is as likely as its mirror image, and the network's errors on the two differ, so their
    mean has a smaller error (test-time augmentation).
    """
    twice = np.concatenate([x, mirror_features(x)])
    out, _ = potentials(
        weights, twice, np.concatenate([context, context]), batch_invariant=batch_invariant
    )
    mean: Floats = (out[: len(x)] + out[len(x) :][:, MIRROR_KINDS]) / np.float32(2)
    return mean


_in_core: dict[int, KindNet] = {}


def _core_of(weights: Weights) -> KindNet:
    """The core's form of a model's weights, cached as long as they live."""
    first = weights["in"]
    found = _in_core.get(id(first))
    if found is None:
        found = _in_core[id(first)] = KindNet.of(weights, n_layers(weights))
        weakref.finalize(first, _in_core.pop, id(first), None)
    return found


def gradients(weights: Weights, trace: Trace, gradient: Floats) -> dict[str, Floats]:
    """The gradient by every weight, of a sum whose gradient by the potentials is ``gradient``
    (n, 34, outputs)."""
    n = len(gradient)
    width = weights["in"].shape[1]
    out: dict[str, Floats] = {}
    ds_out = part_suits(gradient)
    dh_out = np.ascontiguousarray(gradient[:, 27:]).reshape(n * 7, -1)
    out["out"] = trace.suits[-1].T @ ds_out
    out["out bias"] = ds_out.sum(axis=0)
    out["out honours"] = trace.honours[-1].T @ dh_out
    out["out bias honours"] = dh_out.sum(axis=0)
    ds = ds_out @ weights["out"].T
    dh = dh_out @ weights["out honours"].T
    for i in reversed(range(n_layers(weights))):
        up_s, up_h = trace.rising[i]
        s, h = trace.suits[i], trace.honours[i]
        suit_mean, mean = trace.means[i]
        dz = np.where(up_s, ds, np.float32(0))
        dzh = np.where(up_h, dh, np.float32(0))
        if trace.kept:
            dz.reshape(n, ROW, width)[...] *= trace.kept[i][:, None]
            dzh.reshape(n, 7, width)[...] *= trace.kept[i][:, None]
        out[f"{i} own"] = s.T @ dz
        out[f"{i} below"] = s[:-1].T @ dz[1:]
        out[f"{i} above"] = s[1:].T @ dz[:-1]
        by_suit = dz.reshape(n, 3, STEP, width).sum(axis=2)
        by_hand = by_suit.sum(axis=1)
        by_honours = dzh.reshape(n, 7, width).sum(axis=1)
        out[f"{i} suit"] = suit_mean.T @ by_suit.reshape(n * 3, width)
        out[f"{i} hand"] = mean.T @ by_hand
        out[f"{i} bias"] = by_hand.sum(axis=0)
        out[f"{i} honours"] = h.T @ dzh
        out[f"{i} hand honours"] = mean.T @ by_honours
        out[f"{i} bias honours"] = by_honours.sum(axis=0)
        own = dz @ weights[f"{i} own"].T
        own[:-1] += dz[1:] @ weights[f"{i} below"].T
        own[1:] += dz[:-1] @ weights[f"{i} above"].T
        d_mean = by_hand @ weights[f"{i} hand"].T + by_honours @ weights[f"{i} hand honours"].T
        d_mean /= np.float32(34)
        d_suit = by_suit.reshape(n * 3, width) @ weights[f"{i} suit"].T / np.float32(9)
        own4 = own.reshape(n, 3, STEP, width)
        own4 += d_suit.reshape(n, 3, 1, width)
        own4 += d_mean[:, None, None]
        # Empty places have no gradient.
        own4[:, :, 9] = 0
        ds = ds + own
        dh = dh + dzh @ weights[f"{i} honours"].T
        dh.reshape(n, 7, width)[...] += d_mean[:, None]
    first_s, first_h = trace.suits[0], trace.honours[0]
    ds = np.where(first_s > 0, ds, np.float32(0))
    dh = np.where(first_h > 0, dh, np.float32(0))
    by_context = ds.reshape(n, ROW, width).sum(axis=1)
    by_honours = dh.reshape(n, 7, width).sum(axis=1)
    out["in"] = trace.suit_x.T @ ds + trace.honour_x.T @ dh
    out["in context"] = trace.context.T @ (by_context + by_honours)
    out["in bias"] = (by_context + by_honours).sum(axis=0)
    out["in context honours"] = trace.context.T @ by_honours
    return out
