"""Fits the tenpai regressions (5)-(8) cell by cell, cells with few rows borrowing from neighbours.

A cell is (type, melds, discards). Its neighbours are the cells of the same type and melds
with up to three discards more or fewer; a neighbour's row weighs
``min(1, borrow / n) * 0.5 ** distance``, n being the cell's own rows, so that the cells
with many rows stand alone. ``borrow`` is chosen on the validation split.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats, Ints
from haiyomi.dealin.features import FEATURE_NAMES
from haiyomi.dealin.tenpai import MAX_DISCARDS, MAX_MELDS
from haiyomi.engines.shards import Jobs, map_shards
from haiyomi.errors import DatasetError

TYPES = ("colour", "flush", "several")
WIDTH = {"colour": 5, "flush": 3, "several": 5}
BORROW_CHOICES = (0.0, 2000.0, 8000.0, 32000.0, 128000.0)
DEFAULT_BORROW = 32000.0
REACH = 3
FIT_COLUMNS = ["game", "riichi", "melds", "discards", "meld_suits", "tenpai", "colours"]


@dataclass(frozen=True, slots=True)
class Samples:
    """Distinct rows of a type with how often each occurs: ``x`` (n, width) constant first,
    ``t`` (n,) 0/1, ``melds`` and ``discards`` (n,), ``count`` (n,).
    """

    x: Floats
    t: Floats
    melds: Ints
    discards: Ints
    count: Floats


@dataclass(frozen=True, slots=True)
class CellReport:
    """One cell: own rows, share of the weight borrowed, and held-out mean log loss of the
    cell, and of one pooled regression, on the validation rows of that cell.
    """

    type: str
    melds: int
    discards: int
    n: int
    borrowed: float
    n_valid: int
    loss: float | None
    pooled_loss: float | None


def samples(columns: dict[str, NDArray[Any]], kind: str) -> Samples:
    """The Samples of a type from the opponents table (FIT_COLUMNS and the features).

    Rows of opponents in riichi or with four melds are left out. The suits are pooled: an
    opponent gives a row for each suit its melds allow (types 1 and 2).
    """
    keep = ~columns["riichi"] & (columns["melds"] <= MAX_MELDS)
    melds = columns["melds"][keep].astype(np.int16)
    discards = np.minimum(columns["discards"][keep], MAX_DISCARDS).astype(np.int16)
    shown = columns["meld_suits"][keep]
    tenpai = columns["tenpai"][keep]
    colours = columns["colours"][keep]
    features = {name: columns[name][keep] for name in FEATURE_NAMES}
    blocks: list[NDArray[np.int16]] = []
    if kind == "several":
        mask = (colours & 8) != 0
        names = ("tedashi", "tedashi_facing_riichi", "yaochu_kinds", "simple_kinds")
        parts = [melds, discards, tenpai, *(features[n] for n in names)]
        blocks.append(np.column_stack([p[mask].astype(np.int16) for p in parts]))
    else:
        for c, suit in enumerate("mps"):
            possible = (shown == 0) | (shown == 1 << c)
            on_colour = (colours >> c & 1) != 0
            if kind == "colour":
                run = features[f"longest_run_off_colour_{suit}"]
                last = run * features[f"last_tedashi_on_colour_{suit}"]
                before = (features[f"{what}_before_run_{suit}"] for what in ("honour", "colour"))
                parts = [melds, discards, on_colour, run, last, *before]
                mask = possible
            else:
                kinds = features["honour_kinds"], features[f"kinds_{suit}"]
                parts = [melds, discards, tenpai, *kinds]
                mask = possible & on_colour
            blocks.append(np.column_stack([p[mask].astype(np.int16) for p in parts]))
    rows, count = _distinct(np.concatenate(blocks))
    x = np.column_stack([np.ones(len(rows)), rows[:, 3:].astype(np.float64)])
    return Samples(
        x,
        rows[:, 2].astype(np.float64),
        rows[:, 0].astype(np.int64),
        rows[:, 1].astype(np.int64),
        count.astype(np.float64),
    )


def _distinct(rows: NDArray[np.int16]) -> tuple[NDArray[np.int16], Ints]:
    """The distinct rows (n, columns) of small counts in ascending order, and how often each
    occurs: one number a row is sorted in a tenth of the time that rows take."""
    if not len(rows):
        return rows, np.zeros(0, np.int64)
    sizes = rows.max(axis=0).astype(np.int64) + 1
    keys, count = np.unique(np.ravel_multi_index(tuple(rows.T), tuple(sizes)), return_counts=True)
    return np.column_stack(np.unravel_index(keys, tuple(sizes))).astype(np.int16), count


def logistic(x: Floats, t: Floats, weight: Floats) -> Floats:
    """Weights minimising the weighted cross-entropy (8), with a faint ridge.

    The ridge (C = 100) and half a sample of each answer at the mean row keep a cell finite
    whose rows are all alike.
    """
    from sklearn.linear_model import LogisticRegression

    mean = np.average(x, axis=0, weights=weight)
    x = np.vstack([x, mean, mean])
    t = np.concatenate([t, [0.0, 1.0]])
    weight = np.concatenate([weight, [0.5, 0.5]])
    model = LogisticRegression(C=100.0, solver="newton-cholesky", tol=1e-8, max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a constant feature in a tiny cell is expected
        model.fit(x[:, 1:], t, sample_weight=weight)
    return np.concatenate([model.intercept_, model.coef_[0]])


def log_loss(x: Floats, t: Floats, weights: Floats) -> Floats:
    """Cross-entropy of each row under sigma(w . x), clipped to [1e-6, 1 - 1e-6]."""
    p = np.clip(1.0 / (1.0 + np.exp(-(x @ weights))), 1e-6, 1 - 1e-6)
    out: Floats = -(t * np.log(p) + (1 - t) * np.log(1 - p))
    return out


def _cell_rows(
    s: Samples, melds: int, discards: int, borrow: float
) -> tuple[Any, Floats, float, float]:
    distance = np.abs(s.discards - discards)
    near = (s.melds == melds) & (distance <= REACH)
    own = near & (distance == 0)
    n = float(s.count[own].sum())
    share = 1.0 if n == 0 else min(1.0, borrow / n)
    factor = np.where(distance == 0, 1.0, share * 0.5**distance)
    weight = s.count * factor
    if n == 0 and not near.any():
        near = s.melds == melds
        weight = s.count.copy()
    near = near & (weight > 0)
    total = float(weight[near].sum())
    borrowed = 1.0 - n / total if total > 0 else 1.0
    return near, weight[near], n, borrowed


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of a type with so many melds, to be fitted with one ``borrow``."""

    train: Samples
    kind: str
    melds: int
    borrow: float


def fit_cells(cells: Cells) -> Floats:
    """(21, width) weights, a cell for each number of discards."""
    train = cells.train
    table = np.zeros((MAX_DISCARDS + 1, WIDTH[cells.kind]))
    for d in range(MAX_DISCARDS + 1):
        rows, weight, _, _ = _cell_rows(train, cells.melds, d, cells.borrow)
        if not rows.any():
            rows, weight = np.ones(len(train.t), dtype=bool), train.count
        table[d] = logistic(train.x[rows], train.t[rows], weight)
    return table


def fit_type(
    train: Samples, valid: Samples | None, kind: str, engine: Jobs = 1
) -> tuple[Floats, float, list[CellReport]]:
    """(4, 21, width) weights, the chosen ``borrow`` and a report of every cell.

    Without ``valid`` the borrow is DEFAULT_BORROW and the report has no losses. Raises
    DatasetError where ``train`` is empty.
    """
    if len(train.t) == 0:
        raise DatasetError(f"the dataset has no rows to fit the {kind!r} regressions on")
    if valid is not None and len(valid.t) == 0:
        valid = None
    choices = BORROW_CHOICES if valid is not None else (DEFAULT_BORROW,)
    weights = {
        borrow: np.zeros((MAX_MELDS + 1, MAX_DISCARDS + 1, WIDTH[kind])) for borrow in choices
    }
    shards = [Cells(train, kind, f, borrow) for borrow in choices for f in range(MAX_MELDS + 1)]
    for index, fitted in map_shards(fit_cells, shards, engine):
        weights[shards[index].borrow][shards[index].melds] = fitted
    losses: dict[float, float] = {}
    for borrow, table in weights.items():
        if valid is not None:
            w = table[valid.melds, valid.discards]
            p = np.clip(1.0 / (1.0 + np.exp(-(valid.x * w).sum(axis=1))), 1e-6, 1 - 1e-6)
            loss = -(valid.t * np.log(p) + (1 - valid.t) * np.log(1 - p))
            losses[borrow] = float((loss * valid.count).sum() / valid.count.sum())
    chosen = min(losses, key=lambda b: losses[b]) if losses else choices[0]
    table = weights[chosen]
    return table, chosen, _report(train, valid, kind, table, chosen)


def _pooled_x(s: Samples) -> Floats:
    return np.column_stack([s.x, s.melds, s.discards])


def _report(
    train: Samples, valid: Samples | None, kind: str, table: Floats, borrow: float
) -> list[CellReport]:
    pooled = logistic(_pooled_x(train), train.t, train.count)
    out = []
    for f in range(MAX_MELDS + 1):
        for d in range(MAX_DISCARDS + 1):
            _, _, n, borrowed = _cell_rows(train, f, d, borrow)
            loss = pooled_loss = None
            n_valid = 0.0
            if valid is not None:
                rows = (valid.melds == f) & (valid.discards == d)
                n_valid = float(valid.count[rows].sum())
                if n_valid > 0:
                    c, t = valid.count[rows], valid.t[rows]
                    loss = float((log_loss(valid.x[rows], t, table[f, d]) * c).sum() / n_valid)
                    both = _pooled_x(valid)[rows]
                    pooled_loss = float((log_loss(both, t, pooled) * c).sum() / n_valid)
            out.append(CellReport(kind, f, d, int(n), borrowed, int(n_valid), loss, pooled_loss))
    return out
