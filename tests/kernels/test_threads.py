"""The tables are built once on first use, whoever comes first, and never at import."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

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


# What is allocated, as the C library counts it: pages say less, for a table may lie in memory
# that was used before.
_MEMORY = """
import ctypes
import numpy
from haiyomi import _core
class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]
count = ctypes.CDLL(None).mallinfo2
count.restype = Counts
def held():
    counts = count()
    return counts.hblkhd + counts.uordblks
hands = numpy.eye(34, dtype=numpy.uint8)
before = held()
known = bytearray(1 << 20)
counted = held() - before
before = held()
_core.shanten(hands)
print(counted, held() - before)
"""


def test_tables_are_built_on_use_and_stay_small() -> None:
    if not sys.platform.startswith("linux") or not hasattr(ctypes.CDLL(None), "mallinfo2"):
        pytest.skip("this C library does not count what is allocated")
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY], check=True, capture_output=True, text=True
    )
    counted, table = map(int, done.stdout.split())
    if counted < 1 << 20:
        pytest.skip("a sanitizer's allocator, which is not counted")
    assert 400_000 < table < 12_000_000
