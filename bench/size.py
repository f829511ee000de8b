"""Does dataset build stay flat as games grow? Records repeated under new ids, through the build.

    python -m bench.size --games 1000 10000 [--json OUT]
    python -m bench.size --hands 1 --games 1000 10000 100000 --json bench/results/size-short.json

For each number of games: games a processor second, peak memory and disk a game, of one process.
With ``--hands`` games of the project's own players, cut after so many hands: many games in little
time.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile

from bench.machine import protocol, store
from bench.throughput import records, size

_RUN = """
import json, sys, time
from pathlib import Path
from bench.machine import peak_kilobytes
from haiyomi.training.dataset import build
build(Path(sys.argv[1]), Path(sys.argv[3]), jobs=1)
warm = peak_kilobytes()
began = time.process_time()
build(Path(sys.argv[2]), Path(sys.argv[4]), jobs=1)
found = time.process_time() - began, peak_kilobytes(), warm
print(json.dumps(found))
"""


def repeated(path: pathlib.Path, games: int, found: list[tuple[str, bytes]]) -> None:
    """A zip of so many records: the given ones over and over, each time under a new id."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for i in range(games):
            archive.writestr(f"game-{i:07d}.mjlog", found[i % len(found)][1])


def short_games(hands: int, n: int = 100) -> list[tuple[str, bytes]]:
    """Games of the rule players, by a seed, each cut after so many hands."""
    from haiyomi.events import Game, Hand, Header
    from haiyomi.logs.load import write
    from haiyomi.play.rule_games import simulate_rule_players

    out = []
    for i in range(n):
        game = simulate_rule_players(1, i)
        header = Header(game.header.names, game.header.rules)
        cut = Game(header, tuple(Hand(hand.events) for hand in game.hands[:hands]))
        out.append((f"{i}.mjlog", write(cut, "mjlog").encode()))
    return out


_PLAN = """
import json, sys
from pathlib import Path
from haiyomi.training import dataset
def used():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
dataset.planned(Path(sys.argv[1]))
before = used()
plan, shards = dataset.planned(Path(sys.argv[2]))
text = json.dumps(plan, indent=1)
print(json.dumps([used() - before, len(text)]))
"""


def plan_bytes(games: int) -> dict[str, float]:
    """Memory and disk a game that the plan of so many records takes in the process that hands
    out the work; the records themselves are empty."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for name, n in (("few.zip", 10), ("many.zip", games)):
            with zipfile.ZipFile(place / name, "w", zipfile.ZIP_STORED) as archive:
                for i in range(n):
                    archive.writestr(f"2026010100gm-00a9-0000-{i:08x}.mjlog", b"")
        ran = subprocess.run(
            [sys.executable, "-c", _PLAN, str(place / "few.zip"), str(place / "many.zip")],
            capture_output=True,
            text=True,
            check=True,
        )
    memory, disk = json.loads(ran.stdout)
    return {"games": games, "memory": round(memory / games), "disk": round(disk / games)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--games", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/size.json"))
    parser.add_argument("--hands", type=int, help="games of own players, cut after so many hands")
    given = parser.parse_args()
    before = protocol()
    if given.hands is None:
        found, what = records(296)
    else:
        found = short_games(given.hands)
        after = "one hand" if given.hands == 1 else f"{given.hands} hands"
        what = f"games of the project's own players cut after {after}"
    rows: list[dict[str, float]] = []
    plan = plan_bytes(100_000)
    for games in given.games:
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            repeated(place / "few.zip", 48, found)
            repeated(place / "many.zip", games, found)
            began = time.monotonic()
            arguments = [str(place / n) for n in ("few.zip", "many.zip", "few", "many")]
            ran = subprocess.run(
                [sys.executable, "-c", _RUN, *arguments], capture_output=True, text=True, check=True
            )
            spent, peak, warm = json.loads(ran.stdout)
            rows.append(
                {
                    "games": games,
                    "games_a_second": round(games / spent, 1),
                    "peak_mb": round(peak / 1024, 1),
                    "warm_mb": round(warm / 1024, 1),
                    "bytes_a_game": round(size(place / "many") / games),
                    "wall_seconds": round(time.monotonic() - began),
                }
            )
        print(rows[-1], flush=True)
        answer = before | {
            "records": f"{what}, {len(found)} records under new ids",
            "plan_bytes_a_game": plan,
            "rows": rows,
        }
        store(given.json, answer)


if __name__ == "__main__":
    main()
