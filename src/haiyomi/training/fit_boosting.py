"""Gradient boosting for tenpai and ron, on out-of-fold predictions of posterior and network.

Two forests: P(an opponent not in riichi is tenpai), and P(it can ron a kind) from the
predictions of the posterior and the network and features around them. The second is fitted on
out-of-fold tenpai probabilities. For each class of opponent a blend of posterior, forest and
network in log odds is fitted on the valid split.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.blend import BLEND_INPUTS, blended, odds_of, sigmoid
from haiyomi.dealin.boost_features import TENPAI_FEATURES, TILE_FEATURES, tenpai_rows, tile_rows
from haiyomi.dealin.ron_network import log_odds_from_both_ends
from haiyomi.dealin.tenpai_posterior import furiten_masks, read
from haiyomi.errors import DatasetError
from haiyomi.kernels.forest import Forest
from haiyomi.reading.features import KIND_FEATURES
from haiyomi.reading.opponent_class import CLASSES, class_of
from haiyomi.seeds import generator
from haiyomi.training.dataset import read_table
from haiyomi.training.reading_rows import ReadingRows

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
SEED = 20170708
_HELD = KIND_FEATURES.index("in the viewer's hand")
_PRODUCT = TILE_FEATURES.index("log of tenpai times ron")
_RON = TILE_FEATURES.index("log ron")
_TENPAI = TILE_FEATURES.index("tenpai")
_NETWORK = TILE_FEATURES.index("network's log odds of a ron")
Arrays = dict[str, NDArray[Any]]
ALL: Final = tuple(range(len(CLASSES)))
OPEN: Final = ALL[:-1]
"""The classes in riichi or with open melds."""
PULL: Final = 300.0
"""The strength of a blend's prior against the sum of the losses: the rows of a game are
correlated, so ten thousand of them carry less information than independent ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The labels of each row of ReadingRows and relative seat 1-3: (n, 3) each."""

    tenpai: NDArray[np.bool_]
    ron: NDArray[np.uint64]
    threat: NDArray[np.bool_]  # (n,)


def labels_of(dataset: Path, rows: ReadingRows, split: str) -> Labels:
    """The labels of a split's rows from the dataset's opponents. Raises DatasetError if the
    two are of other records."""
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
    nothing: NDArray[np.int32]  # threat tiles left out, by class: no ron on them is possible

    @staticmethod
    def concat(parts: Sequence[BoostRows]) -> BoostRows:
        """All rows of some parts of the same games."""
        found: dict[str, Any] = {
            k: np.concatenate([getattr(p, k) for p in parts])
            for k in BoostRows.__slots__
            if k not in ("row", "nothing")
        }
        offsets = np.cumsum([0, *(len(p.group) for p in parts)])[:-1]
        row = np.concatenate([p.row + np.int32(o) for p, o in zip(parts, offsets, strict=True)])
        nothing = sum((p.nothing for p in parts), np.zeros(len(CLASSES), np.int32))
        return BoostRows(**found, row=row, nothing=nothing)

    def with_tenpai(self, p: Floats) -> None:
        """Set the tiles' columns from each opponent's tenpai probability, in place."""
        mine = p[self.row]
        self.tiles[:, _TENPAI] = mine
        ron = np.exp(self.tiles[:, _RON].astype(np.float64))
        self.tiles[:, _PRODUCT] = np.log(np.maximum(mine * ron, 1e-9))


def collect(
    weights: Arrays,
    network: Arrays,
    rows: ReadingRows,
    labels: Labels,
    index: NDArray[np.int64],
    progress: Progress | None = None,
    classes: Sequence[int] = ALL,
    batch: int = 32,
) -> BoostRows:
    """The features and labels of some decisions, every opponent of some ``classes`` and kind in
    hand that it may win on by the rules."""
    parts: dict[str, list[NDArray[Any]]] = {k: [] for k in BoostRows.__slots__ if k != "nothing"}
    nothing = np.zeros(len(CLASSES), np.int32)
    done = offset = 0
    for at in range(0, len(index), batch):
        chosen = index[at : at + batch]
        at3 = np.repeat(chosen, 3)
        opponent = np.tile(np.array([1, 2, 3]), len(chosen))
        kept = np.isin(class_of(rows.observations[at3], opponent), classes)
        at3, opponent = at3[kept], opponent[kept]
        observations = rows.observations[at3]
        readings = read(weights, observations, opponent)
        logits = log_odds_from_both_ends(network, readings.factors.x, readings.factors.context)
        group = readings.factors.group
        held = readings.factors.x[:, :, _HELD] > 0
        furiten = furiten_masks(observations, opponent)
        bits = np.arange(34, dtype=np.uint64)
        barred = (furiten[:, None] >> bits & np.uint64(1)).astype(bool) | (readings.wait <= 0)
        threat = labels.threat[at3]
        gone = (held & barred).sum(axis=1)
        np.add.at(nothing, group[threat], gone[threat].astype(np.int32))
        row, kind = np.nonzero(held & ~barred)
        one = np.ones(len(observations))
        parts["opponents"].append(tenpai_rows(readings, observations, opponent, logits))
        parts["tenpai"].append(labels.tenpai[at3, opponent - 1])
        parts["group"].append(group.astype(np.int8))
        parts["certain"].append((group == 0) | (readings.factors.concealed == 1))
        parts["game"].append(rows.game[at3])
        parts["threat"].append(threat)
        parts["tiles"].append(tile_rows(readings, observations, one, row, kind, logits))
        parts["row"].append((row + offset).astype(np.int32))
        ron = labels.ron[at3, opponent - 1]
        parts["label"].append((ron[row] >> kind.astype(np.uint64) & np.uint64(1)).astype(bool))
        offset += len(observations)
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
        value.append(np.where(leaf, _short(nodes["value"]), _below(nodes["num_threshold"])))
        left.append(np.where(leaf, 0, nodes["left"] + offset).astype(np.int32))
        right.append(np.where(leaf, 0, nodes["right"] + offset).astype(np.int32))
        offset += len(nodes)
    return Forest(
        features,
        float(np.ravel(model._baseline_prediction)[0]),
        np.array(roots, np.int32),
        np.concatenate(feature),
        np.concatenate(value),
        np.concatenate(left),
        np.concatenate(right),
    )


def _short(leaves: Floats) -> NDArray[np.float32]:
    # Five digits of a leaf keep the file small.
    return np.array([f"{v:.5g}" for v in leaves], dtype=np.float32)


def _below(thresholds: Floats) -> NDArray[np.float32]:
    """The largest float32 that is not above each: rows are float32, and fall as they did."""
    out = np.clip(thresholds, -1e30, 1e30).astype(np.float32)
    return np.where(out > thresholds, np.nextafter(out, np.float32(-np.inf)), out)


def fit_tenpai(rows: BoostRows, keep: NDArray[np.bool_], settings: BoostSettings) -> Forest:
    """The forest of tenpai over the opponents of ``keep`` that are not certain to be."""
    mask = keep & ~rows.certain
    return boost(
        rows.opponents[mask], rows.tenpai[mask], TENPAI_FEATURES, settings.tenpai_trees,
        settings.leaves, settings.rate,
    )  # fmt: skip


def tenpai_of(forest: Forest, rows: BoostRows) -> Floats:
    """(n,) P(tenpai), one where it is certain."""
    return np.where(rows.certain, 1.0, sigmoid(forest.score(rows.opponents)))


def fit_blend(x: Floats, label: NDArray[np.bool_]) -> list[float]:
    """The weights of the log odds ``x`` (m, 4) by BLEND_INPUTS, by logistic regression with a prior
    that favours the forest."""
    from scipy.optimize import minimize

    start = np.array([0.0, 0.2, 0.6, 0.2])

    def loss(w: Floats) -> tuple[float, Floats]:
        p = np.clip(sigmoid(x @ w), 1e-9, 1 - 1e-9)
        value = -np.where(label, np.log(p), np.log1p(-p)).mean()
        away = w - start
        gradient: Floats = x.T @ (p - label) / len(x) + PULL / len(x) * away
        return float(value + PULL / len(x) * (away @ away) / 2), gradient

    found = minimize(loss, start, jac=True, method="L-BFGS-B")
    return [float(f"{v:.6g}") for v in found.x]


@dataclass(frozen=True, slots=True)
class BoostSettings:
    """How to fit the forests, and which share of the decisions to fit and to blend on.

    Negative tiles are subsampled and weighted up: ``thin`` of those of closed opponents,
    ``thin_open`` of the others'. Of the other decisions under threat ``more_open`` are sampled for
    the open and riichi hands only.
    """

    tenpai_trees: int = 160
    tile_trees: int = 240
    leaves: int = 31
    rate: float = 0.08
    thin: float = 0.4
    thin_open: float = 0.6
    train_threat: float = 0.2
    train_quiet: float = 0.03
    more_open: float = 0.35
    valid_threat: float = 1.0
    valid_quiet: float = 0.1
    seed: int = SEED


def chosen(
    labels: Labels, threat: float, quiet: float, allowed: NDArray[np.bool_], seed: int
) -> NDArray[np.int64]:
    """The decisions drawn, a share of those under threat and of the quiet ones."""
    n = len(labels.threat)
    u = generator(seed, n).random(n)
    return np.flatnonzero(np.where(labels.threat, u < threat, u < quiet) & allowed)


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """Both forests, the blend (5, 4), and their report on the valid split."""

    tenpai: Forest
    tiles: Forest
    blend: Floats
    report: dict[str, Any]


def fit_forests(train: BoostRows, settings: BoostSettings) -> tuple[Forest, Forest]:
    """The forests of tenpai and of rons; deterministic. Sets ``train``'s tenpai columns."""
    side = train.game // 2 % 2 == 0
    crossed = np.zeros(len(train.group))
    for half in (side, ~side):
        forest = fit_tenpai(train, ~half, settings)
        crossed[half] = tenpai_of(forest, train)[half]
    train.with_tenpai(crossed)
    tenpai = fit_tenpai(train, np.ones_like(side), settings)
    closed = train.group[train.row] == len(CLASSES) - 1
    share = np.where(train.label, 1.0, np.where(closed, settings.thin, settings.thin_open))
    keep = generator(settings.seed, 2).random(len(share)) < share
    weight = 1.0 / share[keep]
    tiles = boost(
        train.tiles[keep], train.label[keep], TILE_FEATURES, settings.tile_trees,
        settings.leaves, settings.rate, weight,
    )  # fmt: skip
    return tenpai, tiles


def fit_boosting(train: BoostRows, valid: BoostRows, settings: BoostSettings) -> Boosted:
    """Forests from train, the blend from valid; deterministic."""
    tenpai, tiles = fit_forests(train, settings)
    valid.with_tenpai(tenpai_of(tenpai, valid))
    odds, group = blend_inputs(valid, tiles)
    found = []
    for c in range(len(CLASSES)):
        mask = (group == c) & (valid.threat[valid.row] | (c == len(CLASSES) - 1))
        found.append(fit_blend(odds[mask], valid.label[mask]))
    blend = np.array(found)
    return Boosted(tenpai, tiles, blend, report_of(valid, tenpai, tiles, blend))


def blend_inputs(rows: BoostRows, tiles: Forest) -> tuple[Floats, NDArray[np.int8]]:
    """(m, 4) log odds by BLEND_INPUTS, the posterior's times tenpai; (m,) classes."""
    own = np.exp(rows.tiles[:, _PRODUCT].astype(np.float64))
    network = rows.tiles[:, _NETWORK].astype(np.float64)
    return odds_of(own, tiles.score(rows.tiles), network), rows.group[rows.row]


def report_of(rows: BoostRows, tenpai: Forest, tiles: Forest, blend: Floats) -> dict[str, Any]:
    """Skill and AUC by class of posterior, forest, network and blend, on threat decisions
    (tiles that no ron can hit counted as certain), and the AUC of tenpai."""
    from sklearn.metrics import log_loss, roc_auc_score

    odds, group = blend_inputs(rows, tiles)
    answers = {name: sigmoid(odds[:, i]) for i, name in enumerate(BLEND_INPUTS) if i}
    answers["blend"] = blended(blend, group, odds, tenpai_of(tenpai, rows)[rows.row])
    threat = rows.threat[rows.row]
    out: dict[str, Any] = {"tile": {}, "tenpai": {}}
    for c, name in enumerate(("all", *CLASSES)):
        mask = threat if c == 0 else threat & (group == c - 1)
        zeros = int(rows.nothing.sum() if c == 0 else rows.nothing[c - 1])
        label = np.concatenate([rows.label[mask], np.zeros(zeros, bool)])
        if not label.any():
            continue
        constant = float(log_loss(label, np.full(len(label), label.mean())))
        cell: dict[str, Any] = {"n": len(label), "constant": constant}
        for model, p in answers.items():
            q = np.concatenate([p[mask], np.zeros(zeros)])
            loss = float(log_loss(label, np.clip(q, 1e-6, 1 - 1e-6)))
            cell[model] = {"skill": 1 - loss / constant, "auc": float(roc_auc_score(label, q))}
        out["tile"][name] = cell
    p = tenpai_of(tenpai, rows)
    free = rows.group != 0
    for c, name in enumerate(("all", *CLASSES)):
        mask = free if c == 0 else free & (rows.group == c - 1)
        if c == 1 or not rows.tenpai[mask].any() or rows.tenpai[mask].all():
            continue
        out["tenpai"][name] = {
            "n": int(mask.sum()),
            "auc": float(roc_auc_score(rows.tenpai[mask], p[mask])),
            "log_loss": float(log_loss(rows.tenpai[mask], p[mask])),
        }
    return out
