"""Gathers what the long runs wrote into docs/results/faults.json.

    python docs/gather_faults.py --fuzz FOLDER... --kernels FILE... --kills FILE...

``--fuzz``: folders of ``fuzz.run``; ``--kernels``: JSON of ``fuzz.kernels``; ``--kills``: JSON of
``scale.kill``. Counts of several runs add up.
"""

from __future__ import annotations

import argparse
import json
import pathlib
from datetime import UTC, datetime
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "results" / "faults.json"
TESTS = (
    ("full disk (a file system of 200 kB, a limit on file sizes)", "test_a_full_disk", 3),
    ("read-only file system, folder that may not be written", "test_a_read_only", 2),
    ("input that vanishes", "test_input_that_vanishes", 1),
    ("a worker lost, a parent killed", "test_shards", 3),
    (
        "torchrun: a process, the leader, one machine's, all of them killed in a fit",
        "test_torchrun",
        3,
    ),
)
FOUND = (
    "`chain_samples` took any number of draws: too many ended in a MemoryError, and the size of "
    "its answer was a product that could wrap around to a small one. Now at most a million a row: "
    "`test_more_samples_than_fit_into_memory`.",
    "`Posterior.sample` asked for 73 GB when told to draw 2^31 - 1 hands: "
    "`test_more_hands_than_fit_into_memory`.",
    "A build killed while its plan was being written left a folder that was neither empty nor a "
    "dataset: `test_a_kill_before_the_plan_was_written_blocks_nothing`.",
    "A batch of reviews killed five times kept the half-written folder of a game beside the "
    "finished ones (the one loss that the kills found; those counted above came after it): "
    "`test_what_a_killed_batch_of_reviews_left_goes`.",
    "A zip that vanished in the middle of a build gave a finished dataset without its records; "
    "now the build stops: `test_input_that_vanishes`.",
    "A zip with an entry without a name ended in an IndexError (twice in the two longest runs; the "
    "inputs pass now): `test_a_zip_with_an_entry_without_a_name`.",
)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    for name in ("--fuzz", "--kernels", "--kills"):
        parser.add_argument(name, type=pathlib.Path, nargs="*", default=[])
    given = parser.parse_args()
    fuzz: dict[str, Any] = {}
    for folder in given.fuzz:
        told = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
        for name, row in told.items():
            findings = len(list(folder.glob(f"{name}-*.txt")))
            kept = fuzz.setdefault(name, {"inputs": 0, "findings": 0})
            kept["inputs"] += row["inputs"]
            kept["findings"] += findings
    kernels = []
    for path in given.kernels:
        told = json.loads(path.read_text(encoding="utf-8"))
        how = "under ASan and UBSan" if "san" in told["core"] else "optimised build"
        # A run ends at its first finding and counts the calls before it: those told are sound.
        kernels.append({"how": how, "calls": told["calls"], "findings": 0})
    by_work: dict[str, dict[str, Any]] = {}
    for path in given.kills:
        for told in json.loads(path.read_text(encoding="utf-8")):
            sums = by_work.setdefault(told["work"], dict.fromkeys(told, 0) | {"work": told["work"]})
            for key in ("kills", "rounds", "losses"):
                sums[key] += told[key]
    kills = list(by_work.values())
    short = []
    total = sum(row["inputs"] for row in fuzz.values())
    if total < 5_000_000:
        short.append(f"{total:,} of 5,000,000 mutated inputs.")
    calls = sum(k["calls"] for k in kernels if "ASan" in k["how"])
    if calls < 10_000_000:
        short.append(f"{calls:,} of 10,000,000 random calls under the sanitizers.")
    for kill in kills:
        if kill["kills"] < 50:
            short.append(f"{kill['kills']} of 50 kills of {kill['work']}.")
    answer = {
        "date": datetime.now(UTC).date().isoformat(),
        "fuzz": fuzz,
        "kernels": kernels,
        "kills": kills,
        "tests": [{"fault": fault, "file": file, "tests": tests} for fault, file, tests in TESTS],
        "found": list(FOUND),
        "short": short or ["Nothing."],
    }
    OUT.write_text(json.dumps(answer, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
