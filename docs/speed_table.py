"""The table of speeds of the performance page, from bench/results/throughput.json."""

from __future__ import annotations

from typing import Any


def number(value: float) -> str:
    """Three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}" if value >= 1 else f"{value:.2f}"


def speed_table(bench: dict[str, Any]) -> str:
    """The rates, and the ratios to the programs timed beside them."""
    lines = [
        f"Units a second of processor time, one core of {bench['machine']}, {bench['date']}; "
        f"records: {bench['records']}. The other program did the same work on the same games in "
        "the same run.",
        "",
        "| stage | haiyomi | other program | ratio |",
        "|---|---:|---:|---:|",
    ]
    for row in bench["speeds"]:
        other = ratio = ""
        if row["yardstick_rate"] is not None:
            other = f"{row['yardstick']}: {number(row['yardstick_rate'])}"
            ratio = f"{row['ratio']:.1f}"
        lines.append(f"| {row['task']} | {number(row['rate'])} {row['unit']} | {other} | {ratio} |")
    reviews = [row for row in bench["speeds"] if "within_two_seconds" in (row["more"] or {})]
    if reviews:
        about = reviews[0]["more"]
        lines += [
            "",
            f"Seconds to review all four seats of a game ({about['games']} games, "
            f"{about['hands']} hands a game on average):",
            "",
            "| output | mean | longest | games within 2 s |",
            "|---|---:|---:|---:|",
        ]
        for row in reviews:
            more = row["more"]
            lines.append(
                f"| {row['task'].partition(': ')[2]} | {more['seconds']} | {more['longest']} | "
                f"{more['within_two_seconds']:.0%} |"
            )
    return "\n".join(lines) + "\n"
