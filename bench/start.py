"""What a fresh process costs: processor time and peak memory of imports and of short commands, and
of the same work on one process, two processes and Ray.

    python -m bench.start [--json OUT]

The record is one of the samples of the tests. A figure is the least of some runs, because another
program can only add to it. Bytecode is kept between the runs, as an installed package keeps it.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bench.machine import protocol, store
from bench.throughput import ROOT, records

RUNS = 5
POSITION = {
    "seat": "E",
    "indicators": "6s",
    "hand": "234m556799p34s66z",
    "drawn": "9s",
    "players": {
        "E": {"river": "1s"}, "S": {"river": "9s!"}, "W": {"river": "2z"}, "N": {"river": "9p"},
    },
}  # fmt: skip
GAMES = 24


@dataclass(frozen=True, slots=True)
class Start:
    """A fresh process: seconds of processor and by the clock, and peak MB."""

    what: str
    cpu: float
    clock: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Scaling:
    """The same work on an engine: seconds by the clock and of all processes' processor time."""

    what: str
    engine: str
    clock: float
    cpu: float


_RUN = """
import json, os, subprocess, sys, time
began = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
clock = time.perf_counter() - began
assert status == 0, status
print(json.dumps([used.ru_utime + used.ru_stime, clock, used.ru_maxrss / 1024]))
"""


def once(command: Sequence[str]) -> tuple[float, float, float]:
    """(processor seconds, seconds, peak MB) of a command."""
    # A small process starts it: what getrusage tells begins with what the parent held.
    line = [sys.executable, "-S", "-c", _RUN, *command]
    keeps = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    ran = subprocess.run(line, check=True, capture_output=True, text=True, env=keeps)
    cpu, clock, peak = json.loads(ran.stdout)
    return cpu, clock, peak


def starts() -> list[Start]:
    """Imports, and commands from a cold start."""
    sample = str(sorted((ROOT / "tests" / "samples").glob("*.mjlog"))[0])
    haiyomi = [sys.executable, "-m", "haiyomi"]
    with tempfile.TemporaryDirectory() as place:
        position = pathlib.Path(place) / "position.json"
        position.write_text(json.dumps(POSITION), encoding="utf-8")
        commands = {
            "Python itself": [sys.executable, "-c", ""],
            "import numpy": [sys.executable, "-c", "import numpy"],
            "import haiyomi": [sys.executable, "-c", "import haiyomi"],
            "`haiyomi --version`": [*haiyomi, "--version"],
            "`haiyomi win` of a 3-shanten hand": [*haiyomi, "win", "45m35p12244667s47z"],
            "`haiyomi risk` of one position": [*haiyomi, "risk", str(position)],
            "`haiyomi review --seat 0`, text": [*haiyomi, "review", sample, "--seat", "0"],
        }
        runs: dict[str, list[tuple[float, float, float]]] = {what: [] for what in commands}
        for _ in range(RUNS):
            for what, command in commands.items():
                runs[what].append(once(command))
    return [
        Start(what, *(min(run[i] for run in found) for i in range(3)))
        for what, found in runs.items()
    ]


_MAP = """
import sys
from haiyomi import Corpus
from bench.start import replayed
engine = {"one": 1, "two": 2}.get(sys.argv[2], sys.argv[2])
print(sum(Corpus(sys.argv[1]).map(replayed, engine=engine)))
"""


def replayed(name: str, game: object) -> int:
    """The work that is spread: the deal-in risk of every discard of one seat."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.events import Game
    from haiyomi.review.reviewer import review_game
    from haiyomi.tiles import Seat

    assert isinstance(game, Game)
    review = review_game(game, Seat(0), Analyzer(parts=("deal_in",)))
    return sum(len(hand.decisions) for hand in review.hands)


def scaling() -> list[Scaling]:
    """Reviews of one seat of some games on one process, two processes and, where it is
    installed, a Ray cluster of this machine with two processors."""
    from importlib.util import find_spec

    engines = ["one", "two", *(["ray"] if find_spec("ray") is not None else [])]
    found: dict[str, list[tuple[float, float]]] = {engine: [] for engine in engines}
    with tempfile.TemporaryDirectory() as place:
        for name, data in records(GAMES)[0]:
            (pathlib.Path(place) / pathlib.PurePath(name).name).write_bytes(data)
        for _ in range(2):
            for engine in engines:
                before = os.times()
                began = time.perf_counter()
                subprocess.run(
                    [sys.executable, "-c", _MAP, place, engine],
                    check=True,
                    capture_output=True,
                    cwd=ROOT,
                )
                clock = time.perf_counter() - began
                after = os.times()
                spent = after.children_user + after.children_system
                cpu = spent - before.children_user - before.children_system
                found[engine].append((clock, cpu))
    what = f"deal-in risks of one seat, {GAMES} games"
    names = {"one": "one process", "two": "two processes", "ray": "Ray, two processors"}
    return [
        Scaling(what, names[engine], *(min(run[i] for run in runs) for i in range(2)))
        for engine, runs in found.items()
    ]


def main() -> None:
    """Print both tables, and write them with the protocol."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/start.json"))
    given = parser.parse_args()
    answer = protocol()
    begun, spread = starts(), scaling()
    for one in begun:
        print(f"{one.what:36} {one.cpu:7.3f} s of processor {one.peak_mb:7.0f} MB")
    for run in spread:
        print(f"{run.what}, {run.engine:20} {run.clock:7.2f} s {run.cpu:7.2f} s of processor")
    answer |= {"starts": [asdict(s) for s in begun], "scaling": [asdict(s) for s in spread]}
    store(given.json, answer)


if __name__ == "__main__":
    main()
