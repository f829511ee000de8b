"""The network of rons and tenpai: fitted by cross-entropy.

The rows are the opponents of decisions under threat (and some quiet ones), with all 34 kinds at
once: whether the opponent could ron the kind, and whether it is tenpai. Half of each batch is
mirrored. The caller gives the initial weights: fresh output layers (``start``), or a network
trained on other games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.ron_network import OUTPUTS, log_odds, log_odds_gradients
from haiyomi.dealin.tenpai_posterior import furiten_masks
from haiyomi.errors import DatasetError
from haiyomi.reading.features import (
    CONTEXT_FEATURES,
    KIND_FEATURES,
    MIRROR_KINDS,
    features,
    mirror_features,
)
from haiyomi.reading.opponent_class import CLOSED, class_of
from haiyomi.seeds import generator
from haiyomi.training.adam import Adam, Arrays, History, Schedule
from haiyomi.training.fit_boosting import Labels
from haiyomi.training.reading_rows import ReadingRows

Report = Callable[[dict[str, Any]], None]
_HELD = KIND_FEATURES.index("in the viewer's hand")
_BITS = np.arange(34, dtype=np.uint64)
START_TENPAI = -1.0
START_RON = -4.0


@dataclass(frozen=True, slots=True)
class RonSettings:
    """How to fit. ``steps`` of ``batch`` opponents; ``closed`` and ``quiet``: the shares kept of
    closed opponents under threat (at their weight) and of quiet decisions' opponents;
    ``unheld``: the weight of a kind that the decider does not hold; ``tenpai`` that of tenpai.
    """

    steps: int = 2400
    batch: int = 256
    rate: float = 1e-3
    decay: float = 0.02
    drop: float = 0.1
    closed: float = 0.5
    quiet: float = 0.06
    unheld: float = 0.5
    tenpai: float = 1.0
    seed: int = 20170709
    every: int = 300


def trunk_of(chain: Mapping[str, NDArray[Any]]) -> Arrays:
    """The layers of a chain's network without its last."""
    return {k: v.copy() for k, v in chain.items() if not k.startswith("out")}


def start(trunk: Arrays) -> Arrays:
    """Initial weights: those of the trunk, and output layers of zeros."""
    width = trunk["in"].shape[1]
    out = trunk_of(trunk)
    for kind in ("out", "out honours"):
        out[kind] = np.zeros((width, OUTPUTS), np.float32)
    for kind in ("out bias", "out bias honours"):
        out[kind] = np.array([START_RON, 0], np.float32)
    out["tenpai context"] = np.zeros(len(CONTEXT_FEATURES), np.float32)
    out["tenpai bias"] = np.array([START_TENPAI], np.float32)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Opponents:
    """(m,) rows, their relative seats 1-3 and weights."""

    row: NDArray[np.int64]
    seat: NDArray[np.int64]
    weight: NDArray[np.float32]


def opponents_of(
    rows: ReadingRows, labels: Labels, allowed: NDArray[np.bool_], settings: RonSettings
) -> Opponents:
    """The opponents to learn from, drawn by the seed."""
    u = generator(settings.seed, 1, len(rows)).random((len(rows), 3))
    row, seat, weight = [], [], []
    for r in (1, 2, 3):
        index = np.flatnonzero(allowed)
        closed = np.empty(len(index), bool)
        for at in range(0, len(index), 1 << 16):
            part = index[at : at + (1 << 16)]
            closed[at : at + len(part)] = (
                class_of(rows.observations[part], np.full(len(part), r)) == CLOSED
            )
        threat = labels.threat[index]
        share = np.where(threat, np.where(closed, settings.closed, 1.0), settings.quiet)
        drawn = u[index, r - 1] < share
        row.append(index[drawn])
        seat.append(np.full(int(drawn.sum()), r))
        weight.append(np.where(threat, 1 / share, 1.0)[drawn])
    return Opponents(
        np.concatenate(row), np.concatenate(seat), np.concatenate(weight).astype(np.float32)
    )


def bits(masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """(n, 34) of (n,) masks of kinds."""
    out: NDArray[np.bool_] = (masks[:, None] >> _BITS & np.uint64(1)).astype(bool)
    return out


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    out: Any = 1.0 / (1.0 + np.exp(-np.clip(x, -60, 60)))
    return np.asarray(out, dtype=np.float32)


def loss_and_gradients(
    weights: Arrays,
    rows: ReadingRows,
    opponent: NDArray[Any],
    ron: NDArray[np.uint64],
    tenpai: NDArray[np.bool_],
    weight: NDArray[np.float32],
    settings: RonSettings,
    rng: np.random.Generator | None = None,
) -> tuple[tuple[float, float], Arrays]:
    """Mean cross-entropy, nats an opponent, of its rons and of tenpai, and the gradient.

    Kinds that furiten excludes are masked. With ``rng`` half of the rows are mirrored and dropout
    applies; without, there is no gradient.
    """
    n = len(rows)
    x, context = features(rows.observations, opponent)
    label = bits(ron)
    care = np.where(x[:, :, _HELD] > 0, np.float32(1), np.float32(settings.unheld))
    care = care * ~bits(furiten_masks(rows.observations, opponent)) * weight[:, None]
    if rng is not None:
        flip = rng.random(n) < 0.5
        x[flip] = mirror_features(x[flip])
        label[flip], care[flip] = label[flip][:, MIRROR_KINDS], care[flip][:, MIRROR_KINDS]
    by_kind, by_hand, trace = log_odds(
        weights, x, context, settings.drop if rng is not None else 0.0, rng
    )
    p, q = _sigmoid(by_kind), _sigmoid(by_hand)
    ron_likelihood = np.clip(np.where(label, p, 1 - p), 1e-9, 1)
    tenpai_likelihood = np.clip(np.where(tenpai, q, 1 - q), 1e-9, 1)
    loss = (
        float(-(care * np.log(ron_likelihood)).sum() / n),
        float(-(weight * np.log(tenpai_likelihood)).sum() / n),
    )
    if rng is None:
        return loss, {}
    ron_gradient = (care * (p - label) / n).astype(np.float32)
    tenpai_gradient = (settings.tenpai * weight * (q - tenpai) / n).astype(np.float32)
    return loss, log_odds_gradients(weights, trace, ron_gradient, tenpai_gradient)


def fit_ron(
    rows: ReadingRows,
    labels: Labels,
    allowed: NDArray[np.bool_],
    begin: Arrays,
    settings: RonSettings,
    checkpoint: Path | None = None,
    report: Report | None = None,
) -> tuple[Arrays, History]:
    """(weights, history) of the decisions ``allowed``, beginning with the weights ``begin``; the
    same for the same rows and settings.

    With ``checkpoint`` a fit that was killed goes on from that file. Raises DatasetError.
    """
    opponents = opponents_of(rows, labels, allowed, settings)
    if len(opponents.row) == 0:
        raise DatasetError("no opponents to fit on")
    weights = {name: values.copy() for name, values in begin.items()}
    matrices = frozenset(k for k, v in weights.items() if v.ndim == 2)
    warm = min(100, max(1, settings.steps // 10))
    schedule = Schedule(
        settings.steps, warm, settings.rate, settings.rate, settings.decay, frozenset(), matrices
    )
    adam = Adam(weights, schedule)
    history: History = []
    mark = json.dumps(
        [asdict(settings), len(rows), len(opponents.row), int(opponents.row[:1000].sum())]
    )
    if checkpoint is not None:
        history = adam.resume(checkpoint, mark, weights)
    per_pass = max(1, len(opponents.row) // settings.batch)
    order = np.zeros(0, np.int64)
    shuffled = -1
    running: list[tuple[float, float]] = []
    while adam.done < settings.steps:
        epoch, at = divmod(adam.done, per_pass)
        if epoch != shuffled:
            order = generator(settings.seed, 3, epoch).permutation(len(opponents.row))
            shuffled = epoch
        drawn = np.sort(order[at * settings.batch : (at + 1) * settings.batch])
        row, seat = opponents.row[drawn], opponents.seat[drawn]
        loss, gradient = loss_and_gradients(
            weights, rows.take(row), seat, labels.ron[row, seat - 1],
            labels.tenpai[row, seat - 1], opponents.weight[drawn], settings,
            generator(settings.seed, 4, adam.done),
        )  # fmt: skip
        adam.step(weights, gradient)
        running.append(loss)
        if adam.done % settings.every == 0 or adam.done == settings.steps:
            ron, tenpai = np.mean(running, axis=0).tolist()
            line = {"step": adam.done, "steps": settings.steps, "ron": ron, "tenpai": tenpai}
            running = []
            history.append(line)
            if checkpoint is not None:
                adam.save(checkpoint, mark, weights, history)
            if report is not None:
                report(line)
    return weights, history
