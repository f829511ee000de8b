"""Fitting the policy: maximum likelihood of the choices of players in the train split.

Rows are shuffled by a seed and mirrored at random (ranks 1-9 reversed); players with enough
games have a style vector, which is dropped in some rows so that the zero vector is the pooled
policy. The result is an exponential moving average of the weights. A killed fit resumes from its
last checkpoint; the result is the same to the bit on the same kind of processor, whatever the
number of threads, processes or machines (``data_parallel``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import DatasetError
from haiyomi.game.decision_labels import CHOICE
from haiyomi.game.decision_record import DECISION
from haiyomi.kernels.policy import learn
from haiyomi.seeds import generator
from haiyomi.styles.policy_network import STYLE, Floats, Shape, first_weights, logits
from haiyomi.training.adam import Adam, History, Schedule
from haiyomi.training.data_parallel import Learner
from haiyomi.training.policy_rows import PolicyRows

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """How a policy is fitted.

    ``steps`` of ``batch`` rows; ``style_games``: a player needs so many games for a vector of
    their own, left out of a share ``style_drop`` of the rows and held near zero by a normal
    prior of precision ``style_prior``; ``mean``: what of the running mean stays at a step.
    """

    shape: Shape = field(default_factory=lambda: Shape(96, 6, 96))
    steps: int = 18_000
    batch: int = 512
    rate: float = 0.0015
    warm: int = 500
    decay: float = 0.01
    mean: float = 0.999
    style_games: int = 10
    style_drop: float = 0.3
    style_prior: float = 4.0
    style_rate: float = 0.01
    seed: int = 5
    check: int = 1000
    valid_rows: int = 24_000


def players_of(rows: PolicyRows, games: int) -> tuple[str, ...]:
    """The names with at least so many games, sorted."""
    names, counts = np.unique(rows.names[np.unique(rows.game)], return_counts=True)
    return tuple(n for n, c in zip(names.tolist(), counts.tolist(), strict=True) if c >= games)


def player_codes(rows: PolicyRows, players: tuple[str, ...]) -> NDArray[np.int64]:
    """(n,) each row's player as an index into ``players``, ``len(players)`` for all others."""
    place = {name: i for i, name in enumerate(players)}
    table = np.array(
        [[place.get(n, len(players)) for n in four] for four in rows.names.tolist()], np.int64
    ).reshape(-1, 4)
    return table[rows.game, rows.seat]


def fit_policy(
    train: PolicyRows,
    valid: PolicyRows,
    checkpoint: Path,
    settings: PolicySettings,
    log: Log = print,
    stop_at: int | None = None,
    threads: int = 1,
    by: Learner | None = None,
) -> tuple[Floats, Floats, tuple[str, ...], History]:
    """(mean weights, style vectors (players, STYLE), players, history) of a fit.

    ``by`` sums the gradients of a batch, by default the core in so many ``threads``.
    ``stop_at`` ends it early at a step, its checkpoint written. Raises DatasetError for fewer
    rows than a step takes, and for a checkpoint of another fit.
    """
    s = settings
    shape = s.shape
    players = players_of(train, s.style_games)
    player = player_codes(train, players)
    of_player = np.bincount(player, minlength=len(players) + 1).astype(np.float32)
    n = len(train)
    if n < s.batch:
        raise DatasetError(f"{n} decisions to learn from: a step alone takes {s.batch}")
    weights: dict[str, NDArray[Any]] = {
        "net": first_weights(shape, generator(s.seed, "policy", "weights")),
        "players": np.zeros((len(players) + 1, STYLE), np.float32),
    }
    weights["mean"] = weights["net"].copy()
    schedule = Schedule(
        s.steps,
        s.warm,
        s.rate,
        s.style_rate,
        s.decay,
        frozenset({"players"}),
        frozenset({"net"}),
    )
    adam = Adam(weights, schedule)
    mark = _mark(s, train)
    history = adam.resume(checkpoint, mark, weights)
    if adam.done:
        log(f"going on from step {adam.done}")
    data = train.decisions.view(np.uint8).reshape(n, DECISION.itemsize)
    labels = train.labels.view(np.uint8).reshape(n, CHOICE.itemsize)
    lines = _some(valid, s.valid_rows, s.seed)
    in_threads: Learner = partial(learn, threads=threads)
    gradient = np.zeros(shape.size, np.float32)
    nothing = np.zeros(shape.size, np.float32)
    per_pass = n // s.batch
    order = np.zeros(0, np.int64)
    order_of = -1
    running = np.zeros(8)
    end = s.steps if stop_at is None else min(stop_at, s.steps)
    while adam.done < end:
        turn, at = divmod(adam.done, per_pass)
        if turn != order_of:
            order = generator(s.seed, "policy", "order", turn).permutation(n)
            order_of = turn
        index = order[at * s.batch : (at + 1) * s.batch]
        lot = generator(s.seed, "policy", "lot", adam.done)
        mirror = (lot.random(s.batch) < 0.5).astype(np.uint8)
        batch_player = player[index].copy()
        batch_player[lot.random(s.batch) < s.style_drop] = len(players)
        style = weights["players"][batch_player]
        gradient[:] = 0
        style_gradient = np.zeros((s.batch, STYLE), np.float32)
        losses = (by or in_threads)(
            shape.sizes, weights["net"], data[index], mirror, style, labels[index], gradient,
            style_gradient,
        )  # fmt: skip
        running += losses
        gradient /= s.batch
        by_player = np.zeros_like(weights["players"])
        np.add.at(by_player, batch_player, style_gradient)
        seen = np.bincount(batch_player, minlength=len(players) + 1)[:, None]
        prior = s.style_prior / np.maximum(of_player, 1)[:, None]
        by_player += prior * seen * weights["players"]
        by_player[len(players)] = 0
        by_player /= s.batch
        adam.step(weights, {"net": gradient, "players": by_player, "mean": nothing})
        keep = np.float32(min(s.mean, adam.done / (adam.done + 10)))
        weights["mean"] *= keep
        weights["mean"] += (1 - keep) * weights["net"]
        if adam.done % s.check == 0 or adam.done == end:
            score = quick_score(shape, weights["mean"], lines)
            entry = {
                "step": adam.done,
                "passes": round(adam.done * s.batch / n, 3),
                "train": round(float(running[0] / max(running[4], 1)), 4),
                "train_offer": round(float(running[3] / max(running[7], 1)), 4),
                **score,
            }
            running[:] = 0
            history.append(entry)
            log("  ".join(f"{k} {v}" for k, v in entry.items()))
            adam.save(checkpoint, mark, weights, history)
    return weights["mean"], weights["players"][:-1], players, history


_MAY_CHANGE = ("check", "valid_rows", "steps")
"""Settings that may differ when a fit resumes from a checkpoint."""


def _mark(s: PolicySettings, rows: PolicyRows) -> str:
    settings = {k: v for k, v in asdict(s).items() if k not in _MAY_CHANGE}
    games = hashlib.sha256("\n".join(rows.games).encode()).hexdigest()
    return f"{settings} {len(rows)} rows of {games}"


def _some(rows: PolicyRows, most: int, seed: int) -> PolicyRows:
    """Rows drawn by a seed, to look at while fitting."""
    index = np.sort(generator(seed, "policy", "valid").permutation(len(rows))[:most])
    return rows.take(index)


def quick_score(shape: Shape, weights: Floats, rows: PolicyRows) -> dict[str, Any]:
    """Discard agreement and cross-entropies of the pooled policy on some rows."""
    found = logits(shape, weights, rows.decisions, both=False)
    kinds = np.arange(34, dtype=np.uint64)
    is_discard = np.flatnonzero(rows.labels["discard"] < 34)
    legal = (rows.decisions["discards"][is_discard, None] >> kinds & np.uint64(1)) != 0
    z = np.where(legal, found.discards[is_discard], -np.inf)
    label = rows.labels["discard"][is_discard].astype(np.int64)
    own = z[np.arange(len(z)), label]
    place = (z > own[:, None]).sum(axis=1)
    top = z.max(axis=1)
    nats = np.log(np.exp(z - top[:, None]).sum(axis=1)) + top - own
    out = {
        "top1": round(float((place == 0).mean()), 4),
        "top3": round(float((place < 3).mean()), 4),
        "valid": round(float(nats.mean()), 4),
    }
    decided = rows.labels["decided"]
    for name, act in (("riichi", 0), ("pon", 6)):
        some = np.flatnonzero(decided >> act & 1)
        if len(some):
            y = (rows.labels["chosen"][some] >> act & 1) != 0
            x = found.acts[some, act]
            out[name] = round(float(np.logaddexp(0, np.where(y, -x, x)).mean()), 4)
    return out
