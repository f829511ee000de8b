"""The fit of the paper's imitating networks: plain SGD on mean squared error or cross-entropy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from haiyomi.arrays import Singles
from haiyomi.corpus import Corpus, Entry
from haiyomi.engines.shards import Jobs, map_in_order
from haiyomi.networks.softmax import softmax
from haiyomi.seeds import generator
from haiyomi.storage.arrays_file import load_arrays, save_arrays
from haiyomi.storage.resume import Progress
from haiyomi.styles.discard_network import (
    INPUTS,
    KINDS,
    DiscardNetwork,
    Discards,
    discards_of,
    inputs,
    ranks,
)

Loss: TypeAlias = Literal["mse", "cross-entropy"]
SEED = 13
GAMES_A_SHARD = 32
EPOCHS_A_CHECKPOINT = 20


@dataclass(frozen=True, slots=True)
class SgdSettings:
    """Hyperparameters: ``epochs`` is 3,000 in the paper; it states no other, and they were chosen
    on the valid split. ``rate`` for the loss summed over outputs and averaged over the batch."""

    width: int = 128
    rate: float = 0.01
    batch: int = 64
    epochs: int = 40


@dataclass(slots=True, eq=False)
class Course:
    """A fit under way: the network as it is, the best so far, the state of the draws, and after
    each epoch the top-1 agreement and the loss on the held-out rows."""

    net: DiscardNetwork
    best: DiscardNetwork
    rng: np.random.Generator
    agreement: list[float]
    losses: list[float]

    @classmethod
    def start(cls, settings: SgdSettings) -> Course:
        """Weights as PyTorch's ``Linear`` begins (uniform within 1 / sqrt(inputs))."""
        rng = generator(SEED, 1)
        net = DiscardNetwork(
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
        return cls(net, _copy(net), rng, [], [])

    def save(self, path: Path, mark: str) -> None:
        """Keep it in a file, whole or not at all; ``mark`` says what it is learnt from."""
        rng = json.dumps(self.rng.bit_generator.state)
        weights: dict[str, Any] = {
            f"{role}_{name}": getattr(net, name)
            for role, net in (("net", self.net), ("best", self.best))
            for name in DiscardNetwork.__slots__
        }
        state = {"mark": mark, "rng": rng, "agreement": self.agreement, "losses": self.losses}
        save_arrays(path, weights | {name: np.array(value) for name, value in state.items()})

    @classmethod
    def load(cls, path: Path, mark: str) -> Course | None:
        """What a file keeps, or None where it has another mark. A damaged one is named."""
        data = load_arrays(path)
        if data is None or "mark" not in data or str(data["mark"]) != mark:
            return None
        net, best = (
            DiscardNetwork(*(data[f"{role}_{name}"] for name in DiscardNetwork.__slots__))
            for role in ("net", "best")
        )
        rng = generator(0)
        rng.bit_generator.state = json.loads(str(data["rng"]))
        return cls(net, best, rng, data["agreement"].tolist(), data["losses"].tolist())


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a course is kept every EPOCHS_A_CHECKPOINT epochs: ``mark`` says what it is learnt
    from; this run stops after ``until`` epochs, by default after all."""

    file: Path
    mark: str
    until: int | None = None


def fit_network(
    rows: Discards,
    loss: Loss,
    settings: SgdSettings,
    held_out: Discards | None = None,
    step: Progress | None = None,
    checkpoint: Checkpoint | None = None,
) -> Course:
    """The course of a fit on some rows, ``settings.epochs`` long: SGD of section 5.2.3.

    With ``held_out`` its best network is that of the epoch with the highest top-1 agreement
    there, else that of the last. From a seed: the same rows and settings give the same network
    on one thread, however often the fit was stopped. With ``checkpoint`` it goes on from what an
    earlier run with the same mark kept, one of fewer epochs too; one of more begins anew.
    """
    course, last = None, settings.epochs
    if checkpoint is not None:
        mark = f"{checkpoint.mark} {replace(settings, epochs=0)} {loss} {SEED}"
        course = Course.load(checkpoint.file, mark)
        last = last if checkpoint.until is None else checkpoint.until
    if course is None or len(course.agreement) > settings.epochs:
        course = Course.start(settings)
    if len(course.agreement) >= last:
        return course
    x = inputs(rows)
    target = rows.target.astype(np.int64)
    test = None if held_out is None else inputs(held_out)
    for epoch in range(len(course.agreement), last):
        order = course.rng.permutation(len(rows))
        for start in range(0, len(order), settings.batch):
            batch = order[start : start + settings.batch]
            descend(course.net, x[batch], target[batch], loss, np.float32(settings.rate))
        if test is not None and held_out is not None:
            out = course.net.scores(test)
            course.agreement.append(float((ranks(out, held_out) == 0).mean()))
            course.losses.append(loss_of(out, held_out.target.astype(np.int64), loss))
        else:
            course.agreement.append(float("nan"))
            course.losses.append(float("nan"))
        if test is None or course.agreement[-1] == max(course.agreement):
            course.best = _copy(course.net)
        due = epoch + 1 == last or (epoch + 1) % EPOCHS_A_CHECKPOINT == 0
        if checkpoint is not None and due:
            course.save(checkpoint.file, mark)
        if step:
            step(epoch + 1, last)
    return course


def _copy(net: DiscardNetwork) -> DiscardNetwork:
    return DiscardNetwork(net.w1.copy(), net.b1.copy(), net.w2.copy(), net.b2.copy())


def loss_of(out: Singles, target: np.ndarray, loss: Loss) -> float:
    """The mean loss of outputs (n, 38): squared error summed over outputs, or cross-entropy in
    nats."""
    o = out.astype(np.float64)
    at = np.arange(len(o))
    if loss == "mse":
        return float((np.square(o).sum(axis=1) - 2.0 * o[at, target] + 1.0).mean())
    top = o.max(axis=1)
    return float((np.log(np.exp(o - top[:, None]).sum(axis=1)) + top - o[at, target]).mean())


def descend(
    net: DiscardNetwork, x: Singles, target: np.ndarray, loss: Loss, rate: np.float32
) -> None:
    """One step of SGD, in place: backpropagation written out."""
    n = len(x)
    hidden = np.maximum(x @ net.w1 + net.b1, 0.0)
    out = hidden @ net.w2 + net.b2
    gradient = gradient_of(out, target, loss) / np.float32(n)
    back = (gradient @ net.w2.T) * (hidden > 0)
    net.w2[...] -= rate * (hidden.T @ gradient)
    net.b2[...] -= rate * gradient.sum(axis=0)
    net.w1[...] -= rate * (x.T @ back)
    net.b1[...] -= rate * back.sum(axis=0)


def gradient_of(out: Singles, target: np.ndarray, loss: Loss) -> Singles:
    """(n, 38) the loss's gradient by the outputs: of the squared error against one-hot targets,
    summed over outputs, or of the cross-entropy of their softmax."""
    if loss == "mse":
        gradient = 2.0 * out
        gradient[np.arange(len(out)), target] -= 2.0
        return gradient.astype(np.float32)
    e = softmax(out)
    e[np.arange(len(out)), target] -= 1.0
    found: Singles = e.astype(np.float32)
    return found


@dataclass(frozen=True, slots=True)
class RowShard:
    """Some records with the wanted seats' names: (entry, game's code, {name: player's code})."""

    entries: tuple[tuple[Entry, int, dict[str, int]], ...]


def collect_discards(
    sources: Sequence[Path],
    wanted: dict[str, tuple[int, dict[str, int]]],
    engine: Jobs,
    progress: Progress | None,
) -> Discards:
    """The discards of the ``wanted`` (game's name -> its code and its players' codes by name),
    in the order of sources and names. Records of several games in one file are passed over."""
    mine = Corpus(sources).where(lambda entry: entry.game_name in wanted)
    shards = [
        RowShard(tuple((entry, *wanted[entry.game_name]) for entry in piece.entries))
        for piece in mine.pieces(GAMES_A_SHARD)
    ]
    parts = map_in_order(discard_shard, shards, engine, progress, lambda shard: len(shard.entries))
    return Discards.join(parts)


def discard_shard(shard: RowShard) -> Discards:
    """The rows of one shard."""
    parts = []
    for entry, code, players in shard.entries:
        game = entry.game()
        seats = {s: players[name] for s, name in enumerate(game.header.names) if name in players}
        parts.append(discards_of(game, seats, code))
    return Discards.join(parts)
