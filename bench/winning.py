"""Speed of win probability beside tomohxx/mahjong-win-prob and nekobean/mahjong-cpp.

    pip install -e '.[bench]' && python bench/winning.py [--json OUT] [--rounds N] [--dealt N]
    python bench/winning.py --page docs/explanation/win-speed.md  # from bench/results/winning.json

Both programs (C++, one core) were timed on a machine where riichienv 0.4.11 answered 3.2 million
shanten a second from Python. This run measures that rate again, between the rounds, and scales
their milliseconds by it. Ours is the CPU time of one call from Python, best of the
rounds, one thread, with the arrays made beforehand; riichienv's is the best rate of the rounds.
Each line says the hands and changes of the graph. Then as many hands of each shanten as --dealt
says, dealt from a fixed seed, under the default convention; and the peak memory of a fresh process
that answers the slowest of them, and of one for each of the largest listed hands.
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
# Milliseconds of tomohxx/mahjong-win-prob and of nekobean/mahjong-cpp, by hand.
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
# tomohxx/mahjong-win-prob computes no points.
POINTS_ONE_MORE = {name: (None, neko) for name, (_, neko) in ONE_MORE.items()}


@dataclass(frozen=True, slots=True)
class Task:
    """A convention, whether tenpai and points are computed, and the other programs' times."""

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
    Task("win, points, one exchange more", "neko-C", False, True, POINTS_ONE_MORE),
)


DEALT = (
    ("2-shanten", 2, 0),
    ("3-shanten", 3, 0),
    ("4-shanten", 4, 0),
    ("5-shanten", 5, 0),
    ("6-shanten", 6, 0),
    ("6-shanten, 25 tiles in sight", 6, 25),
)
# Listed hands whose memory is measured.
LARGE = (("neko-B", "5"), ("neko-A", "5"), ("neko-C", "3"), ("tomo-main1", "5"))


@dataclass(frozen=True, slots=True)
class DealtHands:
    """Milliseconds of hands dealt at random under the default convention (one exchange more up to
    2-shanten, points up to 4-shanten), and the slowest of them.
    """

    name: str
    hands: int
    median: float
    most: float
    slowest: str
    in_sight: str
    nodes: int
    peak_mib: int


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


def dealt_hands(name: str, distance: int, seen: int, n: int) -> DealtHands:
    """The times of n hands of such a shanten, 14 tiles, beside so many other tiles in sight."""
    from haiyomi.kernels.shanten import shanten
    from haiyomi.tiles import Kind, Tile, format_tiles

    rng = np.random.default_rng(6)
    convention = CONVENTIONS["default"]
    times: list[tuple[float, str, str, int]] = []
    while len(times) < n:
        deck = np.argsort(rng.random((20_000, 136)), axis=1) // 4
        counts = np.stack([(deck[:, :14] == k).sum(axis=1) for k in range(34)], axis=1)
        for i in np.flatnonzero(shanten(counts.astype(np.uint8)) == distance)[: n - len(times)]:
            hand, sight = (
                format_tiles(tuple(Tile(Kind(int(k))) for k in np.sort(part)))
                for part in (deck[i, :14], deck[i, 14 : 14 + seen])
            )
            hands, graph = question_arrays(hand, sight, convention, distance)
            best, nodes = math.inf, 0
            for _ in range(3):
                start = time.process_time()
                found = win_values(hands, graph, rules=convention.rules)
                best = min(best, time.process_time() - start)
                nodes = int(found.nodes[0].sum())
            times.append((1000 * best, hand, sight, nodes))
    times.sort()
    most, hand, sight, nodes = times[-1]
    middle = times[len(times) // 2][0]
    return DealtHands(name, n, middle, most, hand, sight, nodes, peak("default", hand, sight))


def question_arrays(
    hand: str, sight: str, convention: Convention, distance: int
) -> tuple[WinHands, Any]:
    """The kernel's arrays of a hand that sees some tiles, and its graph."""
    question = WinQuestion.parse(hand, seen=sight)
    counts = np.zeros((1, 34), dtype=np.uint8)
    for tile in question.hand:
        counts[0, tile.kind] += 1
    return _hands([question], counts, convention), convention.graph(distance)


def peak(convention: str, hand: str, sight: str = "") -> int:
    """MiB of a fresh process that answers one hand."""
    # The most that getrusage tells starts at what this process held when it forked.
    program = (
        "import sys; from haiyomi.winning.convention import CONVENTIONS; "
        "from haiyomi.winning.question import WinQuestion; "
        "from haiyomi.winning.table import win_table; "
        "win_table(WinQuestion.parse(sys.argv[2], seen=sys.argv[3]), CONVENTIONS[sys.argv[1]]); "
        "print([n for n in open('/proc/self/status') if n.startswith('VmHWM')][0].split()[1])"
    )
    line = [sys.executable, "-c", program, convention, hand, sight]
    printed = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    return int(printed) // 1024


def first_answer() -> dict[str, float]:
    """Seconds from a fresh process to numpy loaded, and to the command's first answer.

    By the clock, and of CPU time, which another program beside does not lengthen.
    """
    numpy = [sys.executable, "-c", "import numpy"]
    command = [sys.executable, "-m", "haiyomi", "win", HANDS["3"]]

    def took(line: list[str]) -> tuple[float, float]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        clock = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    out = {}
    for name, line in (("numpy", numpy), ("command", command)):
        runs = [took(line) for _ in range(7)]
        out[name] = min(clock for clock, _ in runs)
        out[f"{name}_cpu"] = min(cpu for _, cpu in runs)
    return out


def page(answer: dict[str, Any]) -> str:
    """What a run found, as the Markdown page of its tables."""
    lines = [
        "# Speed of win probability",
        "",
        "Generated by `python bench/winning.py --page docs/explanation/win-speed.md`; do not edit.",
        "",
        "This page compares haiyomi with two C++ programs, tomohxx/mahjong-win-prob and",
        "nekobean/mahjong-cpp. *haiyomi* is the CPU time of one call from Python, one thread, best",
        f"of {answer['rounds']} rounds. *Other* is the faster of the two; with points it is",
        "nekobean/mahjong-cpp, because tomohxx/mahjong-win-prob computes none. The programs were",
        "timed on another machine. Their times are scaled by the rate at which riichienv computes",
        f"shanten: {answer['riichienv_rate'] / 1e6:.2f} million a second here, 3.2 million there.",
        "",
        "| graph | hand | nodes | edges | haiyomi, ms | other, ms | ratio |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for line in answer["lines"]:
        lines.append(
            f"| {line['task']} | {line['hand']} | {line['nodes']:,} | {line['edges']:,} "
            f"| {line['milliseconds']:.3f} | {line['theirs_scaled']:.2f} | {line['times']:.1f} |"
        )
    lines += ["", "| graph | geometric mean of the ratios |", "|---|---:|"]
    lines += [f"| {name} | {times:.1f} |" for name, times in answer["geometric_means"].items()]
    lines += [
        "",
        "The means of *useful* and *reverse edges* include hands from 3-shanten on. A hand is",
        "named by its shanten:",
        ", ".join(f"{name} `{hand}`" for name, hand in HANDS.items()) + ".",
        "",
        "## Random hands",
        "",
        "Hands of 14 tiles dealt from a seed, under the default convention (one exchange more than",
        "needed up to 2-shanten, points up to 4-shanten). Memory is the peak of a process that",
        "answers the slowest hand.",
        "",
        "| hands | n | median, ms | slowest, ms | slowest hand | nodes | memory, MiB |",
        "|---|---:|---:|---:|---|---:|---:|",
    ]
    for far in answer["dealt"]:
        lines.append(
            f"| {far['name']} | {far['hands']} | {far['median']:.1f} | {far['most']:.1f} "
            f"| `{far['slowest']}` | {far['nodes']:,} | {far['peak_mib']} |"
        )
    starts = answer["first_answer_seconds"]
    peaks = ", ".join(f"{name}-shanten {mib}" for name, mib in answer["peak_mib"].items())
    lines += [
        "",
        f"`haiyomi win` prints its answer after {starts['command_cpu']:.3f} s of CPU time. Of",
        f"this, importing numpy takes {starts['numpy_cpu']:.3f} s.",
        f"Peak memory of a fresh process for each of some listed hands, in MiB: {peaks}.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/winning.json"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--dealt", type=int, default=100)
    parser.add_argument(
        "--page", type=pathlib.Path, help="only write this page of the last results"
    )
    given = parser.parse_args()
    if given.page is not None:
        stored = pathlib.Path(__file__).parent / "results" / "winning.json"
        given.page.write_text(page(json.loads(stored.read_text("utf-8"))), encoding="utf-8")
        return
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
            # As long for each, some 20 ms, but a few times at least.
            again = 5 if math.isinf(best[i]) else int(0.02 / best[i])
            for _ in range(1 if name in ("5", "5b") else max(5, min(again, 200))):

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
    print(
        f"import numpy {starts['numpy']:.3f} s, first answer {starts['command']:.3f} s; "
        f"CPU time {starts['numpy_cpu']:.3f} and {starts['command_cpu']:.3f} s"
    )
    dealt_lines = [dealt_hands(*kind, given.dealt) for kind in DEALT]
    for far in dealt_lines:
        print(
            f"{far.hands} hands of {far.name}: median {far.median:.1f}, most {far.most:.1f} ms "
            f"({far.slowest}, {far.nodes:,} hands, {far.peak_mib} MiB)"
        )
    peaks = {f"{name} {hand}": peak(name, HANDS[hand]) for name, hand in LARGE}
    print("peak memory, MiB:", ", ".join(f"{name} {mib}" for name, mib in peaks.items()))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    answer = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "riichienv_rate": rate,
        "rounds": given.rounds,
        "lines": [asdict(line) for line in lines],
        "geometric_means": means,
        "first_answer_seconds": starts,
        "dealt": [asdict(far) for far in dealt_lines],
        "peak_mib": peaks,
    }
    given.json.write_text(json.dumps(answer, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
