"""Writes ``scale.md``, ``reliability.md`` and the table of ``performance.md`` in docs/explanation.

    python docs/fill_scale.py

Rates and sizes are of ``bench/results/throughput.json`` (``python -m bench``) and ``size.json``
(``python -m bench.size``, also ``size-short.json``), ``policy-fit.json`` (``python -m
bench.policy_fit``) and ``memory.json`` (``python -m bench.memory``), faults of
``docs/results/faults.json`` (``docs/gather_faults.py``).
"""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

from speed_table import number, speed_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
MILLIONS = (1, 20)
STAGES = (
    ("parse and checked replay", "`haiyomi verify`"),
    ("dataset build, all labels", "`haiyomi dataset build`"),
    ("reading rows", "the rows of `haiyomi fit`"),
    ("evaluate dealin", "`haiyomi evaluate dealin`"),
    ("evaluate reading", "`haiyomi evaluate reading`"),
    ("review, four seats: pages", "`haiyomi review FOLDER -o DIR`"),
)


def read(path: str) -> dict[str, Any]:
    """One results file."""
    found: dict[str, Any] = json.loads((ROOT / path).read_text(encoding="utf-8"))
    return found


def scale_page(
    bench: dict[str, Any],
    sizes: dict[str, Any],
    short: dict[str, Any],
    fit: dict[str, Any],
    memory: dict[str, Any],
) -> str:
    """What millions of games cost."""
    kept = {row["task"]: row["bytes_a_game"] / 1e6 for row in memory["rows"]}
    rates = {row["task"]: row for row in bench["speeds"]}
    head = " | ".join(f"{m} M games: core-hours | disk" for m in MILLIONS)
    lines = [
        "# What millions of games cost",
        "",
        "Made by `docs/fill_scale.py` from measured rates of one core "
        f"({bench['machine']}, {bench['date']}, {bench['records']}); nothing here was run at that "
        "size but what the tables below say. A game of the test split has 9 hands on average, a "
        "hanchan 11.",
        "",
        f"| stage | command | games/s a core | {head} |",
        "|---|---|---:|" + "---:|---:|" * len(MILLIONS),
    ]
    for task, command in STAGES:
        row = rates[task]
        more = row["more"] or {}
        disk_a_game = more.get("bytes_a_game") or 4 * more.get("page_bytes", 0)
        cells = []
        for m in MILLIONS:
            hours = m * 1e6 / row["rate"] / 3600
            disk = f"{m * 1e6 * disk_a_game / 1e9:,.0f} GB" if disk_a_game else "none"
            cells.append(f"{number(hours)} | {disk}")
        lines.append(f"| {task} | {command} | {number(row['rate'])} | {' | '.join(cells)} |")
    lines += ["", "## Does it stay flat?", ""]
    for run in (sizes, short):
        lines += [
            f"{run['records']}, one process ({run['date']}).",
            "",
            "| games | games/s | peak memory | of it after the first 48 games | disk a game |",
            "|---:|---:|---:|---:|---:|",
        ]
        for row in run["rows"]:
            lines.append(
                f"| {row['games']:,} | {row['games_a_second']} | {row['peak_mb']} MB | "
                f"{row['warm_mb']} MB | {row['bytes_a_game']:,} bytes |"
            )
        lines.append("")
    plan = sizes["plan_bytes_a_game"]
    lines += [
        "Shards are written as they come, 48 games at a time. What grows with the games is the "
        f"plan, every record's name: {plan['memory']:,} bytes of memory a game in the one process "
        f"that hands out the work, and {plan['disk']} bytes in `plan.json` (measured with "
        f"{plan['games']:,} names). For 20 million games that is "
        f"{plan['memory'] * 20e6 / 1e9:,.0f} GB and {plan['disk'] * 20e6 / 1e9:,.1f} GB: from some "
        "ten million games on, split the corpus into several folders and build a dataset of each.",
        "",
        "**What stops scaling first are the evaluations**: they keep their rows, to draw games "
        f"anew for intervals, {kept['evaluate dealin']:.2f} MB a game of deal-in risk and "
        f"{kept['evaluate reading']:.2f} MB of hidden hands (peaks of {memory['games'][0]} and "
        f"{memory['games'][1]} games, {memory['date']}; `python -m bench.memory`). A machine of "
        f"32 GB holds some {32e3 / kept['evaluate dealin']:,.0f} games of the first: an evaluation "
        "takes a sample (`--games`), and so does a fit, which loads its rows whole. A batch of "
        f"reviews keeps {1e3 * kept['review']:.1f} kB a game, names and places "
        f"({kept['review'] * 20e3:,.0f} GB for 20 million: split that folder, too); its "
        "`index.html` lists the first 10,000. Dataset build and counted styles keep nothing else "
        "of a game.",
    ]
    lines += [
        "",
        "## Many machines",
        "",
        "`--engine ray://HOST:PORT` hands the same shards to a Ray cluster (`pip install "
        "'haiyomi[ray]'` on each machine). Its machines must see the same folders, input and "
        "output. A worker or machine that is lost costs the shards under way, which run again; "
        "the result is that of one process, byte for byte (`tests/scale/test_ray.py`). Ray and "
        "torchrun hand pickled work from process to process without asking who is there: both are "
        "for a network that you trust.",
        "",
        "## The policy's fit by many processes",
        "",
        "`haiyomi fit policy` shares a step's batch among the processes of one machine "
        "(`--spread --jobs 2`), a Ray cluster (`--spread --engine ray`) or the processes that "
        "torchrun started (`pip install 'haiyomi[torch]'`; on Linux install torch's own build for "
        "processors first, 2.13.0+cpu: the other brings gigabytes of CUDA):",
        "",
        "```sh",
        "torchrun --nproc-per-node 2 --max-restarts 3 -m haiyomi fit policy --engine torchrun",
        "```",
        "",
        "Of torchrun's processes the first prints and writes, and all work; they talk by gloo. Of "
        "each batch the workers sum shares, at most four, that are gathered and added in one "
        "order, so that losses and weights are those of one process to the bit. "
        "DistributedDataParallel, which adds in an order that depends on the number of processes, "
        "comes to the same losses to the four digits that are printed "
        "(`tests/scale/test_torchrun.py`). A checkpoint is written every 1,000 steps, some two "
        "minutes of one process. A process that is lost ends the others; torchrun starts "
        "them anew as often as `--max-restarts` says, or you run the command again, and the fit "
        "goes on from its checkpoint to the same file; so it is with a torchrun on each of several "
        "machines (`--nnodes 2 --rdzv-backend c10d --rdzv-endpoint HOST:PORT`) that see the same "
        "folders. torchrun starts anew whatever ends with another status than 0, a wrong call or "
        "left-out records too. A round waits for its slowest rank. `--engine torchrun` goes for "
        "the other commands that take `--engine`, too.",
        "",
        f"Steps of {fit['batch']} decisions with the shipped network on {fit['machine']} "
        f"({fit['records']}, {fit['steps']} steps by the clock, {fit['date']}; "
        "`python -m bench.policy_fit`). All made the same file.",
        "",
        "| by | decisions/s | of one process | start |",
        "|---|---:|---:|---:|",
    ]
    one = fit["rows"][0]["decisions_a_second"]
    for row in fit["rows"]:
        rate = row["decisions_a_second"]
        lines.append(f"| {row['engine']} | {rate:,} | {rate / one:.2f} | {row['start']} s |")
    lines += [
        "",
        "A step sends each share the weights and brings back slopes of the same size, 2.3 MB of "
        "the shipped network's: little beside a step's tenth of a second on one machine, much on "
        "a slow network.",
    ]
    return "\n".join(lines) + "\n"


WHAT = {"fuzz": "mutated input", "kernels": "the core's calls", "kills": "kills"}


def reliability_page(faults: dict[str, Any]) -> str:
    """What was tried against it, and what came of it."""
    dates = ", ".join(f"{WHAT[name]} {date}" for name, date in faults["dates"].items())
    lines = [
        "# Faults and hostile input",
        "",
        f"Made by `docs/fill_scale.py` from the runs' own counts ({dates}). A finding is "
        "a crash, a hang (2 s of the processor), more than 1 GB, or an exception that is no "
        "HaiyomiError (of the core: no TypeError or ValueError); each has a named test since.",
        "",
        "| what | tried | findings |",
        "|---|---:|---:|",
    ]
    total = 0
    for name, told in faults["fuzz"].items():
        total += told["inputs"]
        lines.append(f"| mutated input: {name} | {told['inputs']:,} inputs | {told['findings']} |")
    lines.append(f"| all readers and the stand-in together | {total:,} inputs | |")
    for run in faults["kernels"]:
        lines.append(
            f"| random calls of all {run['functions']} functions and methods of the core, "
            f"{run['how']} ({run['refused']:,} refused; `{run['least_called']}`, which is called "
            f"least, {run['least']:,} times) | {run['calls']:,} | {run['findings']} |"
        )
    lines += ["", "| fault | injected | compared | losses |", "|---|---:|---:|---:|"]
    for kill in faults["kills"]:
        lines.append(
            f"| kill -9 of the process group, {kill['work']} | {kill['kills']} | "
            f"{kill['rounds']} finished folders | {kill['losses']} |"
        )
    for fault in faults["tests"]:
        cases = "1 test" if fault["tests"] == 1 else f"{fault['tests']} tests"
        files = ", ".join(f"`{file}`" for file in fault["files"])
        lines.append(f"| {fault['fault']} | {cases} | {files} | none |")
    lines += ["", "## Findings", ""]
    lines += [f"- {text}" for text in faults["found"]]
    lines += ["", "## Not reached", ""]
    lines += [f"- {text}" for text in faults["short"]]
    return "\n".join(lines) + "\n"


def put(text: str, name: str, body: str) -> str:
    """A text with the block between two marks made anew."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    made, count = pattern.subn(lambda m: m[1] + body + m[2], text)
    if count != 1:
        raise SystemExit(f"no place for {name}")
    return made


def main() -> None:
    """Write all three pages."""
    bench = read("bench/results/throughput.json")
    sizes, short = read("bench/results/size.json"), read("bench/results/size-short.json")
    fit = read("bench/results/policy-fit.json")
    memory = read("bench/results/memory.json")
    docs = ROOT / "docs" / "explanation"
    (docs / "scale.md").write_text(scale_page(bench, sizes, short, fit, memory), encoding="utf-8")
    faults = reliability_page(read("docs/results/faults.json"))
    (docs / "reliability.md").write_text(faults, encoding="utf-8")
    page = docs / "performance.md"
    page.write_text(
        put(page.read_text(encoding="utf-8"), "speeds", speed_table(bench)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
