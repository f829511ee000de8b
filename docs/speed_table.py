"""The tables of the performance page, from throughput.json, single.json, dealin-rival.json and
start.json of bench/results."""

from __future__ import annotations

from typing import Any


def number(value: float) -> str:
    """Without decimals from 100 on, with one from 1 on, else with two."""
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
        if row["rival_rate"] is not None:
            other = f"{row['rival']}: {number(row['rival_rate'])}"
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


def calls_table(single: dict[str, Any]) -> str:
    """Single calls from Python beside other programs."""
    lines = [
        f"Microseconds of processor a call from Python, {single['machine']}, {single['date']}; "
        f"{single['hands']} hands drawn from a seed. *Cold*: the other hands are asked between two "
        "calls of one hand; median over the rounds. *Repeated*: one hand again and again; median "
        "over the hands. *Batch*: the same hands in one call, a hand. All programs gave the same "
        "answers.",
        "",
        "| one call | program | given | cold | repeated | batch |",
        "|---|---|---|---:|---:|---:|",
    ]
    for row in single["calls"]:
        batch = "" if row["batch"] is None else f"{row['batch']:.3f}"
        lines.append(
            f"| {row['task']} | {row['program']} | {row['given']} | {row['cold']:.2f} | "
            f"{row['repeated']:.2f} | {batch} |"
        )
    quicker = [
        f"{row['task']}, {row['given']} ({row['program']})"
        for row in single["calls"]
        if "haiyomi" not in row["program"] and row["cold"] < _best(single, row["task"])
    ]
    verdict = "; ".join(quicker) if quicker else "none"
    lines += ["", f"Calls in which another program of this table is the quickest: {verdict}."]
    return "\n".join(lines) + "\n"


def _best(single: dict[str, Any], task: str) -> float:
    mine = (r for r in single["calls"] if r["task"] == task and r["program"] == "haiyomi")
    return min(float(row["cold"]) for row in mine)


def rival_table(rival: dict[str, Any]) -> str:
    """The deal-in risks of one position beside akochan."""
    lines = [
        "The deal-in risks of one position against all three opponents, in milliseconds of "
        f"processor, {rival['machine']}, {rival['date']}, load {rival['load_before']}, beside "
        f"{rival['program']}: positions of the bundled record, by the most open melds of an "
        "opponent, asked one by one, the programs in turn. haiyomi is called from Python, akochan "
        "from C++. The models differ, so that the answers are not compared. The ratio is akochan's "
        "time over haiyomi's, median and range over the positions: below 1, akochan is quicker.",
        "",
        "| position | n | haiyomi | akochan | ratio |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in rival["lines"]:
        mine, theirs = row["cold"] / 1000, row["their_cold"] / 1000
        lines.append(
            f"| {row['positions']} | {row['n']} | {mine:.2f} | {number(theirs)} | "
            f"{number(row['ratio'])} ({number(row['least_ratio'])} to "
            f"{number(row['most_ratio'])}) |"
        )
    return "\n".join(lines) + "\n"


def starts_table(start: dict[str, Any]) -> str:
    """Fresh processes, and the same work on several engines."""
    lines = [
        f"Fresh processes, least of several runs, {start['machine']}, {start['date']}, load "
        f"{start['load_before']}:",
        "",
        "| process | processor, s | peak memory, MB |",
        "|---|---:|---:|",
        *(f"| {s['what']} | {s['cpu']:.3f} | {s['peak_mb']:.0f} |" for s in start["starts"]),
        "",
        f"The same work on several engines ({start['scaling'][0]['what']}), the start of the "
        "processes included. The clock depends on what else runs; a Ray cluster's processor time "
        "is not counted.",
        "",
        "| engine | by the clock, s | processor, s |",
        "|---|---:|---:|",
    ]
    for s in start["scaling"]:
        cpu = "" if s["engine"].startswith("Ray") else f"{s['cpu']:.1f}"
        lines.append(f"| {s['engine']} | {s['clock']:.1f} | {cpu} |")
    return "\n".join(lines) + "\n"
