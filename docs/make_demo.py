"""The bundled demo record, made anew: ``python docs/make_demo.py``.

It runs ``haiyomi.play.demo.COMMAND``. With ``--find`` it searches for the first game of the
command's seed that shows all that the demo should, and tells its number.
"""

from __future__ import annotations

import itertools
import shlex
import subprocess
import sys
from pathlib import Path

from haiyomi.play.demo import COMMAND, NAME, PLAYERS, SEED, missing

FILE = Path(__file__).resolve().parent.parent / "src" / "haiyomi" / "data" / NAME


def main() -> None:
    """Write the record, or find its number."""
    if sys.argv[1:] == ["--find"]:
        find()
        return
    words = shlex.split(COMMAND)
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, check=True)
    FILE.write_bytes(done.stdout)
    print(f"{FILE.name}: {len(done.stdout):,} bytes, by {COMMAND}")


def find() -> None:
    """Search the games of the seed in their order."""
    from haiyomi.rules import TENHOU
    from haiyomi.styles.seating import simulate

    styles = f"policy:{','.join(PLAYERS)}"
    for number in itertools.count():
        lacks = missing(simulate(SEED, number, styles, rules=TENHOU))
        if not lacks:
            print(f"game {number} of seed {SEED} shows everything wanted")
            return
        print(f"game {number} lacks {', '.join(lacks)}", file=sys.stderr)


if __name__ == "__main__":
    main()
