"""How a command's process ends."""

from __future__ import annotations

import subprocess
import sys

# What is registered first runs last: after the command's own.
PROGRAM = """
import atexit, gc, sys
atexit.register(lambda: print("frozen", gc.get_freeze_count()))
sys.argv = ["haiyomi", "--version"]
from haiyomi.apps.cli import main
main()
print("at work", gc.get_freeze_count())
"""


def test_a_process_that_ends_searches_nothing_for_cycles() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    at_work, frozen = (line.split()[-1] for line in done.stdout.splitlines()[-2:])
    assert (done.returncode, at_work) == (0, "0")
    assert int(frozen) > 10_000
