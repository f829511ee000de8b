"""Does dataset build stay flat as games grow? Records repeated under new ids, through the build.

    python -m bench.size --games 1000 10000 [--json OUT]

For each number of games: processor seconds a game, peak memory and disk a game, of one process.
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
from datetime import UTC, datetime

from bench.__main__ import machine
from bench.throughput import records, size

_RUN = """
import json, resource, sys, time
from pathlib import Path
from haiyomi.training.dataset import build
build(Path(sys.argv[1]), Path(sys.argv[3]), jobs=1)
warm = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.process_time()
build(Path(sys.argv[2]), Path(sys.argv[4]), jobs=1)
told = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, warm
print(json.dumps(told))
"""


def repeated(path: pathlib.Path, games: int, told: list[tuple[str, bytes]]) -> None:
    """A zip of so many records: the given ones over and over, each time under a new id."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for i in range(games):
            archive.writestr(f"game-{i:07d}.mjlog", told[i % len(told)][1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--games", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/size.json"))
    given = parser.parse_args()
    given.json.parent.mkdir(parents=True, exist_ok=True)
    told, what = records(296)
    rows: list[dict[str, float]] = []
    for games in given.games:
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            repeated(place / "few.zip", 48, told)
            repeated(place / "many.zip", games, told)
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
        answer = {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine(),
            "records": f"{what}, {len(told)} records under new ids",
            "rows": rows,
        }
        given.json.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
