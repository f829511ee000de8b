"""Speed of win probability beside two published programs' figures, by riichienv's shanten rate.

    pip install -e '.[bench]' && python bench/winning.py [--json OUT] [--rounds N]

The published programs (C++, one core) were timed where riichienv 0.4.11 answered 3.2 million
shanten a second from Python. Here that rate is taken again in the same run, between the rounds,
and their milliseconds are scaled by it. Ours is the CPU time of one call from Python, best of the
rounds, one thread, with the arrays made beforehand; riichienv's is the best rate of the rounds.
Each line says the hands and changes of the graph, and with --fresh the start and peak memory of a
process that answers only that hand.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import platform
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from haiyomi.kernels.winning import WinHands, win_values
from haiyomi.winning.convention import CONVENTIONS, Convention
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.table import _hands

THEIR_RATE = 3.2e6
PINNED = "0.4.11"

HANDS = {
    "1": "789m14568p67s5557z",
    "2": "567m4456p345s1467z",
    "3": "45m35p12244667s47z",
    "4": "2568m2367p1589s47z",
    "5": "146788m1468p9s157z",
    "5b": "1345889m38p8s1356z",
    "6": "147m258p369s12345z",
}
# Milliseconds of tomohxx's program and of nekobean's, by hand.
WIN = {
    "2": (0.25, 0.22),
    "3": (3.1, 2.3),
    "4": (7.9, 5.6),
    "5": (1900, 2998),
    "5b": (1564, 2216),
    "6": (4145, None),
}
POINTS = {"2": (None, 0.45), "3": (None, 5.1), "4": (None, 10.7), "5": (None, 4424)}
ONE_MORE = {"1": (2.2, 2.9), "2": (146, 33), "3": (2183, 1050)}


@dataclass(frozen=True, slots=True)
class Task:
    """A convention, whether tenpai and points are asked for, and their milliseconds."""

    name: str
    convention: str
    tenpai: bool
    points: bool
    theirs: dict[str, tuple[float | None, float | None]]


TASKS = (
    Task("win, useful edges", "tomo-main1", False, False, WIN),
    Task("win, reverse edges", "neko-A", False, False, WIN),
    Task("win, points", "neko-B", False, True, POINTS),
    Task("win, tenpai, points", "neko-B", True, True, POINTS),
    Task("win, one exchange more", "tomo-main2-extra1", False, False, ONE_MORE),
    Task("win, points, one exchange more", "neko-C", False, True, ONE_MORE),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One hand's figures; ``times`` the better of the two programs, scaled, over ours."""

    task: str
    hand: str
    nodes: int
    edges: int
    milliseconds: float
    theirs_scaled: float
    times: float
    calls_per_shanten: float


def prepared(task: Task, hand: str) -> tuple[WinHands, Any, Convention]:
    """The arrays of one hand under a task's convention."""
    from dataclasses import replace

    convention = CONVENTIONS[task.convention]
    if not task.points:
        convention = convention.but(points=False, go_on=False, riichi=False)
    question = WinQuestion.parse(hand)
    counts = np.zeros((1, 34), dtype=np.uint8)
    for tile in question.hand:
        counts[0, tile.kind] += 1
    graph = replace(convention.graph(0), tenpai=task.tenpai)
    return _hands([question], counts, convention), graph, convention


def cpu(turn: Any) -> float:
    """Seconds of CPU time of one call."""
    start = time.process_time()
    turn()
    return time.process_time() - start


def first_answer() -> dict[str, float]:
    """Seconds from a fresh process to numpy loaded, and to the command's first answer."""
    numpy = [sys.executable, "-c", "import numpy"]
    command = [sys.executable, "-m", "haiyomi", "win", HANDS["3"]]

    def took(line: list[str]) -> float:
        start = time.perf_counter()
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start

    return {
        "numpy": min(took(numpy) for _ in range(5)),
        "command": min(took(command) for _ in range(5)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/winning.json"))
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    from importlib.metadata import version

    try:
        import riichienv  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise SystemExit("riichienv is not installed: pip install -e '.[bench]'") from None
    if version("riichienv") != PINNED:
        raise SystemExit(f"riichienv {version('riichienv')} is installed, not {PINNED}")

    rng = np.random.default_rng(1)
    dealt = np.argsort(rng.random((20_000, 136)), axis=1)[:, :14].tolist()
    ask = riichienv.calculate_shanten
    jobs = [(task, name, prepared(task, HANDS[name])) for task in TASKS for name in task.theirs]
    best = [math.inf] * len(jobs)
    found: list[Any] = [None] * len(jobs)
    rate = 0.0
    for _ in range(given.rounds):
        for i, (_, name, (hands, graph, convention)) in enumerate(jobs):
            for _ in range(1 if name in ("5", "5b") else 5):

                def turn(
                    i: int = i, hands: Any = hands, graph: Any = graph, c: Any = convention
                ) -> None:
                    found[i] = win_values(hands, graph, rules=c.rules)

                best[i] = min(best[i], cpu(turn))
        rate = max(rate, len(dealt) / cpu(lambda: [ask(h) for h in dealt]))
    lines = []
    for (task, name, _), seconds, answer in zip(jobs, best, found, strict=True):
        theirs = min(t for t in task.theirs[name] if t is not None) * THEIR_RATE / rate
        lines.append(
            Line(
                task.name,
                name,
                int(answer.nodes[0].sum()),
                int(answer.edges[0]),
                1000 * seconds,
                theirs,
                theirs / (1000 * seconds),
                seconds * rate,
            )
        )
    print(f"riichienv {PINNED}: {rate / 1e6:.2f} M shanten/s, best of {given.rounds} rounds")
    print(f"{'':31} shanten   nodes     edges        ms  theirs, scaled    times  ms x rate")
    for line in lines:
        print(
            f"{line.task:31} {line.hand:>7} {line.nodes:7} {line.edges:9} {line.milliseconds:9.3f} "
            f"{line.theirs_scaled:15.2f} {line.times:8.1f} {line.calls_per_shanten:10.0f}"
        )
    means = {}
    for task in TASKS:
        far = [
            ln.times
            for ln in lines
            if ln.task == task.name and (task.theirs is not WIN or ln.hand >= "3")
        ]
        means[task.name] = math.exp(sum(map(math.log, far)) / len(far))
        print(f"{task.name:31} geometric mean {means[task.name]:6.1f}")
    starts = first_answer()
    print(f"import numpy {starts['numpy']:.3f} s, first answer {starts['command']:.3f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"peak memory of this run {peak} MiB")
    given.json.parent.mkdir(parents=True, exist_ok=True)
    answer = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "riichienv_rate": rate,
        "rounds": given.rounds,
        "lines": [asdict(line) for line in lines],
        "geometric_means": means,
        "first_answer_seconds": starts,
        "peak_mib": peak,
    }
    given.json.write_text(json.dumps(answer, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
