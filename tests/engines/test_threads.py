"""Commands and workers hold BLAS and OpenMP to one thread; a caller's own settings stay."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from haiyomi.engines.processes import default_jobs
from haiyomi.engines.threads import VARIABLES

pytest.importorskip("threadpoolctl")

CALLER = """
import json, os, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from scale.work import blas_threads
from haiyomi.engines.shards import map_shards
if __name__ == "__main__":
    before = dict(os.environ)
    found = [n for _, n in map_shards(blas_threads, [0, 1, 2, 3], 2)]
    print(json.dumps([found, blas_threads(0), dict(os.environ) == before]))
"""
COMMAND = """
import sys
from haiyomi.apps.cli import main
sys.argv[1:] = ["--version"]
main()
import numpy
from threadpoolctl import threadpool_info
print(max(pool["num_threads"] for pool in threadpool_info()))
"""


def unset() -> dict[str, str]:
    """The environment of somebody who set nothing."""
    return {name: value for name, value in os.environ.items() if name not in VARIABLES}


def test_workers_have_one_thread_and_the_caller_keeps_its_own(tmp_path: Path, root: Path) -> None:
    """Also where the caller's program, which each worker imports, loads numpy first."""
    caller = tmp_path / "caller.py"
    caller.write_text(CALLER, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(caller), str(root / "tests")],
        capture_output=True, text=True, check=True, env=unset(),
    )  # fmt: skip
    found, own, same = json.loads(done.stdout)
    assert found == [1] * 4
    assert own == min(default_jobs(), 64)  # OpenBLAS is built for as many
    assert same


@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_a_command_has_one_thread_unless_its_user_says_more(
    given: dict[str, str], threads: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND],
        capture_output=True, text=True, check=True, env=unset() | given,
    )  # fmt: skip
    assert done.stdout.split()[-1] == threads
