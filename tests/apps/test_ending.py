"""How a command's process ends."""

from __future__ import annotations

import importlib.abc
import subprocess
import sys

import pytest

from haiyomi.__main__ import main

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


class _Interrupt(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, *_: object) -> None:
        if name == "haiyomi.apps.cli":
            raise KeyboardInterrupt


def test_an_interrupt_while_modules_load_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A named case: a traceback."""
    monkeypatch.delitem(sys.modules, "haiyomi.apps.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Interrupt(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


def test_a_wrong_call_is_answered_in_one_line() -> None:
    program = "from haiyomi.apps.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "convert", "x"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "haiyomi: Missing option '--to'. Choose from: mjai, tenhou6, mjlog (see --help)"
    ]
