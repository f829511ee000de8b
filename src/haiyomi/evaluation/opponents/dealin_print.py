"""The tables of a deal-in evaluation, made from its results JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from haiyomi.evaluation.report import Figure, Report, Scope

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
