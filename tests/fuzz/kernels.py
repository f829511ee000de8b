"""Random calls of the compiled core, right ones and wrong ones, for the sanitizers to watch.

    PYTHONPATH=tests python -m fuzz.kernels --calls 10000000 [--seed N] [--json FILE]

A call either answers or raises one of REFUSALS. One of a wrong dtype, a wrong number of
dimensions or a row's wrong length must raise. Call number i of a seed is always the same.
"""

from __future__ import annotations

import argparse
import faulthandler
import itertools
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from fuzz.calls import Calls

from haiyomi import _core

REFUSALS = (TypeError, ValueError, OverflowError)
SHARES = {
    "Posterior": 1, "Posterior.total": 0.1, "Posterior.answer": 0.5, "Posterior.marginals": 0.5,
    "Posterior.sample": 1, "Posterior.weight": 1,
    "ron_rules": 0.5, "ron_masks": 0.5, "ron_odds": 0.5, "ron_cells": 1, "ron_outcomes": 0.5,
    "ron_chances": 0.5,
    "read_posteriors": 0.1, "posterior_batch": 0.1,
    "hand_best": 0.5, "hand_marginals": 0.5, "hand_samples": 0.5,
    "replay_faults": 0.05, "yaku_han": 0.05,
    "shanten_of": 10, "shanten_of_ids": 5, "score_one": 5,
    "shanten": 25, "shanten_forms": 10, "useful_tiles": 10, "waits": 25,
    "wait_forms": 4, "tile_efficiency": 2, "pay": 8, "score": 5, "replay": 2,
    "replay_options": 2, "read_mjlog": 1, "tally": 2, "wall": 1, "Tables": 0.5,
    "Tables.resume": 1, "Tables.copy": 0.5, "Tables.pending": 0.5,
    "Tables.legal": 0.5, "Tables.answer": 5, "Tables.recorded": 0.5,
    "Tables.standings": 0.5, "Tables.records": 0.5, "Tables.choose": 1, "Tables.choose_with": 1,
    "Tables.renew": 0.5, "Tables.from_views": 1, "policy_choices": 1, "decode_games": 1,
    "tenpai_hands": 0.02, "tenpai_wait_index": 0.02, "score_open": 0.2, "ron_distribution": 0.2,
    "win": 1,
    "pair_net": 0.5, "pair_inputs": 0.5, "placements": 0.5,
    "option_shares": 0.5, "option_inputs": 0.5, "option_win_tiles": 0.5, "option_net": 0.5,
    "option_steps": 0.5,
    "option_weights": 0.5, "option_tables": 0.5,
    "option_changes": 0.5, "option_deposits": 0.5, "deposit_odds": 0.1,
    "wins_at_once": 0.5,
    "network_parts": 0.2, "Network": 0.2, "Network.forward": 0.2, "Network.channels": 0.2,
    "Network.both": 0.2,
    "decision_features": 0.2, "opponent_features": 0.2,
    "with_tile_facts": 0.5, "seat_records": 0.5,
}  # fmt: skip
"""How often each function is called; those of milliseconds seldom."""
MAKERS = ("Tables.resume", "Tables.from_views")
OPTIONAL = {"decode_games": (11,), "ron_chances": (7,)}
"""Arguments that may be None."""
FREE = {"decode_games": (7,), "pair_net": (3,), "placements": (3,), "option_net": (6,),
        "option_tables": (0,), "option_win_tiles": (0,), "option_steps": (0,),
        "wins_at_once": (4,)}  # fmt: skip
"""Arguments that may have another length or width than the others: the changes of lines, the rows
of a network, records of which some have no option."""


def broken(name: str, call: list[Any], dice: random.Random) -> list[Any] | None:
    """The same call with one array of a wrong dtype, dimension or row length, or a row short of the
    others; None if it has no array."""
    arrays = [i for i, a in enumerate(call) if isinstance(a, np.ndarray) and a.size]
    if not arrays:
        return None
    at = dice.choice(arrays)
    array = call[at]
    free = at in FREE.get(name, ())
    how = dice.randrange(5)
    if how == 0:
        wrong: Any = array.astype(np.complex128)
    elif how == 1:
        wrong = array[..., None]
    elif how == 2 and array.ndim > 1 and not free:
        wrong = np.concatenate([array, array[..., :1]], axis=-1)
    elif how == 3 and len(arrays) > 1 and not free:
        wrong = array[1:]
    else:
        optional = at in OPTIONAL.get(name, ())
        wrong = dice.choice(("none" if optional else None, "hands", object(), [1, 2, "x"]))
    return [*call[:at], wrong, *call[at + 1 :]]


def laid_out(call: list[Any], dice: random.Random) -> list[Any]:
    """The same call with one array laid out otherwise: it may be copied or refused."""
    arrays = [i for i, a in enumerate(call) if isinstance(a, np.ndarray) and a.size]
    if not arrays:
        return call
    at = dice.choice(arrays)
    array = call[at]
    how = dice.randrange(6)
    if how == 0:
        other = np.repeat(array, 2, axis=-1)[..., ::2]
    elif how == 1:
        other = np.asfortranarray(array)
    elif how == 2:
        other = array[::-1]
    elif how == 3:
        other = other_order(array)
    elif how == 4:
        other = misaligned(array)
    else:
        other = array.copy()
        other.flags.writeable = False
    return [*call[:at], other, *call[at + 1 :]]


def misaligned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy that begins at an odd address."""
    room = np.empty(array.nbytes + 2, np.uint8)
    start = 1 - room.ctypes.data % 2
    other = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    other[...] = array
    return other


def other_order(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy whose numbers have their bytes in the other order."""
    return array.astype(array.dtype.newbyteorder())


@contextmanager
def changing(call: list[Any], dice: random.Random) -> Iterator[None]:
    """Let another thread write noise into an array of the call while it runs."""
    arrays = [a for a in call if isinstance(a, np.ndarray) and a.size and a.flags.writeable]
    if not arrays:
        yield
        return
    array = dice.choice(arrays)
    at = [dice.randrange(array.size) for _ in range(20)]
    noise = np.frombuffer(dice.randbytes(20 * array.itemsize), np.uint8)
    ended = threading.Event()

    def change() -> None:
        raw = array.view(np.uint8).reshape(array.size, -1)
        for number in itertools.cycle(range(20)):
            raw[at[number]] = noise[number * array.itemsize : (number + 1) * array.itemsize]
            if ended.is_set():
                return
            time.sleep(1e-5)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def function(made: Calls, name: str) -> Callable[..., Any]:
    """What a name of SHARES calls."""
    if name == "Posterior.total":
        return lambda: made.kept["Posterior"].total
    if name in MAKERS:
        return getattr(_core.Tables, name.removeprefix("Tables."))  # type: ignore[no-any-return]
    owner, _, method = name.rpartition(".")
    found: Callable[..., Any] = getattr(made.kept[owner] if owner else _core, method)
    return found


def run(calls: int, seed: int, report: Callable[[int, Counter[str]], None]) -> Counter[str]:
    """Make so many calls, each function at least once; how many answered, were refused, and by
    function. A wrong call that answers raises AssertionError, and so does any exception but
    REFUSALS."""
    made = Calls(seed)
    names = list(SHARES)
    weights = list(SHARES.values())
    counts: Counter[str] = Counter()
    for number in range(calls):
        if number % 200_000 == 0:
            chosen = names + made.dice.choices(names, weights=weights, k=200_000 - len(names))
            if number:
                made.deal()
        name = chosen[number % 200_000]
        owner = name.rpartition(".")[0]
        if owner and owner not in made.kept:
            name = owner
        given = getattr(made, name.replace(".", "_"))()
        wrong = broken(name, given, made.dice) if number % 16 == 5 else None
        if number % 16 == 13:
            given = laid_out(given, made.dice)
        counts[name] += 1
        shared: AbstractContextManager[None] = nullcontext()
        if number % 256 == 31:
            given = [a.copy() if isinstance(a, np.ndarray) else a for a in given]
            shared = changing(given, made.dice)
        try:
            with shared:
                found = function(made, name)(*(given if wrong is None else wrong))
        except REFUSALS:
            counts["refused"] += 1
        else:
            assert wrong is None, f"call {number}: {name} took {wrong!r:.400}"
            counts["answered"] += 1
            if name in ("Network", "Posterior", "Tables", "Tables.copy", *MAKERS):
                made.keep(found, given)
        if number % 100_000 == 99_999:
            faulthandler.dump_traceback_later(600, exit=True)
            report(number + 1, counts)
    faulthandler.cancel_dump_traceback_later()
    return counts


def sanitized() -> bool:
    """Whether the core itself calls both sanitizers."""
    code = Path(_core.__file__).read_bytes()
    return b"__asan_report" in code and b"__ubsan_handle" in code


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    faulthandler.enable()

    def report(number: int, counts: Counter[str]) -> None:
        print(number, dict(counts), f"{time.process_time():.0f} s", flush=True)
        if given.json is not None:
            result = {
                "calls": number,
                "seed": given.seed,
                "date": datetime.now(UTC).date().isoformat(),
                "sanitized": sanitized(),
                "by": dict(counts),
            }
            given.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")

    counts = run(given.calls, given.seed, report)
    report(given.calls, counts)
    sys.exit(0)


if __name__ == "__main__":
    main()
