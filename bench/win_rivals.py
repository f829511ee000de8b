"""Win probability beside tomohxx/mahjong-win-prob and nekobean/mahjong-cpp: equal work, one run.

    python -m bench.win_rivals --neko PROGRAM --tomo PROGRAM:TABLES [--json OUT]

``bench/rivals/README.md`` says how to build the programs. tomohxx computes win probabilities, and
is compared with win probabilities alone; nekobean computes win, tenpai and points, and is compared
with all three. The values of the best discard are compared first, and a difference stops the run.
Hands are the listed ones and hands dealt from a seed; each is timed cold (another hand before) and
repeated, in processor time, the programs in turn. haiyomi is called from Python, one thread.
"""

from __future__ import annotations

import argparse
import math
import pathlib
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from bench.machine import protocol, store
from bench.winning import HANDS, question_arrays
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.winning import WinValues, win_values
from haiyomi.tiles import TILES, format_tiles
from haiyomi.winning.convention import CONVENTIONS

SEED = 7
PROGRAMS = {
    "tomo": "tomohxx/mahjong-win-prob 36ac07d",
    "neko": "nekobean/mahjong-cpp 453cae0",
}
COLD = 3
"""Rounds of cold calls, of which the median counts."""
LONG = 0.2
"""A call of so many seconds is not repeated."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is computed: haiyomi's convention, the other program and its mode; hands up to
    ``most`` shanten."""

    name: str
    convention: str
    program: str
    mode: str
    most: int


TASKS = (
    Task("win", "tomo-main1", "tomo", "main1", 5),
    Task("win, reverse edges", "tomo-main2", "tomo", "main2", 4),
    Task("win, one exchange more", "tomo-main2-extra1", "tomo", "main2-extra1", 2),
    Task("win, tenpai, points", "neko-A", "neko", "A", 4),
    Task("win, tenpai, points with dora", "neko-B", "neko", "B", 4),
    Task("win, tenpai, points, one exchange more", "neko-C", "neko", "C", 2),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A task on some hands: median milliseconds of both, and the median and the range of the
    ratios of the other program to haiyomi over the hands."""

    task: str
    program: str
    hands: str
    n: int
    cold: float
    repeated: float
    their_cold: float
    their_repeated: float
    ratio_cold: float
    ratio_repeated: float
    least_ratio: float
    most_ratio: float


class Program:
    """Another program, which answers lines."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            command.split(":"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, *words: object) -> list[float]:
        """Seconds of the first call and of the fastest, and the values, of a line of words."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        while (reply := self._process.stdout.readline()).startswith("["):
            pass  # what it logs
        first, least, *values = map(float, reply.split())
        return [first / 1e6, least / 1e6, *values]


Call = Callable[[], tuple[float, WinValues]]
"""One timed call: seconds of processor, and what was returned."""


def prepared(task: Task, hand: str) -> Call:
    """The call for a hand; its arrays are made here, before any clock runs."""
    convention = CONVENTIONS[task.convention]
    hands, graph = question_arrays(hand, "", convention, 0)
    graph = replace(graph, tenpai=task.program == "neko")

    def call() -> tuple[float, WinValues]:
        began = time.process_time_ns()
        found = win_values(hands, graph, rules=convention.rules)
        return (time.process_time_ns() - began) / 1e9, found

    return call


def compare(task: Task, hand: str, ours: WinValues, theirs: Sequence[float]) -> None:
    """Stop the run where the best discard's values differ."""
    best = ours.values[0, :, :, 0].max(axis=0).tolist()
    # Tenpai of mode C differs as it is published; win and points agree.
    wanted = {"win": (best[0], theirs[0])}
    if len(theirs) > 1:
        wanted["points"] = (best[2], theirs[2])
    for what, (mine, other) in wanted.items():
        if not math.isclose(mine, other, rel_tol=1e-6, abs_tol=1e-9):
            raise SystemExit(f"{task.name}, {hand}: {what} {mine} here, {other} there")


def dealt(distance: int, n: int) -> list[str]:
    """n hands of 14 tiles of such a shanten, dealt from the seed."""
    rng = np.random.default_rng(SEED)
    found: list[str] = []
    while len(found) < n:
        deck = np.argsort(rng.random((20_000, 136)), axis=1)[:, :14] // 4
        counts = np.stack([(deck == k).sum(axis=1) for k in range(34)], axis=1)
        for i in np.flatnonzero(shanten(counts.astype(np.uint8)) == distance)[: n - len(found)]:
            found.append(format_tiles(TILES[k] for k in deck[i]))
    return found


def line(task: Task, program: Program, name: str, hands: Sequence[str]) -> Line:
    """Time a task on some hands."""
    calls = [prepared(task, hand) for hand in hands]
    cold: list[list[float]] = [[] for _ in hands]
    their_cold: list[list[float]] = [[] for _ in hands]
    for _ in range(COLD):
        for i, hand in enumerate(hands):
            if their_cold[i] and their_cold[i][0] > 1:
                continue  # a second each is enough
            calls[i - 1]()  # another hand, or the same where there is one
            took, found = calls[i]()
            first, _, *values = program.ask(task.mode, hand, 1)
            compare(task, hand, found, values)
            cold[i].append(took)
            their_cold[i].append(first)
    again, their_again = [], []
    for i, hand in enumerate(hands):
        mine = statistics.median(cold[i])
        theirs = statistics.median(their_cold[i])
        times = 1 if mine > LONG else max(5, min(50, int(0.05 / max(mine, 1e-6))))
        again.append(min(calls[i]()[0] for _ in range(times)))
        many = 1 if theirs > LONG else max(5, min(50, int(0.05 / theirs)))
        their_again.append(theirs if many == 1 else program.ask(task.mode, hand, many)[1])
    return summary(
        task, name, list(map(statistics.median, cold)), again,
        list(map(statistics.median, their_cold)), their_again,
    )  # fmt: skip


def summary(
    task: Task,
    name: str,
    cold: Sequence[float],
    again: Sequence[float],
    their_cold: Sequence[float],
    their_again: Sequence[float],
) -> Line:
    """The medians of a line."""
    ratios = [t / m for t, m in zip(their_cold, cold, strict=True)]
    ratios_again = [t / m for t, m in zip(their_again, again, strict=True)]
    middle = statistics.median
    return Line(
        task.name, PROGRAMS[task.program], name, len(cold),
        1e3 * middle(cold), 1e3 * middle(again), 1e3 * middle(their_cold),
        1e3 * middle(their_again), middle(ratios), middle(ratios_again),
        min(ratios), max(ratios),
    )  # fmt: skip


def lines(programs: dict[str, Program], n: int) -> Iterable[Line]:
    """All tasks whose program is there."""
    for task in TASKS:
        if task.program not in programs:
            continue
        program = programs[task.program]
        listed = [hand for name, hand in HANDS.items() if int(name[0]) <= task.most]
        yield line(task, program, "listed", listed)
        for distance in range(1, task.most + 1):
            name = f"{distance}-shanten, dealt"
            yield line(task, program, name, dealt(distance, n if distance < 5 else max(2, n // 4)))


def main() -> None:
    """Print the table, and write it with the protocol."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--neko", help="the built bench/rivals/neko.cpp")
    parser.add_argument("--tomo", help="the built bench/rivals/tomo.cpp, a colon, its tables")
    parser.add_argument("--hands", type=int, default=12, help="dealt hands of each shanten")
    parser.add_argument(
        "--json", type=pathlib.Path, default=pathlib.Path("out/bench/win-rivals.json")
    )
    given = parser.parse_args()
    commands = {"neko": given.neko, "tomo": given.tomo}
    programs = {name: Program(command) for name, command in commands.items() if command}
    answer = protocol() | {"seed": SEED, "clock": "processor time of one thread"}
    found = []
    for each in lines(programs, given.hands):
        found.append(each)
        times = f"{each.cold:9.3f} ms {each.their_cold:10.3f} ms"
        print(
            f"{each.task:40} {each.hands:18} {each.n:3} {times}  "
            f"cold {each.ratio_cold:8.1f} ({each.least_ratio:.1f} to {each.most_ratio:.1f}), "
            f"repeated {each.ratio_repeated:8.1f}",
            flush=True,
        )
    answer["lines"] = [asdict(each) for each in found]
    store(given.json, answer)


if __name__ == "__main__":
    main()
