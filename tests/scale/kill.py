"""Long work stopped at random moments, resumed, stopped again: the bytes are those of one run.

    PYTHONPATH=tests python -m scale.kill --kills 50 --cuts 200 [--only WORK] [--json FILE]

Kills: the whole process group gets SIGKILL, at a moment drawn evenly over the time a whole run
takes; after five kills the work is finished and compared with the run that nobody stopped. Power
cuts: the work goes on from what a disk may have kept (``scale.power``).
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
from dataclasses import asdict
from pathlib import Path

from scale.campaign import Campaign, contents
from scale.power import PowerCutter

from haiyomi.apps.batch_review import ReviewOptions, review_all
from haiyomi.evaluation.tournaments.entrants import Conditions
from haiyomi.evaluation.tournaments.tournament import Tournament, play_tournament
from haiyomi.play.mjai_process import TimeLimits
from haiyomi.rules import TENHOU_EAST
from haiyomi.training.dataset import build

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
ROUND = 5
Command = Callable[[Path, int], list[str]]


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
    run = [sys.executable, "-m", "haiyomi"]
    return {
        "dataset build": lambda out, jobs: [
            *run, "dataset", "build", str(many), "--out", str(out), "--jobs", str(jobs),
        ],
        "batch review": lambda out, jobs: [
            *run, "review", str(few), "-o", str(out), "--model", "kurita-hoki",
            "--seat", "0", "--jobs", str(jobs),
        ],
        "tournament": lambda out, jobs: [
            *run, "play", "--versus", "random,balanced", "--games", "48", "--east",
            "-o", str(out), "--jobs", str(jobs),
        ],
    }  # fmt: skip


def works(place: Path) -> dict[str, Callable[[Path], object]]:
    """The same work in this process, by name: it goes on with what an output has."""
    many, few = records(place / "many", 12), records(place / "few", 2)
    options = ReviewOptions(seat=0, model="kurita-hoki")
    return {
        "dataset build": lambda out: build(many, out, 1),
        "batch review": lambda out: review_all(few, out, options, 1),
        "tournament": lambda out: play_tournament(small_tournament(), out, 1),
    }


def small_tournament(walls: int = 2) -> Tournament:
    """Two bots at some walls, six games each."""
    conditions = Conditions(TENHOU_EAST, 3, 0.0, TimeLimits(60.0, 20.0))
    return Tournament(("random", "balanced"), walls, conditions)


class Killer:
    """One kind of work: the run that nobody stops first, then a round at a time."""

    def __init__(self, work: str, command: Command, seed: int, place: Path) -> None:
        place.mkdir()
        self.command, self.place = command, place
        self.dice = random.Random(f"{seed} {work}")
        self.campaign = Campaign(work, "kills")
        began = time.monotonic()
        subprocess.run(command(place / "whole", 1), check=True, capture_output=True)
        self.duration = time.monotonic() - began
        self.expected = contents(place / "whole")

    def round(self) -> None:
        """Five kills of one output, then it is finished and compared."""
        out = self.place / "out"
        shutil.rmtree(out, ignore_errors=True)
        jobs = 1 + self.campaign.rounds % 2
        for _ in range(ROUND):
            process = subprocess.Popen(
                self.command(out, jobs), start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            began = time.monotonic()
            try:
                process.wait(self.dice.uniform(0, self.duration))
            except subprocess.TimeoutExpired:
                self.campaign.stops += 1
            else:
                # It was done before: begin anew, and aim closer.
                self.duration = time.monotonic() - began
                shutil.rmtree(out, ignore_errors=True)
            # Its workers, if it left any, are of the same group.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        subprocess.run(self.command(out, jobs), check=True, capture_output=True)
        self.campaign.rounds += 1
        self.campaign.losses += contents(out) != self.expected


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        stoppers: list[tuple[Killer | PowerCutter, int]] = []
        for work, command in commands(place / "commands").items():
            killed = place / f"kills-of-{work.split()[0]}"
            if given.only in (None, work) and given.kills:
                stoppers.append((Killer(work, command, given.seed, killed), given.kills))
        for work, function in works(place / "works").items():
            cut = place / f"cuts-of-{work.split()[0]}"
            if given.only in (None, work) and given.cuts:
                stoppers.append((PowerCutter(work, function, given.seed, cut), given.cuts))
        while left := [stopper for stopper, most in stoppers if stopper.campaign.stops < most]:
            # In turn, so that a run that is stopped early has tried all of them.
            for stopper in left:
                stopper.round()
                print(stopper.campaign, flush=True)
            if given.json is not None:
                result = [asdict(stopper.campaign) for stopper, _ in stoppers]
                given.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    sys.exit(any(stopper.campaign.losses for stopper, _ in stoppers))


if __name__ == "__main__":
    main()
