"""Win probability of hands dealt at random: time, memory, and a command's first answer.

    python -m bench.winning [--json OUT] [--dealt N]
    python -m bench.winning --page docs/explanation/win-speed.md  # from bench/results

As many hands of each shanten as --dealt says, dealt from a fixed seed, under the default
convention; the peak memory of a fresh process that answers the slowest of them, and of one for each
of some listed hands. ``bench.win_rivals`` compares with other programs; the page shows both.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bench.machine import protocol, store
from haiyomi.kernels.winning import WinHands, win_values
from haiyomi.winning.convention import CONVENTIONS, Convention
from haiyomi.winning.question import WinQuestion
from haiyomi.winning.table import win_hands

HANDS = {
    "1": "789m14568p67s5557z",
    "2": "567m4456p345s1467z",
    "3": "45m35p12244667s47z",
    "4": "2568m2367p1589s47z",
    "5": "146788m1468p9s157z",
    "5b": "1345889m38p8s1356z",
    "6": "147m258p369s12345z",
}
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
    return win_hands([question], counts, convention), convention.graph(distance)


def peak(convention: str, hand: str, sight: str = "") -> int:
    """MiB of a fresh process that answers one hand."""
    program = (
        "import sys; from bench.machine import peak_kilobytes; "
        "from haiyomi.winning.convention import CONVENTIONS; "
        "from haiyomi.winning.question import WinQuestion; "
        "from haiyomi.winning.table import win_table; "
        "win_table(WinQuestion.parse(sys.argv[2], seen=sys.argv[3]), CONVENTIONS[sys.argv[1]]); "
        "print(peak_kilobytes())"
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


def rivals_table(rivals: dict[str, Any]) -> list[str]:
    """The comparison with other programs."""
    lines = [
        f"{rivals['machine']}, {rivals['date']}; one run, {rivals['clock']}.",
        "*Cold*: the median over the hands, another hand before each call. *Repeated*: one hand",
        "again and again. The ratio is that of the other program's time to haiyomi's, the median",
        "over the hands, with the least and the most; below 1 the other program is quicker. The",
        "values of the best discard agree in every call.",
        "",
        "| computed | other program | hands | n | haiyomi cold, ms | other cold, ms | ratio cold "
        "| ratio repeated |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in rivals["lines"]:
        lines.append(
            f"| {row['task']} | {row['program']} | {row['hands']} | {row['n']} "
            f"| {row['cold']:.3f} | {row['their_cold']:.3f} "
            f"| {row['ratio_cold']:.1f} ({row['least_ratio']:.1f} to {row['most_ratio']:.1f}) "
            f"| {row['ratio_repeated']:.1f} |"
        )
    slower = [r for r in rivals["lines"] if min(r["ratio_cold"], r["ratio_repeated"]) < 1]
    if slower:
        named = "; ".join(f"{r['task']}, {r['hands']}" for r in slower)
        lines += ["", f"By the median the other program is quicker here: {named}."]
    lines += ["", "Where the least ratio is below 1 it is quicker on some of the hands."]
    return lines


def page(answer: dict[str, Any], rivals: dict[str, Any]) -> str:
    """What the runs found, as the Markdown page of their tables."""
    lines = [
        "# Speed of win probability",
        "",
        "Generated by `python -m bench.winning --page docs/explanation/win-speed.md`; do not edit.",
        "",
        "## Beside other programs",
        "",
        "tomohxx/mahjong-win-prob computes win probabilities, and is compared with these alone.",
        "nekobean/mahjong-cpp computes win, tenpai and points, and is compared with all three,",
        "under the convention that reproduces it. Both are C++ programs and are called from C++;",
        "haiyomi is called from Python. `bench/rivals/README.md` says how they were built.",
        *rivals_table(rivals),
        "",
        "The listed hands are",
        ", ".join(f"`{hand}`" for hand in HANDS.values()) + ",",
        "each where its shanten is among those of the table.",
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
    parser.add_argument("--dealt", type=int, default=100)
    parser.add_argument(
        "--page", type=pathlib.Path, help="only write this page of the last results"
    )
    given = parser.parse_args()
    if given.page is not None:
        stored = pathlib.Path(__file__).parent / "results"
        found, rivals = (
            json.loads((stored / name).read_text("utf-8"))
            for name in ("winning.json", "win-rivals.json")
        )
        given.page.write_text(page(found, rivals), encoding="utf-8")
        return
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
    answer = protocol() | {
        "first_answer_seconds": starts,
        "dealt": [asdict(far) for far in dealt_lines],
        "peak_mib": peaks,
    }
    store(given.json, answer)


if __name__ == "__main__":
    main()
