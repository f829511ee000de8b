"""All speeds in one run, as ratios to programs timed beside them.

    pip install -e '.[dev,bench]' && python -m bench [--json OUT] [--against STORED]

Prints a table, writes it as JSON, and compares with the last one stored in bench/results if that
was of the same records.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from haiyomi.engines.threads import hold_to_one_thread

hold_to_one_thread()
STORED = pathlib.Path(__file__).resolve().parent / "results" / "throughput.json"


def machine() -> str:
    """The class of this machine: its processor and how many there are."""
    name = platform.processor() or platform.machine()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(x.partition(":")[2].strip() for x in lines if x.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{name}, {os.cpu_count()} processors"


def main() -> None:
    from bench.throughput import measure, peak_mb, records

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/all.json"))
    parser.add_argument("--against", type=pathlib.Path, default=STORED)
    given = parser.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    speeds, what = measure(), records(1)[1]
    before: dict[str, Any] = {}
    if given.against.is_file():
        stored = json.loads(given.against.read_text(encoding="utf-8"))
        if stored["records"] == what:
            before = {row["task"]: row for row in stored["speeds"]}
    print(f"records: {what}")
    print(f"{'task':28} {'rate':>12} {'':9} {'yardstick':>12} {'ratio':>7} {'stored':>7}")
    rows = []
    for speed in speeds:
        row = asdict(speed) | {"ratio": speed.ratio}
        rows.append(row)
        other = "" if speed.yardstick_rate is None else f"{speed.yardstick_rate:,.1f}"
        ratio = "" if speed.ratio is None else f"{speed.ratio:.2f}"
        old = before.get(speed.task)
        change = "" if old is None else f"{speed.rate / old['rate']:.2f}x"
        print(
            f"{speed.task:28} {speed.rate:>12,.1f} {speed.unit:9} {other:>12} {ratio:>7} "
            f"{change:>7}",
            flush=True,
        )
    answer = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "python": platform.python_version(),
        "threads": 1,
        "clock": "processor time of one thread",
        "load_before": load,
        "records": what,
        "peak_mb": round(peak_mb()),
        "speeds": rows,
    }
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
