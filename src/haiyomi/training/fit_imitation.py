"""The fit of the paper's imitating networks: plain SGD on mean squared error or cross-entropy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from haiyomi.shards import Jobs, map_shards
from haiyomi.styles.imitation import (
    INPUTS,
    KINDS,
    Discards,
    Inputs,
    Network,
    discards_of,
    inputs,
    ranks,
)
from haiyomi.training.entries import entries_of, entry_bytes, game_name

Loss: TypeAlias = Literal["mse", "cross-entropy"]
SEED = 13
GAMES_A_SHARD = 32


@dataclass(frozen=True, slots=True)
class SgdSettings:
    """What the paper leaves unsaid, chosen on the valid split; ``rate`` for the loss summed
    over outputs and averaged over the batch. The paper's 3,000 ``epochs`` stand for more rows
    and processors: here the best epoch on held-out games is kept."""

    width: int = 128
    rate: float = 0.01
    batch: int = 64
    epochs: int = 40


def fit_network(
    rows: Discards,
    loss: Loss,
    settings: SgdSettings,
    held_out: Discards | None = None,
    step: Callable[[int, int], None] | None = None,
    seed: int = SEED,
) -> tuple[Network, list[float]]:
    """A network of some rows, and its top-1 agreement on ``held_out`` after each epoch.

    With ``held_out`` it is the network of the best epoch there, else of the last. The weights
    begin as PyTorch's ``Linear`` does (uniform within 1 / sqrt(inputs)). From a seed: the same
    rows and settings give the same network on one thread.
    """
    rng = np.random.default_rng([seed, 1])
    net = Network(
        *(
            rng.uniform(-1.0, 1.0, shape).astype(np.float32) * np.float32(fan**-0.5)
            for shape, fan in (
                ((INPUTS, settings.width), INPUTS),
                ((settings.width,), INPUTS),
                ((settings.width, KINDS), settings.width),
                ((KINDS,), settings.width),
            )
        )
    )
    x = inputs(rows)
    target = rows.target.astype(np.int64)
    best = net
    test = None if held_out is None else inputs(held_out)
    told: list[float] = []
    for epoch in range(settings.epochs):
        order = rng.permutation(len(rows))
        for start in range(0, len(order), settings.batch):
            batch = order[start : start + settings.batch]
            descend(net, x[batch], target[batch], loss, np.float32(settings.rate))
        if test is not None and held_out is not None:
            told.append(float((ranks(net.scores(test), held_out) == 0).mean()))
            if told[-1] == max(told):
                best = Network(net.w1.copy(), net.b1.copy(), net.w2.copy(), net.b2.copy())
        if step:
            step(epoch + 1, settings.epochs)
    return best, told


def descend(net: Network, x: Inputs, target: np.ndarray, loss: Loss, rate: np.float32) -> None:
    """One step of SGD, in place: backpropagation written out."""
    n = len(x)
    hidden = np.maximum(x @ net.w1 + net.b1, 0.0)
    out = hidden @ net.w2 + net.b2
    slope = slope_of(out, target, loss) / np.float32(n)
    back = (slope @ net.w2.T) * (hidden > 0)
    net.w2[...] -= rate * (hidden.T @ slope)
    net.b2[...] -= rate * slope.sum(axis=0)
    net.w1[...] -= rate * (x.T @ back)
    net.b1[...] -= rate * back.sum(axis=0)


def slope_of(out: Inputs, target: np.ndarray, loss: Loss) -> Inputs:
    """(n, 38) the loss's slope in the outputs: of the squared error against one-hot targets,
    summed over outputs, or of the cross-entropy of their softmax."""
    if loss == "mse":
        slope = 2.0 * out
        slope[np.arange(len(out)), target] -= 2.0
        return slope.astype(np.float32)
    e = np.exp(out - out.max(axis=1, keepdims=True))
    e /= e.sum(axis=1, keepdims=True)
    e[np.arange(len(out)), target] -= 1.0
    found: Inputs = e.astype(np.float32)
    return found


@dataclass(frozen=True, slots=True)
class RowShard:
    """Some entries of a source, with the wanted seats' names: (entry, game's code, {name:
    player's code})."""

    source: Path
    entries: tuple[tuple[str, int, dict[str, int]], ...]


def collect_discards(
    sources: Sequence[Path],
    wanted: dict[str, tuple[int, dict[str, int]]],
    engine: Jobs = None,
    progress: Callable[[int, int], None] | None = None,
) -> Discards:
    """The discards of the ``wanted`` (game's name -> its code and its players' codes by name),
    in the order of sources and names. Records of several games in one file are passed over."""
    shards: list[RowShard] = []
    for source in sources:
        named = [(e, game_name(source.name if e == "." else e)) for e in entries_of(source)]
        mine = [(e, *wanted[name]) for e, name in named if name in wanted]
        for start in range(0, len(mine), GAMES_A_SHARD):
            shards.append(RowShard(source, tuple(mine[start : start + GAMES_A_SHARD])))
    total = sum(len(s.entries) for s in shards)
    done = 0
    found: dict[int, Discards] = {}
    for index, part in map_shards(discard_shard, shards, engine):
        found[index] = part
        done += len(shards[index].entries)
        if progress:
            progress(done, total)
    return Discards.join([found[i] for i in sorted(found)])


def discard_shard(shard: RowShard) -> Discards:
    """The rows of one shard."""
    from haiyomi.logs.load import parse

    parts = []
    for entry, code, players in shard.entries:
        game = parse(entry_bytes(shard.source, entry), entry)
        seats = {s: players[name] for s, name in enumerate(game.header.names) if name in players}
        parts.append(discards_of(game, seats, code))
    return Discards.join(parts)
