"""Long work killed at random moments, resumed, killed again: the bytes are those of one run.

    PYTHONPATH=tests python -m scale.kill --kills 50 [--only WORK] [--json FILE]

The whole process group gets SIGKILL, at a moment drawn evenly over the time a whole run takes;
after five kills the work is finished and compared with the run that nobody stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
ROUND = 5
Command = Callable[[Path, int], list[str]]

SMALL_FIT = str(Path(__file__).with_name("small_fit.py"))


@dataclass(slots=True)
class Campaign:
    """``kills`` that met a running process, ``rounds`` compared, ``losses`` of them unequal."""

    work: str
    kills: int = 0
    rounds: int = 0
    losses: int = 0


def records(folder: Path, n: int) -> Path:
    """Records of every format under many names."""
    folder.mkdir(parents=True)
    samples = sorted(p for p in SAMPLES.iterdir() if p.suffix != ".md")
    for i in range(n):
        source = samples[i % len(samples)]
        shutil.copy(source, folder / f"game-{i:03d}{source.suffix}")
    return folder


def corpus(folder: Path) -> Path:
    """Records in train, valid and test."""
    for split, n in (("train", 6), ("valid", 2), ("test", 1)):
        records(folder / split, n)
    return folder


def commands(place: Path) -> dict[str, Command]:
    """The work by name: the command for an output and a number of processes."""
    many, few = records(place / "many", 60), records(place / "few", 4)
    sorted_out = corpus(place / "corpus")
    run = [sys.executable, "-m", "haiyomi"]
    return {
        "dataset build": lambda out, jobs: [
            *run, "dataset", "build", str(many), str(out), "--jobs", str(jobs),
        ],
        "fit": lambda out, jobs: [
            sys.executable, SMALL_FIT, str(sorted_out), str(out), str(jobs),
        ],
        "batch review": lambda out, jobs: [
            *run, "review", str(few), "-o", str(out), "--model", "kurita-hoki",
            "--seat", "0", "--jobs", str(jobs),
        ],
    }  # fmt: skip


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


class Killer:
    """One kind of work: the run that nobody stops first, then a round at a time."""

    def __init__(self, work: str, command: Command, seed: int, place: Path) -> None:
        place.mkdir()
        self.command, self.place = command, place
        self.dice = random.Random(f"{seed} {work}")
        self.told = Campaign(work)
        began = time.monotonic()
        subprocess.run(command(place / "whole", 1), check=True, capture_output=True)
        self.duration = time.monotonic() - began
        self.expected = contents(place / "whole")

    def round(self) -> None:
        """Five kills of one output, then it is finished and compared."""
        out = self.place / "out"
        shutil.rmtree(out, ignore_errors=True)
        jobs = 1 + self.told.rounds % 2
        for _ in range(ROUND):
            process = subprocess.Popen(
                self.command(out, jobs), start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            began = time.monotonic()
            try:
                process.wait(self.dice.uniform(0, self.duration))
            except subprocess.TimeoutExpired:
                self.told.kills += 1
            else:
                # It was done before: begin anew, and aim closer.
                self.duration = time.monotonic() - began
                shutil.rmtree(out, ignore_errors=True)
            # Its workers, if it left any, are of the same group.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        subprocess.run(self.command(out, jobs), check=True, capture_output=True)
        self.told.rounds += 1
        self.told.losses += contents(out) != self.expected


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = commands(Path(folder)).items()
        killers = [
            Killer(work, command, given.seed, Path(folder) / f"of-{work.split()[0]}")
            for work, command in made
            if given.only in (None, work)
        ]
        while left := [k for k in killers if k.told.kills < given.kills]:
            # In turn, so that a run that is stopped early has tried all of them.
            for killer in left:
                killer.round()
                print(killer.told, flush=True)
                if given.json is not None:
                    text = json.dumps([asdict(k.told) for k in killers], indent=1)
                    given.json.write_text(text + "\n", encoding="utf-8")
    sys.exit(any(k.told.losses for k in killers))


if __name__ == "__main__":
    main()
