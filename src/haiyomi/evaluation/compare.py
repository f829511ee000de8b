"""Two models on the same rows: the difference of skill and AUC by class, bootstrapped by game."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.models import STEPS
from haiyomi.evaluation.dealin_rows import Rows
from haiyomi.evaluation.dealin_tables import finite
from haiyomi.evaluation.metrics import auc, entropy, interval, resample_weights, row_log_loss
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.seeds import generator

RESAMPLES = 1000
Table = tuple[str, list[str], list[list[str]]]
KEYS = ("game", "hand", "decision", "seat", "opponent")


def paired(ours: Rows, theirs: Rows, seed: int) -> dict[str, Any]:
    """By class, threat decisions: both skills and the difference with its 95% interval.

    Raises ValueError if the rows are not the same.
    """
    out: dict[str, Any] = {}
    for table, keys in (("tile", (*KEYS, "tile")), ("tenpai", KEYS)):
        a, b = ours.tables[table], theirs.tables[table]
        if ours.games != theirs.games or any(not np.array_equal(a[k], b[k]) for k in keys):
            raise ValueError(f"the two models' {table} rows differ")
        out[table] = {}
        for i, name in enumerate(("all", *CLASSES)):
            mask = a["threat"] if table == "tile" else np.ones(len(a["cls"]), bool)
            if i:
                mask = mask & (a["cls"] == i - 1)
            if mask.any() and a["label"][mask].any():
                out[table][name] = _difference(
                    a["probability"][mask], b["probability"][mask], a["label"][mask],
                    a["game"][mask], seed,
                )  # fmt: skip
    return dict(finite(out))


def _difference(
    ours: NDArray[Any], theirs: NDArray[Any], label: NDArray[Any], game: NDArray[Any], seed: int
) -> dict[str, Any]:
    _, index = np.unique(game, return_inverse=True)
    n = np.bincount(index).astype(np.float64)
    hits = np.bincount(index, weights=label.astype(np.float64))
    a = np.bincount(index, weights=row_log_loss(ours, label))
    b = np.bincount(index, weights=row_log_loss(theirs, label))
    draws = resample_weights(len(n), generator(seed), RESAMPLES).astype(np.float64)
    constants = entropy(draws @ hits / (draws @ n))
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = (draws @ (b - a)) / (draws @ n) / constants
    low, high = interval(gains)
    constant = float(entropy(hits.sum() / n.sum()))
    return {
        "n": len(label),
        "skill": 1 - a.sum() / n.sum() / constant,
        "other_skill": 1 - b.sum() / n.sum() / constant,
        "gain": float((b - a).sum() / n.sum() / constant),
        "gain_low": low,
        "gain_high": high,
        "auc": auc(ours, label),
        "other_auc": auc(theirs, label),
    }


def ablation_table(beside: dict[str, Any]) -> Table:
    """Skill by class of each step of the posterior, threat decisions."""
    steps = [name for name in (*STEPS, "posterior") if name in beside]
    rows = []
    for name in ("all", *CLASSES):
        cells = [beside[s]["tile"].get(name) for s in steps]
        if all(cells):
            rows.append([name, f"{cells[0]['n']:,}", *(f"{c['other_skill']:.1%}" for c in cells)])
    heads = ["opponent", "n", *(s.partition(":")[2] or "whole" for s in steps)]
    return "Skill step by step, tile-opponent rows, threat decisions", heads, rows


def paired_tables(results: dict[str, Any], other: str) -> list[Table]:
    """The tables of ``paired`` for a person."""
    out = []
    for table, title in (
        ("tile", "Tile-opponent rows, threat decisions"),
        ("tenpai", "Tenpai rows, all decisions"),
    ):
        rows = [
            [
                name, f"{c['n']:,}", f"{c['skill']:.1%}", f"{c['other_skill']:.1%}",
                f"{c['gain']:+.1%} [{c['gain_low']:+.1%}, {c['gain_high']:+.1%}]",
                *("-" if c[of] is None else f"{c[of]:.3f}" for of in ("auc", "other_auc")),
            ]
            for name, c in results[table].items()
        ]  # fmt: skip
        heads = ["opponent", "n", "skill", f"{other}", "difference (95%)", "AUC", f"{other}"]
        out.append((f"{title}, beside {other}", heads, rows))
    return out
