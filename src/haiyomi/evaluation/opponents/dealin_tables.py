"""Rows of a deal-in model's answers become results JSON, and that becomes printed tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Ints
from haiyomi.evaluation.metrics import rate_interval, score_json
from haiyomi.evaluation.opponents.dealin_rows import DealinRows
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.reading.opponent_class import CLASSES
from haiyomi.seeds import generator

Columns = dict[str, NDArray[Any]]


def _score(columns: Columns, mask: Bools, seed: int) -> dict[str, Any] | None:
    p, label, game = (columns[name][mask] for name in ("probability", "label", "game"))
    return score_json(p, label, game, generator(seed))


def tile_tables(rows: DealinRows, seed: int) -> dict[str, object]:
    """Tile-opponent scores by class of opponent, threat decisions apart."""
    columns = rows.tables["tile"]
    out: dict[str, object] = {}
    for label, chosen in (("threat", columns["threat"]), ("no threat", ~columns["threat"])):
        table = {"all": _score(columns, chosen, seed)}
        for i, name in enumerate(CLASSES):
            table[name] = _score(columns, chosen & (columns["cls"] == i), seed)
        out[label] = {name: score for name, score in table.items() if score is not None}
    return out


def tenpai_tables(rows: DealinRows, seed: int) -> dict[str, object]:
    """Tenpai scores by class, threat decisions apart."""
    columns = rows.tables["tenpai"]
    every = np.ones(len(columns["cls"]), dtype=bool)
    out: dict[str, object] = {}
    for label, chosen in (("all decisions", every), ("threat", columns["threat"])):
        table = {"all": _score(columns, chosen, seed)}
        for i, name in enumerate(CLASSES):
            if i:
                table[name] = _score(columns, chosen & (columns["cls"] == i), seed)
        table["open"] = _score(columns, chosen & (columns["cls"] < 4), seed)
        out[label] = {name: score for name, score in table.items() if score is not None}
    return out


def calibration_bin(
    p: NDArray[Any], label: NDArray[Any], low: float, high: float
) -> dict[str, object]:
    """One row of Table 2: predicted and observed; ``within``: they differ by at most one point or
    1.96 standard errors."""
    n, hits = len(p), int(label.sum())
    if n == 0:
        return {"low": low, "high": high, "n": 0}
    observed, predicted = hits / n, float(p.mean())
    allowed = max(0.01, 1.96 * float(np.sqrt(observed * (1 - observed) / n)))
    return {
        "low": low,
        "high": high,
        "n": n,
        "deal_ins": hits,
        "predicted": predicted,
        "observed": observed,
        "interval": list(rate_interval(hits, n)),
        "allowed": allowed,
        "within": bool(abs(observed - predicted) <= allowed),
    }


def table2_percent(columns: Columns) -> dict[str, object]:
    """The paper's Table 2: tenth discards of a player while some opponent is in riichi or has
    an open meld, in one-percent bins of the summed prediction up to 8%.
    """
    mask = columns["threat"] & (columns["own"] == 10)
    p, label = columns["probability"][mask], columns["label"][mask]
    bins = []
    for percent in range(8):
        low, high = percent / 100, (percent + 1) / 100
        inside = (p >= low) & (p < high) if percent else p < high
        bins.append(calibration_bin(p[inside], label[inside], low, high))
    return {
        "nodes": len(p),
        "share_to_8_percent": float((p < 0.08).mean()) if len(p) else None,
        "bins": bins,
    }


def table2_equal(columns: Columns, bins: int = 20) -> dict[str, object]:
    """(c): all threat decisions, not forced, in equal-count bins of the summed prediction."""
    mask = columns["threat"] & ~columns["forced"]
    p, label = columns["probability"][mask], columns["label"][mask]
    order = np.argsort(p, kind="stable")
    out = []
    for part in np.array_split(order, bins):
        if len(part):
            q = p[part]
            out.append(calibration_bin(q, label[part], float(q.min()), float(q.max())))
    return {"nodes": len(p), "bins": out}


def _class_shares(classes: Ints) -> list[float]:
    """The shares of 1, 2, 3 and 4 han and more."""
    shares: list[float] = (np.bincount(classes, minlength=5)[1:5] / max(len(classes), 1)).tolist()
    return shares


def table3(columns: Columns, base_han: bool = False) -> dict[str, object]:
    """The paper's Table 3: likeliest han class given this ron, against the han it had.

    ``base_han``: without the han of ura dora, ippatsu and red fives, over the rons whose yaku the
    record names.
    """
    if base_han:
        known = columns["bonus"] >= 0
        columns = {name: values[known] for name, values in columns.items()}
    han = columns["han"].astype(np.int64)
    bonus = np.where(columns["fu"] == 0, 0, columns["bonus"]) if base_han else 0
    actual = np.clip(han - bonus, 1, 4)
    predicted = columns["predicted_class"].astype(np.int64)
    n = len(actual)
    shares = np.zeros((4, 4))
    np.add.at(shares, (actual - 1, predicted - 1), 1.0)
    limit = columns["fu"] == 0
    common = np.isin(columns["fu"], (30, 40))
    paid, mean = columns["points"].astype(np.float64), columns["mean_points"].astype(np.float64)
    if n == 0:
        return {"deal_ins": 0}
    right = int((actual == predicted).sum())
    by_class = {}
    for i, name in enumerate(CLASSES):
        mask = columns["cls"] == i
        if mask.any():
            by_class[name] = {
                "n": int(mask.sum()),
                "actual": _class_shares(actual[mask]),
                "predicted": _class_shares(predicted[mask]),
                "right": float((actual[mask] == predicted[mask]).mean()),
                "mode": float(np.bincount(actual[mask], minlength=5).max() / mask.sum()),
                "mean_paid": float(paid[mask].mean()),
                "mean_predicted": float(mean[mask].mean()),
            }
    return {
        "deal_ins": n,
        "shares": (shares / n).tolist(),
        "right": right / n,
        "right_interval": list(rate_interval(right, n)),
        "class_mode": float(np.bincount(actual, minlength=5).max() / n),
        "fu_30_or_40": float(common.sum() / max(int((~limit).sum()), 1)),
        "by_class": by_class,
    }


_SCORES = ("opponent", "n", "rate", "constant", "log loss", "skill", "AUC", "ECE")


def reports(results: dict[str, Any]) -> Iterator[Report]:
    """The tables of ``results_json``, in reading order."""
    scope = Scope.of(results)
    for label, scores in results["tile"].items():
        yield _scores(f"Tile-opponent rows, {label} decisions", scores, ".5f", scope)
    for label, scores in results["tenpai"].items():
        yield _scores(f"Tenpai of opponents not in riichi, {label}", scores, ".4f", scope)
    yield from table2_reports(results["table2"])
    yield from table3_reports(results["table3"])


def _scores(title: str, scores: Mapping[str, Any], loss: str, scope: Scope) -> Report:
    rows = (
        (
            name, s["n"], Figure(s["rate"], ".4f"), Figure(s["constant"], ".4f"),
            Figure(s["log_loss"]["value"], loss), Figure.of(s["skill"], ".1%"),
            Figure.of(s["auc"], ".3f"), Figure(s["ece"], ".4f"),
        )
        for name, s in scores.items()
    )  # fmt: skip
    return Report(title, _SCORES, tuple(rows), scope)


def table2_reports(table2: dict[str, Any]) -> Iterator[Report]:
    """Table 2 in its variants (a), (b), (c), as far as they are there."""
    titles = {
        "a": "Table 2 (a), tenth discards while an opponent threatens",
        "b": "Table 2 (b), the same, cross-fitted by game",
        "c": "Table 2 (c), all threat decisions in equal-count bins",
    }
    for key, title in titles.items():
        if key not in table2:
            continue
        part = table2[key]
        rows = tuple(
            (
                f"{b['low']:.2%} - {b['high']:.2%}", b["n"], b["deal_ins"],
                Figure(b["predicted"], ".2%"), Figure(b["observed"], ".2%", *b["interval"]),
            )
            for b in part["bins"]
            if b["n"]
        )  # fmt: skip
        share = part.get("share_to_8_percent")
        more = "" if share is None else f", {share:.1%} of them up to 8%"
        columns = ("bin", "n", "deal-ins", "predicted", "observed")
        scope = Scope(interval="95% (Wilson)")
        yield Report(f"{title}: {part['nodes']:,} nodes{more}", columns, rows, scope)


def table3_reports(t: dict[str, Any]) -> Iterator[Report]:
    """Table 3 and, beside it, what deal-ins cost by class."""
    if not t.get("deal_ins"):
        return
    names = ("1 han", "2 han", "3 han", "4+ han")
    low, high = t["right_interval"]
    yield Report(
        f"Table 3: {t['deal_ins']:,} deal-ins, likeliest class right {t['right']:.1%} "
        f"[{low:.1%}, {high:.1%}], class mode {t['class_mode']:.1%}, "
        f"30 or 40 fu {t['fu_30_or_40']:.1%}",
        ("", *(f"predicted {name}" for name in names), "sum"),
        tuple(
            (f"actual {names[i]}", *(Figure(v, ".3f") for v in row), Figure(sum(row), ".3f"))
            for i, row in enumerate(t["shares"])
        ),
    )
    yield Report(
        "Deal-ins by class of the winner",
        ("opponent", "n", "right", "class mode", "mean paid, points", "mean predicted"),
        tuple(
            (
                name, c["n"], Figure(c["right"], ".1%"), Figure(c["mode"], ".1%"),
                Figure(c["mean_paid"], ".0f"), Figure(c["mean_predicted"], ".0f"),
            )
            for name, c in t["by_class"].items()
        ),
    )  # fmt: skip
