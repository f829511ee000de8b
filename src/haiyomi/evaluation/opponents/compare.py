"""Two models on the same rows: the difference of skill and AUC by class, bootstrapped by game."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.models import STEPS
from haiyomi.evaluation.metrics import (
    auc,
    entropy,
    finite,
    interval,
    resample_weights,
    row_log_loss,
)
from haiyomi.evaluation.opponents.dealin_rows import DealinRows
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.seeds import generator

RESAMPLES = 1000
KEYS = ("game", "hand", "decision", "seat", "opponent")


def paired(ours: DealinRows, theirs: DealinRows, seed: int) -> dict[str, Any]:
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
                out[table][name] = difference(
                    a["probability"][mask], b["probability"][mask], a["label"][mask],
                    a["game"][mask], seed,
                )  # fmt: skip
    return dict(finite(out))


def difference(
    ours: NDArray[Any], theirs: NDArray[Any], label: NDArray[Any], game: NDArray[Any], seed: int
) -> dict[str, Any]:
    """Both skills and AUCs on the same rows, and the gain of skill with its interval by game."""
    _, index = np.unique(game, return_inverse=True)
    n = np.bincount(index).astype(np.float64)
    hits = np.bincount(index, weights=label.astype(np.float64))
    a = np.bincount(index, weights=row_log_loss(ours, label))
    b = np.bincount(index, weights=row_log_loss(theirs, label))
    draws = resample_weights(len(n), generator(seed), RESAMPLES).astype(np.float64)
    constants = entropy(draws @ hits / (draws @ n))
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = (draws @ (b - a)) / (draws @ n) / constants
    low, high = interval(gains, len(n))
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


def ablation_report(beside: dict[str, Any], scope: Scope) -> Report:
    """Skill by class of each step of the posterior, threat decisions."""
    steps = [name for name in (*STEPS, "posterior") if name in beside]
    rows = []
    for name in ("all", *CLASSES):
        cells = [beside[s]["tile"].get(name) for s in steps]
        if all(cells):
            skills = (Figure(c["other_skill"], ".1%") for c in cells)
            rows.append((name, cells[0]["n"], *skills))
    columns = ("opponent", "n", *(s.partition(":")[2] or "whole" for s in steps))
    title = "Skill step by step, tile-opponent rows, threat decisions"
    return Report(title, columns, tuple(rows), scope)


def paired_reports(results: dict[str, Any], other: str, scope: Scope) -> list[Report]:
    """The tables of ``paired``."""
    out = []
    for table, title in (
        ("tile", "Tile-opponent rows, threat decisions"),
        ("tenpai", "Tenpai rows, all decisions"),
    ):
        rows = tuple(
            (
                name, c["n"], Figure(c["skill"], ".1%"), Figure(c["other_skill"], ".1%"),
                Figure(c["gain"], "+.1%", c["gain_low"], c["gain_high"]),
                Figure(c["auc"], ".3f"), Figure(c["other_auc"], ".3f"),
            )
            for name, c in results[table].items()
        )  # fmt: skip
        columns = ("opponent", "n", "skill", other, "difference", "AUC", other)
        out.append(Report(f"{title}, beside {other}", columns, rows, scope))
    return out
