"""The tables are built once on first use, whoever comes first, and never at import."""

from __future__ import annotations

import subprocess
import sys

_RACE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import numpy as np
from haiyomi import _core

hand = np.zeros((2000, 34), dtype=np.uint8)
hand[:, :9] = 1
hand[:, 9], hand[:, 10] = 2, 2
won = hand.copy()
won[:, 10] = 3
melds = np.full((2000, 4, 2), 255, dtype=np.uint8)
context = np.tile(np.array([9, 27, 28, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=np.uint8), (2000, 1))
start = Barrier(8)

def one(i):
    start.wait()
    if i % 3 == 0:
        return set(_core.shanten(hand).tolist()) == {0}
    if i % 3 == 1:
        return set(_core.waits(hand).tolist()) == {3 << 9}
    scores = _core.score(won, melds, context, True, True, False, False, 4)
    return set(scores[6].tolist()) == {5200}

with ThreadPoolExecutor(8) as pool:
    assert all(pool.map(one, range(8)))
"""


def test_first_use_from_many_threads_at_once() -> None:
    for _ in range(3):
        subprocess.run([sys.executable, "-c", _RACE], check=True)


_MEMORY = """
import numpy
from haiyomi import _core
def pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])
before = pages()
_core.shanten(numpy.eye(34, dtype=numpy.uint8))
print(pages() - before)
"""


def test_tables_are_built_on_use_and_stay_small() -> None:
    if not sys.platform.startswith("linux"):
        return
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY], check=True, capture_output=True, text=True
    )
    assert 100 < int(done.stdout) < 3000  # pages of 4 kB
