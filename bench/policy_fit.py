"""What a second process brings the policy's fit, by engine; each must make the same file.

    python -m bench.policy_fit [--steps 100] [--json OUT]

``haiyomi fit policy`` on games of the project's own players with the shipped network's size, in
one process and shared by two. A run of a few steps and its continuation are timed by the clock;
what they differ by is steps alone. Engines that are not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime

from bench.__main__ import machine

GAMES = {"train": 24, "valid": 4, "test": 1}
BATCH = 512
FEW = 10
COMMAND = ["-m", "haiyomi", "fit", "policy"]
TORCHRUN = ["-m", "torch.distributed.run", "--nproc-per-node", "2"]
ENGINES = {
    "one process": [*COMMAND],
    "two threads": [*COMMAND, "--threads", "2"],
    "two processes": [*COMMAND, "--spread", "--jobs", "2"],
    "ray": [*COMMAND, "--spread", "--engine", "ray", "--jobs", "2"],
    "torchrun": [*TORCHRUN, *COMMAND, "--engine", "torchrun"],
}
NEEDS = {"ray": "ray", "torchrun": "torch"}


def corpus(folder: pathlib.Path) -> pathlib.Path:
    """Records of the rule players, by a seed, in train, valid and test."""
    from haiyomi.logs.load import write
    from haiyomi.play.simulate import simulate_many

    games = simulate_many(1, range(sum(GAMES.values())))
    for split, n in GAMES.items():
        (folder / split).mkdir(parents=True)
        for i in range(n):
            (folder / split / f"{i}.mjlog").write_text(write(next(games), "mjlog"))
    return folder


def seconds(command: list[str]) -> float:
    """The clock's seconds that a command takes."""
    began = time.monotonic()
    subprocess.run([sys.executable, *command], check=True, capture_output=True)
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/fit.json"))
    given = parser.parse_args()
    rows = []
    files = set()
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        records = corpus(place / "corpus")
        out = place / "policy.json"
        shared = ["--corpus", str(records), "--out", str(out), "--rows", str(place / "rows")]
        seconds([*COMMAND, *shared, "--stop-at", "1"])  # the rows are made once
        for engine, command in ENGINES.items():
            if engine in NEEDS and importlib.util.find_spec(NEEDS[engine]) is None:
                print(f"{engine}: not installed")
                continue
            (place / "rows" / "policy.npz").unlink()
            few = seconds([*command, *shared, "--stop-at", str(FEW)])
            many = seconds([*command, *shared, "--stop-at", str(2 * FEW + given.steps)])
            files.add(out.read_bytes())
            rate = given.steps * BATCH / (many - few)
            start = round(few - FEW * BATCH / rate, 1)
            rows.append({"engine": engine, "decisions_a_second": round(rate), "start": start})
            print(rows[-1], flush=True)
    if len(files) != 1:
        sys.exit(f"{len(files)} different files were made")
    answer = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "records": f"{GAMES['train']} games of the project's own players",
        "steps": given.steps,
        "batch": BATCH,
        "rows": rows,
    }
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
