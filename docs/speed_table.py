"""The table of speeds in README and the performance page: bench/results/throughput.json."""

from __future__ import annotations

from typing import Any


def number(value: float) -> str:
    """Three digits that mean something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}" if value >= 1 else f"{value:.2f}"


def speed_table(bench: dict[str, Any]) -> str:
    """The rates, and the ratios to the programs timed beside them."""
    lines = [
        f"One core of {bench['machine']}, {bench['date']}; {bench['records']}. Rates are of "
        "processor time; the yardsticks did the same games in the same run.",
        "",
        "| stage | haiyomi | yardstick | ratio | asked for | |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for row in bench["speeds"]:
        other = ratio = ""
        if row["yardstick_rate"] is not None:
            other = f"{row['yardstick']}: {number(row['yardstick_rate'])}"
            ratio = f"{row['ratio']:.1f}"
        bar = "" if row["bar"] is None else number(row["bar"])
        met = "" if row["bar"] is None else "met" if row["rate"] >= row["bar"] else "missed"
        lines.append(
            f"| {row['task']} | {number(row['rate'])} {row['unit']} | {other} | {ratio} | {bar} "
            f"| {met} |"
        )
    told = [
        f"{row['task'].partition(': ')[2]} {row['more']['seconds']} s, the longest "
        f"{row['more']['longest']} s, {row['more']['within_two_seconds']:.0%} within 2 s"
        for row in bench["speeds"]
        if "within_two_seconds" in (row["more"] or {})
    ]
    if told:
        about = next(row["more"] for row in bench["speeds"] if row["task"].startswith("review"))
        lines += [
            "",
            f"Reviews are the means of {about['games']} games of {about['hands']} hands, all four "
            f"seats: {'; '.join(told)}.",
        ]
    return "\n".join(lines) + "\n"
