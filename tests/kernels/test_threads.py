"""Tables built once on first use, whoever comes first, never at import; and work in threads."""

from __future__ import annotations

import ctypes
import os
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


# No thread has room for a stack as large as the address space.
_NO_THREADS = """
import threading
import numpy as np
from haiyomi import _core
from haiyomi.kernels.tables import new_games
from haiyomi.kernels.winning import GraphRules, WinHands, win_values
from haiyomi.rules import TENHOU

try:
    threading.Thread(target=print).start()
except RuntimeError:
    print("none starts")
records = [new_games(TENHOU, range(9), range(9)).records(n) for n in (1, 4)]
assert np.array_equal(*records)
one, many = (_core.decision_features(records[0], np.zeros(len(records[0]), np.uint8), n)
             for n in (1, 4))
assert np.array_equal(one[0], many[0]) and np.array_equal(one[1], many[1])
concealed = np.zeros((4, 34), np.uint8)
concealed[:, :9] = 1
concealed[range(4), range(9, 13)] = 2
concealed[:, [20, 22, 33]] = 1
live = 4 - concealed
hands = WinHands(concealed, live, np.zeros((4, 6), bool), np.tile(np.arange(90.0, 72, -1), (4, 1)))
one, many = (win_values(hands, GraphRules(points=False), threads=n).values for n in (1, 4))
assert one.any() and np.array_equal(one, many)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits as Linux takes them")
def test_the_caller_does_the_work_where_no_thread_starts() -> None:
    """Where others had started, the core ended the process."""
    done = subprocess.run(
        ["bash", "-c", 'ulimit -s $((1 << 37)) && exec "$0" -c "$1"', sys.executable, _NO_THREADS],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0 and not done.stdout:
        pytest.skip("threads start all the same")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "none starts\n"
