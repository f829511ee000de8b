"""The trees that judge tenpai and rescale the posterior's rons, fitted on games it did not see.

Two forests by gradient boosting: P(an opponent not in riichi is tenpai), and P(it can ron a
kind) from the posterior's answer and what lies around it. The second sees tenpai
probabilities made without its own game's half, as it will in use. Per class of opponent a
blend of posterior and forest in log odds is fitted on the valid split.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.boost_features import TENPAI_FEATURES, TILE_FEATURES, tenpai_rows, tile_rows
from haiyomi.dealin.tenpai_reading import furiten_masks, read
from haiyomi.errors import DatasetError
from haiyomi.kernels.forest import Forest
from haiyomi.reading.features import KIND_FEATURES
from haiyomi.reading.posterior import CLASSES
from haiyomi.training.reading_rows import ReadingRows

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
SEED = 20170708
_HELD = KIND_FEATURES.index("in the viewer's hand")
_PRODUCT = TILE_FEATURES.index("log of tenpai times ron")
_RON = TILE_FEATURES.index("log ron")
_TENPAI = TILE_FEATURES.index("tenpai")


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """What is true of each row of ReadingRows and relative seat 1-3: (n, 3) each."""

    tenpai: NDArray[np.bool_]
    ron: NDArray[np.uint64]
    threat: NDArray[np.bool_]  # (n,)


def labels_of(dataset: Path, rows: ReadingRows, split: str) -> Labels:
    """The labels of a split's rows from the dataset's opponents. Raises DatasetError if the
    two are of other records."""
    from haiyomi.training.dataset import read_table

    columns = ["hand", "decision", "forced", "threat", "tenpai", "ron"]
    table = read_table(dataset, "opponents", split, columns)
    keep = ~table["forced"].to_numpy()
    found = {c: table[c].to_numpy()[keep] for c in columns}
    n = len(rows)
    same = len(found["hand"]) == 3 * n and (found["hand"][::3] == rows.hand).all()
    if not same or not (found["decision"][::3] == rows.decision).all():
        raise DatasetError(f"{dataset}: its {split} split is not that of the reading rows")
    return Labels(found["tenpai"].reshape(n, 3), found["ron"].reshape(n, 3), found["threat"][::3])


@dataclass(frozen=True, slots=True, eq=False)
class BoostRows:
    """Opponents (n) and their tiles (m): features, labels, ``group`` the class, ``game``.

    ``row`` (m,) is a tile's opponent. The columns of ``tiles`` that hang on the tenpai
    probability are filled by ``with_tenpai``.
    """

    opponents: NDArray[np.float32]
    tenpai: NDArray[np.bool_]
    group: NDArray[np.int8]
    certain: NDArray[np.bool_]
    game: NDArray[np.int32]
    threat: NDArray[np.bool_]
    tiles: NDArray[np.float32]
    row: NDArray[np.int32]
    label: NDArray[np.bool_]
    nothing: NDArray[np.int32]  # threat tiles left out, by class: those that no ron can hit

    def with_tenpai(self, p: Floats) -> None:
        """Set the tiles' columns from each opponent's tenpai probability, in place."""
        mine = p[self.row]
        self.tiles[:, _TENPAI] = mine
        ron = np.exp(self.tiles[:, _RON].astype(np.float64))
        self.tiles[:, _PRODUCT] = np.log(np.maximum(mine * ron, 1e-9))


def collect(
    weights: dict[str, NDArray[Any]],
    rows: ReadingRows,
    labels: Labels,
    index: NDArray[np.int64],
    progress: Progress | None = None,
    batch: int = 160,
) -> BoostRows:
    """The features and labels of some decisions, every opponent and kind in hand that it may
    win on by the rules."""
    parts: dict[str, list[NDArray[Any]]] = {k: [] for k in BoostRows.__slots__ if k != "nothing"}
    nothing = np.zeros(len(CLASSES), np.int32)
    done = offset = 0
    for at in range(0, len(index), batch):
        chosen = index[at : at + batch]
        sights = np.repeat(rows.sights[chosen], 3)
        opponent = np.tile(np.array([1, 2, 3]), len(chosen))
        readings = read(weights, sights, opponent)
        group = readings.factors.group
        held = readings.factors.x[:, :, _HELD] > 0
        furiten = furiten_masks(sights, opponent)
        bits = np.arange(34, dtype=np.uint64)
        barred = (furiten[:, None] >> bits & np.uint64(1)).astype(bool) | (readings.wait <= 0)
        threat = np.repeat(labels.threat[chosen], 3)
        gone = (held & barred).sum(axis=1)
        np.add.at(nothing, group[threat], gone[threat].astype(np.int32))
        row, kind = np.nonzero(held & ~barred)
        one = np.ones(len(sights))
        parts["opponents"].append(tenpai_rows(readings, sights, opponent))
        parts["tenpai"].append(labels.tenpai[chosen].reshape(-1))
        parts["group"].append(group.astype(np.int8))
        parts["certain"].append((group == 0) | (readings.factors.concealed == 1))
        parts["game"].append(np.repeat(rows.game[chosen], 3))
        parts["threat"].append(threat)
        parts["tiles"].append(tile_rows(readings, sights, one, row, kind))
        parts["row"].append((row + offset).astype(np.int32))
        ron = labels.ron[chosen].reshape(-1)
        parts["label"].append((ron[row] >> kind.astype(np.uint64) & np.uint64(1)).astype(bool))
        offset += len(sights)
        done += len(chosen)
        if progress:
            progress(done, len(index))
    return BoostRows(**{k: np.concatenate(v) for k, v in parts.items()}, nothing=nothing)


def boost(
    x: NDArray[np.float32],
    y: NDArray[np.bool_],
    features: tuple[str, ...],
    trees: int,
    leaves: int,
    rate: float,
    weight: Floats | None = None,
) -> Forest:
    """A forest of scikit-learn's histogram gradient boosting, as plain arrays."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=trees, max_leaf_nodes=leaves, learning_rate=rate, min_samples_leaf=80,
        l2_regularization=2.0, max_bins=127, early_stopping=False, random_state=SEED,
    )  # fmt: skip
    model.fit(x, y, sample_weight=weight)
    roots, feature, value, left, right = [], [], [], [], []
    offset = 0
    for (tree,) in model._predictors:
        nodes = tree.nodes
        roots.append(offset)
        leaf = nodes["is_leaf"].astype(bool)
        feature.append(np.where(leaf, -1, nodes["feature_idx"]).astype(np.int16))
        value.append(np.where(leaf, nodes["value"], _as_float(nodes["num_threshold"])))
        left.append(np.where(leaf, 0, nodes["left"] + offset).astype(np.int32))
        right.append(np.where(leaf, 0, nodes["right"] + offset).astype(np.int32))
        offset += len(nodes)
    return Forest(
        features,
        float(np.ravel(model._baseline_prediction)[0]),
        np.array(roots, np.int32),
        np.concatenate(feature),
        np.array([f"{v:.6g}" for v in np.concatenate(value)], dtype=np.float32),
        np.concatenate(left),
        np.concatenate(right),
    )


def _as_float(threshold: Floats) -> Floats:
    # Rows are float32: a threshold between two of them must stay between.
    return np.clip(threshold, -1e30, 1e30)


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x))."""
    out: Floats = 1.0 / (1.0 + np.exp(-np.clip(x, -60, 60)))
    return out


def fit_tenpai(rows: BoostRows, keep: NDArray[np.bool_], trees: int = 260) -> Forest:
    """The forest of tenpai over the opponents of ``keep`` that are not certain to be."""
    mask = keep & ~rows.certain
    return boost(rows.opponents[mask], rows.tenpai[mask], TENPAI_FEATURES, trees, 31, 0.06)


def tenpai_of(forest: Forest, rows: BoostRows) -> Floats:
    """(n,) P(tenpai), one where it is certain."""
    return np.where(rows.certain, 1.0, sigmoid(forest.score(rows.opponents)))


def fit_blend(logits: Floats, label: NDArray[np.bool_]) -> list[float]:
    """Weights (constant, then one a column) of the log odds that say most of the label."""
    from scipy.optimize import minimize

    x = np.column_stack([np.ones(len(logits)), logits])

    def loss(w: Floats) -> tuple[float, Floats]:
        p = np.clip(sigmoid(x @ w), 1e-9, 1 - 1e-9)
        value = -np.where(label, np.log(p), np.log1p(-p)).mean()
        pull = w - start
        slope: Floats = x.T @ (p - label) / len(x) + 1e-4 * pull
        return float(value + 5e-5 * (pull @ pull)), slope

    start = np.array([0.0, 0.2, 0.8])[: x.shape[1]]
    found = minimize(loss, start, jac=True, method="L-BFGS-B")
    return [float(f"{v:.6g}") for v in found.x]


def logit(p: NDArray[Any]) -> Floats:
    """Log odds, of probabilities kept off zero and one."""
    q = np.clip(p.astype(np.float64), 1e-7, 1 - 1e-7)
    out: Floats = np.log(q) - np.log1p(-q)
    return out
