"""What a game more costs an evaluation in memory: peaks of few and of many games.

    python -m bench.memory [--few 96] [--many 240] [--json OUT]

Each is a command of its own, in one process, on records of the corpus (else samples of the tests
over and over); its memory a game is the difference of the peaks by that of the games. Of a batch
of reviews, which keeps names alone, it is that of thousands of games whose pages are not made but
written as empty files. Dataset build is measured by ``bench.size``.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from bench.machine import protocol, store
from bench.size import repeated
from bench.throughput import records

STAGES = {
    "evaluate dealin": [
        "evaluate", "dealin", "RECORDS", "--model", "kurita-hoki", "--jobs", "1",
    ],
    "evaluate reading": ["evaluate", "reading", "RECORDS", "--jobs", "1"],
}  # fmt: skip


BATCH = """
import pathlib, sys
from haiyomi.apps import batch_review as batch
from haiyomi.review.stats import Tally
from haiyomi.review.stats_out import tally_json
from haiyomi.storage.seal import write_seal

def written(work):
    folder = pathlib.Path(work.folder)
    folder.mkdir()
    pages = [f"seat{seat}.html" for seat in range(4)]
    for page in pages:
        (folder / page).touch()
    facts = {"record": work.entry, "names": ["a player's name"] * 4, "skipped": None,
            "totals": {page: {"seat": 0} | tally_json(Tally()) for page in pages}}
    write_seal(folder / batch.SEAL, [folder / page for page in pages], facts)

batch.review_record = written
batch.review_all(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), batch.ReviewOptions(), 1)
"""
"""All that a batch of reviews does but the pages themselves."""
BATCHES = (10, 60)
"""So many games for each of the others' in a batch."""


def peak_of(command: list[str]) -> int:
    """The most bytes that a command held, or ``-c`` with a program."""
    run = command if command[0] == "-c" else ["-m", "haiyomi", *command]
    process = subprocess.Popen(
        [sys.executable, *run],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"haiyomi {' '.join(command)}: exit status {process.returncode}")
    return used.ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--few", type=int, default=96)
    parser.add_argument("--many", type=int, default=240)
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/memory.json"))
    given = parser.parse_args()
    before = protocol()
    facts, what = records(given.many)
    rows = []
    for stage, command in STAGES.items():
        peaks = []
        for games in (given.few, given.many):
            with tempfile.TemporaryDirectory() as folder:
                place = pathlib.Path(folder)
                repeated(place / "games.zip", games, facts)
                source = str(place / "games.zip")
                peaks.append(peak_of([source if word == "RECORDS" else word for word in command]))
        a_game = max(0, peaks[1] - peaks[0]) // (given.many - given.few)
        rows.append({"task": stage, "peak_mb": round(peaks[1] / 1e6), "bytes_a_game": a_game})
        print(rows[-1], flush=True)
    peaks = []
    sizes = [given.few * BATCHES[0], given.many * BATCHES[1]]
    for games in sizes:
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            repeated(place / "games.zip", games, facts)
            peaks.append(peak_of(["-c", BATCH, str(place / "games.zip"), str(place / "out")]))
    a_game = (peaks[1] - peaks[0]) // (sizes[1] - sizes[0])
    row = {"task": "review", "peak_mb": round(peaks[1] / 1e6), "bytes_a_game": a_game}
    rows.append(row | {"games": sizes})
    print(rows[-1], flush=True)
    answer = before | {
        "records": what,
        "games": [given.few, given.many],
        "rows": rows,
    }
    store(given.json, answer)


if __name__ == "__main__":
    main()
