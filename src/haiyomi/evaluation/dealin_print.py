"""Tables for a person, made from the results JSON of a deal-in evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from haiyomi.evaluation.dealin_tables import REFERENCE, TENPAI_REFERENCE

Table = tuple[str, list[str], list[list[str]]]
"""(title, column heads, rows of cells); the first column is text, the others numbers."""


def _number(value: float | None, spec: str) -> str:
    return "-" if value is None else format(value, spec)


def _estimate(e: dict[str, float | None], spec: str = ".3f") -> str:
    low, high = _number(e["low"], spec), _number(e["high"], spec)
    return f"{_number(e['value'], spec)} [{low}, {high}]"


def _reached(e: dict[str, float | None], bar: float) -> bool:
    """Whether the interval contains the bar or lies above it."""
    return e["high"] is not None and e["high"] >= bar


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """The tables of ``results_json``, in reading order.

    The reference program's figures stand only beside the records they were measured on.
    """
    test = results.get("split") == "test"
    for label, scores in results["tile"].items():
        rows = []
        for name, s in scores.items():
            row = [
                name, f"{s['n']:,}", f"{s['rate']:.4f}", f"{s['constant']:.4f}",
                f"{s['log_loss']['value']:.5f}", _estimate(s["skill"], ".1%"), _estimate(s["auc"]),
                _number(s["ece"], ".4f"),
            ]  # fmt: skip
            if test and label == "threat":
                bar_auc, bar_skill = REFERENCE[name]
                reached = _reached(s["auc"], bar_auc) and _reached(s["skill"], bar_skill)
                row.append(f"{bar_auc:.3f} / {bar_skill:.1%} {'yes' if reached else 'NO'}")
            rows.append(row)
        heads = ["opponent", "n", "rate", "constant", "log loss", "skill", "AUC", "ECE"]
        if test and label == "threat":
            heads.append("reference, reached")
        yield f"Tile-opponent rows, {label} decisions", heads, rows
    for label, scores in results["tenpai"].items():
        rows = []
        for name, s in scores.items():
            bar = TENPAI_REFERENCE.get(name) if test else None
            rows.append(
                [
                    name, f"{s['n']:,}", f"{s['rate']:.4f}", f"{s['constant']:.4f}",
                    f"{s['log_loss']['value']:.4f}", _estimate(s["skill"], ".1%"),
                    _estimate(s["auc"]),
                    _number(s["ece"], ".4f"),
                ] + ([] if not test else ["" if bar is None else f"{bar:.3f}"])
            )  # fmt: skip
        heads = ["opponent", "n", "rate", "constant", "log loss", "skill", "AUC", "ECE"]
        if test:
            heads.append("reference AUC")
        yield f"Tenpai of opponents not in riichi, {label}", heads, rows
    yield from table2_tables(results["table2"])
    yield from table3_tables(results["table3"])


def table2_tables(table2: dict[str, Any]) -> Iterator[Table]:
    """Table 2 in its variants (a), (b), (c), as far as they are there."""
    titles = {
        "a": "Table 2 (a), tenth discards while an opponent threatens",
        "b": "Table 2 (b), the same over all games, cross-fitted by game",
        "c": "Table 2 (c), all threat decisions in equal-count bins",
    }
    for key, title in titles.items():
        if key not in table2:
            continue
        part = table2[key]
        rows = [
            [
                f"{b['low']:.2%} - {b['high']:.2%}", f"{b['n']:,}", str(b["deal_ins"]),
                f"{b['predicted']:.2%}", f"{b['observed']:.2%}",
                f"[{b['interval'][0]:.2%}, {b['interval'][1]:.2%}]",
                "yes" if b["within"] else "NO",
            ]
            for b in part["bins"]
            if b["n"]
        ]  # fmt: skip
        share = part.get("share_to_8_percent")
        more = "" if share is None else f", {share:.1%} of them up to 8%"
        heads = ["bin", "n", "deal-ins", "predicted", "observed", "95%", "within bar"]
        yield f"{title} ({part['nodes']:,} nodes{more})", heads, rows


def table3_tables(t: dict[str, Any]) -> Iterator[Table]:
    """Table 3 and, beside it, what deal-ins cost by class."""
    if not t.get("deal_ins"):
        return
    names = ["1 han", "2 han", "3 han", "4+ han"]
    rows = [
        [f"actual {names[i]}", *(f"{v:.3f}" for v in row), f"{sum(row):.3f}"]
        for i, row in enumerate(t["shares"])
    ]
    low, high = t["right_interval"]
    yield (
        f"Table 3: {t['deal_ins']:,} deal-ins, likeliest class right {t['right']:.1%} "
        f"[{low:.1%}, {high:.1%}], class mode {t['class_mode']:.1%}, "
        f"30 or 40 fu {t['fu_30_or_40']:.1%}",
        ["", *(f"predicted {n}" for n in names), "sum"],
        rows,
    )
    yield (
        "Deal-ins by class of the winner",
        ["opponent", "n", "right", "class mode", "mean paid", "mean predicted"],
        [
            [
                name, f"{c['n']:,}", f"{c['right']:.1%}", f"{c['mode']:.1%}",
                f"{c['mean_paid']:.0f}", f"{c['mean_predicted']:.0f}",
            ]
            for name, c in t["by_class"].items()
        ],
    )  # fmt: skip


def plain(table: Table) -> str:
    """A table as aligned plain text."""
    title, heads, rows = table
    widths = [max(len(r[i]) for r in [heads, *rows]) for i in range(len(heads))]
    lines = [title]
    for row in [heads, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown(table: Table) -> str:
    """A table as Markdown."""
    title, heads, rows = table
    lines = [f"**{title}**", "", "| " + " | ".join(heads) + " |"]
    lines.append("|---" + "|---:" * (len(heads) - 1) + "|")
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
