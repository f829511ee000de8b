"""``haiyomi fit reading``: the chain's potentials by exact maximum likelihood.

The likelihood of the whole hand, its partition function and its gradient are exact (the
chain's kernel); Adam runs over the train split in small random batches. Every epoch (pass) sees
each decision once, with one of its three opponents; three passes see every row. The fit is
deterministic given rows, seed and settings; a checkpoint lets a killed fit resume.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import haiyomi
from haiyomi.errors import DatasetError
from haiyomi.kernels.count_chain import TRIPLE_CELLS, TRIPLE_STARTS, chain_gradient
from haiyomi.reading.chain import (
    MIRROR,
    N_TURNS,
    NAME,
    STATES,
    VERSION,
    log_nodes,
    log_tables,
    table_of,
)
from haiyomi.reading.features import (
    CONTEXT_FEATURES,
    KIND_FEATURES,
    MIRROR_KINDS,
    features,
    mirror_features,
)
from haiyomi.reading.network import first_weights, gradients, potentials
from haiyomi.reading.opponent_class import totals_of
from haiyomi.seeds import generator
from haiyomi.storage.model_file import float16_text, write_model
from haiyomi.training.adam import Adam, Arrays, History, Schedule
from haiyomi.training.reading_rows import ReadingRows

Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to fit. ``passes`` over the decisions of train; ``rate`` falls as a cosine;
    ``drop`` the share of each layer's numbers left out, ``decay`` of the matrices a step and
    unit of rate; ``every`` so many steps a line of history and a checkpoint. ``mirror``: half
    of the rows, drawn anew in each pass, are read from the other end (a 1 for a 9); no rule of
    the game tells the ends apart.
    """

    width: int = 64
    layers: int = 3
    passes: float = 4.0
    batch: int = 256
    rate: float = 2e-3
    table_rate: float = 1e-2
    decay: float = 0.02
    drop: float = 0.1
    seed: int = 20140501
    every: int = 500
    mirror: bool = False


def start(settings: Settings) -> Arrays:
    """Weights before the first step; ``triples``, ``turns``, ``states`` are log factors."""
    rng = generator(settings.seed, 1)
    out: Arrays = dict(first_weights(settings.width, settings.layers, rng))
    cells = (TRIPLE_STARTS, TRIPLE_CELLS)
    out["triples"] = np.zeros(cells)
    out["turns"] = np.zeros((N_TURNS, *cells))
    out["states"] = np.zeros((len(STATES), *cells))
    return out


TABLES = ("triples", "turns", "states")


def loss_and_gradients(
    weights: Arrays,
    rows: ReadingRows,
    opponent: NDArray[Any],
    drop: float = 0.0,
    rng: np.random.Generator | None = None,
    mirrored: NDArray[np.bool_] | None = None,
) -> tuple[float, Arrays]:
    """Mean negative log likelihood of the true hands, nats a hand, and its gradient; ``drop``
    and ``rng`` as in ``network.potentials``. The network reads the rows ``mirrored`` (n,) from
    the other end."""
    n = len(rows)
    observations = rows.observations
    x, context = features(observations, opponent)
    if mirrored is not None:
        x[mirrored] = mirror_features(x[mirrored])
    potential, trace = potentials(weights, x, context, True, drop, rng)
    if mirrored is not None:
        potential[mirrored] = potential[mirrored][:, MIRROR_KINDS]
    tables = log_tables(weights["triples"], weights["turns"], weights["states"])
    truth = rows.hands[np.arange(n), opponent - 1]
    found = chain_gradient(
        log_nodes(observations["unseen"], potential),
        totals_of(observations, opponent),
        table_of(observations, opponent),
        np.exp(tables),
        truth,
    )
    by_potential = (found.nodes[:, :, 1:] / n).astype(np.float32)
    if mirrored is not None:
        by_potential[mirrored] = by_potential[mirrored][:, MIRROR_KINDS]
    out: Arrays = dict(gradients(weights, trace, by_potential))
    gradient = found.tables / n
    gradient = (gradient + gradient[:, ::-1][:, :, MIRROR]) / 2
    by_class = gradient.reshape(N_TURNS, len(STATES), TRIPLE_STARTS, TRIPLE_CELLS)
    out["triples"] = by_class.sum(axis=(0, 1))
    out["turns"] = by_class.sum(axis=1)
    out["states"] = by_class.sum(axis=0)
    return -float(found.log_likelihood.mean()), out


def schedule_of(settings: Settings, weights: Arrays, steps: int) -> Schedule:
    """The schedule of a fit: weight decay on the network's matrices, not on the tables."""
    return Schedule(
        steps,
        min(200, max(1, steps // 10)),
        settings.rate,
        settings.table_rate,
        settings.decay,
        frozenset(TABLES),
        frozenset(k for k, v in weights.items() if v.ndim == 2 and k not in TABLES),
    )


def mean_loss(weights: Arrays, rows: ReadingRows, batch: int = 512) -> float:
    """Nats a hand over all three opponents of some rows."""
    total, count = 0.0, 0
    for r in (1, 2, 3):
        for at in range(0, len(rows), batch):
            part = rows.take(np.arange(at, min(at + batch, len(rows))))
            opponent = np.full(len(part), r)
            x, context = features(part.observations, opponent)
            potential, _ = potentials(weights, x, context)
            tables = np.exp(log_tables(weights["triples"], weights["turns"], weights["states"]))
            found = chain_gradient(
                log_nodes(part.observations["unseen"], potential),
                totals_of(part.observations, opponent),
                table_of(part.observations, opponent),
                tables,
                part.hands[:, r - 1],
            )
            total -= float(found.log_likelihood.sum())
            count += len(part)
    return total / max(count, 1)


def fit(
    train: ReadingRows,
    valid: ReadingRows,
    settings: Settings,
    checkpoint: Path | None = None,
    report: Report | None = None,
) -> tuple[Arrays, History]:
    """(weights of the last step, history). Deterministic from ``settings.seed``.

    The loss on ``valid`` is measured at each ``report``. With ``checkpoint`` the state is kept in
    that file, and a fit that was killed goes on from it. Raises DatasetError if the file is of
    other rows or settings.
    """
    if len(train) == 0:
        raise DatasetError("no rows to fit on")
    steps = max(1, int(settings.passes * len(train)) // settings.batch)
    per_pass = max(1, len(train) // settings.batch)
    weights = start(settings)
    adam = Adam(weights, schedule_of(settings, weights, steps))
    history: History = []
    mark = json.dumps([asdict(settings), len(train), int(train.hands[:1000].sum())])
    if checkpoint is not None:
        history = adam.resume(checkpoint, mark, weights)
    phase = generator(settings.seed, 2).integers(0, 3, len(train))
    running: list[float] = []
    order = np.zeros(0, np.int64)
    shuffled = -1
    while adam.done < steps:
        epoch, at = divmod(adam.done, per_pass)
        if epoch != shuffled:
            order = generator(settings.seed, 3, epoch).permutation(len(train))
            shuffled = epoch
        index = np.sort(order[at * settings.batch : (at + 1) * settings.batch])
        opponent = 1 + (phase[index] + epoch) % 3
        rng = generator(settings.seed, 4, adam.done)
        part = train.take(index)
        mirrored = None
        if settings.mirror:
            ends = generator(settings.seed, 5, adam.done)
            mirrored = ends.random(len(index)) < 0.5
        loss, gradient = loss_and_gradients(weights, part, opponent, settings.drop, rng, mirrored)
        adam.step(weights, gradient)
        running.append(loss)
        if adam.done % settings.every == 0 or adam.done == steps:
            line = {
                "step": adam.done,
                "steps": steps,
                "train": float(np.mean(running)),
                "valid": mean_loss(weights, valid) if len(valid) else None,
            }
            running = []
            history.append(line)
            if checkpoint is not None:
                adam.save(checkpoint, mark, weights, history)
            if report is not None:
                report(line)
    return weights, history


def write_chain(
    path: Path,
    members: Sequence[tuple[float, Arrays]],
    factors: NDArray[np.float64],
    manifest: dict[str, Any],
) -> None:
    """Write fitted chains, each with its share, as one model file; the potentials and the
    triples' log factors are their means. ``factors`` are those of a hand's shanten."""
    payload: dict[str, Any] = {
        "kind features": list(KIND_FEATURES),
        "context features": list(CONTEXT_FEATURES),
        "networks": [
            {
                "share": share,
                "weights": {k: float16_text(v) for k, v in weights.items() if k not in TABLES},
            }
            for share, weights in members
        ],
        "shanten": [[round(float(v), 4) for v in row] for row in factors],
    }
    for name in TABLES:
        mean = sum(np.float64(share) * weights[name] for share, weights in members)
        payload[name] = float16_text(np.asarray(mean))
    write_model(path, NAME, VERSION, payload, {"haiyomi": haiyomi.__version__, **manifest})
