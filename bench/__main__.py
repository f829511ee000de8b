"""All speeds in one run, as ratios to programs timed beside them.

    pip install -e '.[dev,bench]' && python -m bench [--json OUT] [--against STORED]

Prints a table, writes it as JSON, and compares with the last one stored in bench/results if that
was of the same records. Then single calls (``bench.single``), and starts, memory and engines
(``bench.start``), which are written beside it.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
from dataclasses import asdict
from typing import Any

from bench.machine import protocol, store
from haiyomi.engines.garbage import collect_seldom
from haiyomi.engines.threads import hold_to_one_thread

# As the commands do.
hold_to_one_thread()
collect_seldom()
STORED = pathlib.Path(__file__).resolve().parent / "results" / "throughput.json"


def main() -> None:
    from bench.throughput import measure, peak_mb, records

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/all.json"))
    parser.add_argument("--against", type=pathlib.Path, default=STORED)
    given = parser.parse_args()
    before_all = protocol()
    speeds, what = measure(), records(1)[1]
    before: dict[str, Any] = {}
    if given.against.is_file():
        stored = json.loads(given.against.read_text(encoding="utf-8"))
        if stored["records"] == what:
            before = {row["task"]: row for row in stored["speeds"]}
    print(f"records: {what}")
    print(f"{'task':28} {'rate':>12} {'':9} {'rival':>12} {'ratio':>7} {'stored':>7}")
    rows = []
    for speed in speeds:
        row = asdict(speed) | {"ratio": speed.ratio}
        rows.append(row)
        other = "" if speed.rival_rate is None else f"{speed.rival_rate:,.1f}"
        ratio = "" if speed.ratio is None else f"{speed.ratio:.2f}"
        old = before.get(speed.task)
        change = "" if old is None else f"{speed.rate / old['rate']:.2f}x"
        print(
            f"{speed.task:28} {speed.rate:>12,.1f} {speed.unit:9} {other:>12} {ratio:>7} "
            f"{change:>7}",
            flush=True,
        )
    answer = before_all | {
        "threads": 1,
        "clock": "processor time of one thread",
        "records": what,
        "peak_mb": round(peak_mb()),
        "speeds": rows,
    }
    store(given.json, answer)
    for part in ("single", "start"):
        print(flush=True)
        place = given.json.with_name(f"{part}.json")
        command = [sys.executable, "-m", f"bench.{part}", "--json", str(place)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
