"""Speed of the compiled core beside riichienv 0.4.11, in one run on one thread.

    pip install -e '.[bench]' && python -m bench.kernels [--json OUT] [--rounds N]

Both programs answer the same hands, prepared in the form each takes fastest before the clock
starts: counts as a uint8 array for haiyomi, a list of tile ids a hand for riichienv, which
takes one hand a call from a Python loop. haiyomi's time includes its argument checks and
conversions. Rounds alternate between the two, so that a busy machine slows both; the rate is
that of the median round, the best is printed beside it. The answers are compared first, and a
difference stops the run. Where riichienv is not installed haiyomi is timed alone.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bench.machine import protocol, store
from haiyomi.kernels.scoring import no_melds, score
from haiyomi.kernels.shanten import shanten, useful
from haiyomi.kernels.waits import waits

PINNED = "0.4.11"


@dataclass(frozen=True, slots=True)
class Rate:
    """Hands a second of one program on one task, over the rounds."""

    task: str
    program: str
    hands: int
    median: float
    best: float


def dealt(rng: np.random.Generator, n: int, tiles: int) -> np.ndarray:
    """``(n, tiles)`` tile ids 0-135 dealt from full walls."""
    return np.argsort(rng.random((n, 136)), axis=1)[:, :tiles]


def counts_of(ids: np.ndarray) -> np.ndarray:
    """``(n, 34)`` uint8 counts of rows of tile ids."""
    counts = np.zeros((len(ids), 34), dtype=np.uint8)
    np.add.at(counts, (np.arange(len(ids))[:, None], ids // 4), 1)
    return counts


def won(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """``(n, 14)`` tile ids of closed standard hands, and ``(n,)`` which id completes each."""
    runs = [[k, k + 1, k + 2] for k in range(27) if k % 9 <= 6]
    sets = [*runs, *runs, *([k] * 3 for k in range(34))]
    hands = []
    while len(hands) < n:
        kinds = [k for i in rng.integers(len(sets), size=4) for k in sets[i]]
        pair = int(rng.integers(34))
        kinds += [pair, pair]
        if max(kinds.count(k) for k in kinds) <= 4:
            seen: dict[int, int] = {}
            ids = []
            for k in kinds:
                # From the last copy down: copy 0 of a five is red.
                ids.append(4 * k + 3 - seen.get(k, 0))
                seen[k] = seen.get(k, 0) + 1
            hands.append(ids)
    rows = np.array(hands)
    return rows, rows[np.arange(n), rng.integers(14, size=n)]


def measure(
    task: str, programs: dict[str, tuple[int, Callable[[], Any]]], rounds: int
) -> list[Rate]:
    """Time the programs' turns in alternation; each turn answers so many hands."""
    rates: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, (hands, turn) in programs.items():
            start = time.perf_counter()
            turn()
            rates[name].append(hands / (time.perf_counter() - start))
    return [
        Rate(task, name, programs[name][0], statistics.median(r), max(r))
        for name, r in rates.items()
    ]


def shanten_task(rounds: int, other: Any) -> list[Rate]:
    rng = np.random.default_rng(1)
    ids = dealt(rng, 200_000, 14)
    counts = counts_of(ids)
    programs: dict[str, tuple[int, Callable[[], Any]]] = {
        "haiyomi": (len(counts), lambda: shanten(counts))
    }
    if other is not None:
        some = ids[:50_000].tolist()
        ask = other.calculate_shanten
        if [ask(h) for h in some] != shanten(counts[:50_000]).tolist():
            raise SystemExit("shanten: the programs disagree")
        programs["riichienv"] = (len(some), lambda: [ask(h) for h in some])
    return measure("shanten of 14 tiles", programs, rounds)


def scoring_task(rounds: int, other: Any) -> list[Rate]:
    rng = np.random.default_rng(2)
    ids, win = won(rng, 40_000)
    counts, win_kind = counts_of(ids), (win // 4).astype(np.uint8)
    melds = no_melds(len(ids))
    tsumo = rng.random(len(ids)) < 0.5
    reds = np.isin(ids, (16, 52, 88)).sum(axis=1)

    def ours() -> Any:
        return score(counts, win_kind, melds=melds, seat_wind=28, riichi=1, tsumo=tsumo, reds=reds)

    programs: dict[str, tuple[int, Callable[[], Any]]] = {"haiyomi": (len(ids), ours)}
    if other is not None:
        n = 10_000
        # Its public class is a Python wrapper; the Rust class below it is faster: time both.
        rust = other._riichienv
        east, south = rust.Wind.East, rust.Wind.South
        fast = [
            (h, w, rust.Conditions(tsumo=t, riichi=True, player_wind=south, round_wind=east))
            for h, w, t in zip(ids[:n].tolist(), win[:n].tolist(), tsumo[:n].tolist(), strict=True)
        ]
        public = [
            (h, w, other.Conditions(tsumo=c.tsumo, riichi=True, player_wind=1, round_wind=0))
            for h, w, c in fast
        ]

        def theirs() -> Any:
            return [rust.HandEvaluator(h, []).calc(w, [], [], c) for h, w, c in fast]

        def theirs_public() -> Any:
            return [other.HandEvaluator(h, []).calc(w, [], c) for h, w, c in public]

        # Its double limit hands are a matter of rules; han and fu of all others must agree.
        plain = score(
            counts[:n], win_kind[:n], seat_wind=28, riichi=1, tsumo=tsumo[:n], reds=reds[:n]
        )
        differ = sum(
            (
                not r.is_win
                or r.yakuman != bool(plain.yakuman[i])
                or (not r.yakuman and (r.han, r.fu) != (plain.han[i], plain.fu[i]))
            )
            for i, r in enumerate(theirs())
        )
        if differ > 0:
            raise SystemExit(f"scoring: the programs disagree on {differ} of {n} hands")
        programs["riichienv"] = (n, theirs)
        programs["its public class"] = (n, theirs_public)
    return measure("full scoring", programs, rounds)


def alone(rounds: int) -> list[Rate]:
    """What riichienv has no like of: batches of wait sets and useful tiles."""
    counts = counts_of(dealt(np.random.default_rng(3), 100_000, 13))
    return [
        *measure("waits of 13 tiles", {"haiyomi": (len(counts), lambda: waits(counts))}, rounds),
        *measure("useful tiles of 13", {"haiyomi": (len(counts), lambda: useful(counts))}, rounds),
    ]


_FIRST_USE = """
import time, numpy as np
start = time.perf_counter()
from haiyomi import _core
loaded = time.perf_counter()
hand, won = np.eye(34, dtype=np.uint8)[:1], 2 * np.eye(34, dtype=np.uint8)[:1]
_core.shanten(hand)
first = time.perf_counter()
_core.waits(hand)
second = time.perf_counter()
print(loaded - start, first - loaded, second - first)
"""


def first_use() -> dict[str, float]:
    """Seconds that a fresh process needs to load the core and to build its tables, best of 5."""
    runs = [
        subprocess.run(
            [sys.executable, "-c", _FIRST_USE], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(5)
    ]
    best = [min(float(r[i]) for r in runs) for i in range(3)]
    return dict(zip(("load", "shanten_table", "wait_table"), best, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/kernels.json"))
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    before = protocol()
    try:
        from importlib.metadata import version

        import riichienv as other  # type: ignore[import-not-found, unused-ignore]

        if version("riichienv") != PINNED:
            raise SystemExit(f"riichienv {version('riichienv')} is installed, not {PINNED}")
    except ImportError:
        other = None
        print("riichienv is not installed: haiyomi alone", file=sys.stderr)

    rates = [
        *shanten_task(given.rounds, other),
        *scoring_task(given.rounds, other),
        *alone(given.rounds),
    ]
    ratios = {}
    for rate in rates:
        print(
            f"{rate.task:22} {rate.program:16} {rate.median / 1e6:8.3f} M/s "
            f"(best {rate.best / 1e6:.3f})"
        )
        if rate.program == "riichienv":
            (mine,) = (r for r in rates if r.task == rate.task and r.program == "haiyomi")
            ratios[rate.task] = {
                "median": mine.median / rate.median,
                "best": mine.best / rate.best,
            }
    for task, ratio in ratios.items():
        print(f"{task}: {ratio['median']:.1f} times riichienv {PINNED} (best {ratio['best']:.1f})")
    starts = first_use()
    print("first use: " + ", ".join(f"{k} {1000 * v:.1f} ms" for k, v in starts.items()))
    answer = before | {
        "threads": 1,
        "rounds": given.rounds,
        "rates": [asdict(r) for r in rates],
        "ratios": ratios,
        "first_use_seconds": starts,
    }
    store(given.json, answer)


if __name__ == "__main__":
    main()
