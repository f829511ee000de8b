"""Arrays as the core takes them: not aligned, of another byte order, changed by another thread."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzz.calls import Calls
from fuzz.kernels import REFUSALS, SHARES, function, misaligned, other_order

from haiyomi import _core

CALLS = 12
FROM_SEQUENCES = {"shanten_of_ids", "score_one"}
SLOW = {"ron_distribution", "tenpai_hands"}


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))
    if isinstance(one, _core.Tables):
        return same((one.standings(), one.legal()), (other.standings(), other.legal()))
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or isinstance(one, _core.Posterior | _core.Network)


@pytest.mark.parametrize("laid_out", [misaligned, other_order])
def test_arrays_laid_out_otherwise_are_copied_or_refused(
    laid_out: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]],
) -> None:
    """Of each function and argument: the same answer, or TypeError."""
    made = Calls(1)
    tried = set()
    ones = [np.ones(shape) for shape in ((34, 5), (4, 14), (34, 4), 15)]
    made.keep(_core.Posterior(13, *ones, 1.0, 1.0), [13])
    for name in [name for name in SHARES if name not in SLOW]:
        for _ in range(CALLS):
            given = getattr(made, name.replace(".", "_"))()
            call = function(made, name)
            try:
                expected = call(*given)
            except REFUSALS:
                continue
            if isinstance(expected, _core.Network | _core.Posterior | _core.Tables):
                made.keep(expected, given)
            for at, array in enumerate(given):
                if not isinstance(array, np.ndarray) or array.dtype.itemsize == 1 or not array.size:
                    continue
                other = [*given[:at], laid_out(array), *given[at + 1 :]]
                if laid_out is other_order and name not in FROM_SEQUENCES:
                    with pytest.raises(TypeError):
                        call(*other)
                else:
                    assert same(call(*other), expected), (name, at)
                tried.add((name, at))
    assert len(tried) >= 40
    assert tried


RACE = """
import sys, threading, time
import numpy as np
from haiyomi import _core

logs, changed, wrong = np.zeros((20_000, 34, 5)), np.full(20_000, 13, np.uint8), 255
right = changed.copy()
ended = threading.Event()

def change():
    while not ended.is_set():
        changed[:] = wrong
        time.sleep(1e-4)
        changed[:] = right
        time.sleep(1e-3)

thread = threading.Thread(target=change)
thread.start()
answered = refused = 0
until = time.monotonic() + 20
while time.monotonic() < until and (answered < 30 or not refused):
    try:
        assert np.isfinite(_core.hand_marginals(logs, changed)[0]).all()
        answered += 1
    except (ValueError, TypeError):
        refused += 1
ended.set()
thread.join()
print(answered, refused)
"""


def test_an_array_that_another_thread_changes() -> None:
    """It is checked and used as it was at the call; indices behind the check ended the process."""
    ran = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    answered, refused = map(int, ran.stdout.split())
    assert answered
    assert refused


def test_rows_times_draws_have_a_limit() -> None:
    """A million draws a row were allowed of any number of rows: 34 GB of a thousand."""
    n = 1000
    rows = np.zeros((n, 34, 5)), np.full(n, 13, np.uint8), np.zeros(n, np.uint64)
    with pytest.raises(ValueError, match="at most 10000000 hands a call"):
        _core.hand_samples(*rows, 10_001)
    with pytest.raises(ValueError, match="at most 1000000 draws a row"):
        _core.hand_samples(*(part[:1] for part in rows), 1_000_001)
    assert _core.hand_samples(*rows, 2).shape == (n, 2, 34)
