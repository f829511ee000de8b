"""The fit of the weights that join a network's P(ron) and its posterior's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from haiyomi.arrays import Bools, Floats, Ints, Singles
from haiyomi.dealin.combination import FEATURES, MEAN, TABLE
from haiyomi.dealin.network_model import NetworkModel
from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions
from haiyomi.kernels.waits import KIND_BITS
from haiyomi.networks.network import Network
from haiyomi.networks.opponents import OpponentNetwork
from haiyomi.reading.opponent_class import CLASSES, CLOSED, class_of
from haiyomi.rules import TENHOU
from haiyomi.training.decision_stream import DecisionStream
from haiyomi.training.packed_reader import shards_of

DECISIONS: Final = 160_000
DISCARDS_A_GAME: Final = 200
"""Decisions of a game among which they are drawn, about."""
BLOCK: Final = 256
SEED: Final = 21


def with_combination(packed: Path, network: Network) -> Network:
    """The network with the weights of ``fit_combination``, which its manifest names."""
    about = {"features": list(FEATURES), "decisions": DECISIONS, "seed": SEED}
    return replace(
        network,
        tables={TABLE: fit_combination(packed, network)},
        manifest={**network.manifest, TABLE: about},
    )


def fit_combination(packed: Path, network: Network) -> Singles:
    """(5, 7) the weights by class of opponents, from DECISIONS of the train split.

    The rows are the kinds that a seat holds, for each opponent, where somebody is in riichi or has
    an open meld and a ron is possible. The penalty of a weight is half the square of its distance
    from ``MEAN``: a class without rows keeps that.
    """
    model = NetworkModel(OpponentNetwork(network))
    found = [_rows(model, *block) for block in _blocks(packed)]
    cls, x, y = (np.concatenate(column) for column in zip(*found, strict=True))
    return np.stack([
        regression(x[cls == i], y[cls == i], MEAN[i].astype(np.float64))
        for i in range(len(CLASSES))
    ]).astype(np.float32)  # fmt: skip


def _blocks(packed: Path) -> Iterator[tuple[Decisions, Labels]]:
    """Discards not forced by an own riichi, drawn by the seed from all games of train."""
    games = sum(shard.games for shard in shards_of(packed, "train"))
    share = min(1.0, DECISIONS / (games * DISCARDS_A_GAME))
    stream = DecisionStream(packed, "train", SEED, share, discards=True)
    for index in range(stream.segments):
        found = stream.segment(0, index)
        for at in range(0, len(found), BLOCK):
            block = slice(at, at + BLOCK)
            yield found.records[block], found.labels[block]


def _rows(model: NetworkModel, records: Decisions, labels: Labels) -> tuple[Ints, Floats, Bools]:
    """The class, features and label of each row of some decisions."""
    seen = model.network.read(records)
    found = model.rons(seen, TENHOU)
    cls = class_of(seen.observations, seen.seats)
    threat = np.repeat((cls.reshape(-1, 3) != CLOSED).any(axis=1), 3)
    shown = seen.shown(TENHOU)
    furiten, _ = shown.masks()
    live = furiten[:, None] & KIND_BITS == 0
    held = np.repeat(records["hand"] > 0, 3, axis=0)
    row, kind = np.nonzero(held & live & (found.wait > 0) & threat[:, None])
    label = labels["opponents"].reshape(-1)["ron"][:, None] & KIND_BITS != 0
    x = shown.odds(np.ascontiguousarray(seen.ron), found.by_hands)
    return cls[row], x[row, kind], label[row, kind]


def regression(x: Floats, y: Bools, prior: Floats) -> Floats:
    """(f,) the weights of a logistic regression of ``y`` (n,) on ``x`` (n, f), with the penalty of
    half the squared distance from the ``prior`` (f,)."""
    features, label = torch.from_numpy(x), torch.from_numpy(y.astype(np.float64))
    centre = torch.from_numpy(prior)
    weights = centre.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> Any:
        optimizer.zero_grad()
        nats = torch.nn.functional.binary_cross_entropy_with_logits(
            features @ weights, label, reduction="sum"
        )
        total = nats + 0.5 * ((weights - centre) ** 2).sum()
        total.backward()
        return total

    optimizer.step(loss)
    out: Floats = weights.detach().numpy()
    return out
