"""Random calls of the compiled core, right ones and wrong ones, for the sanitizers to watch.

    PYTHONPATH=tests python -m fuzz.kernels --calls 10000000 [--seed N] [--json FILE]

A call either answers or raises TypeError or ValueError. One of a wrong dtype, a wrong number of
dimensions or a row's wrong length must raise. Call number i of a seed is always the same.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from haiyomi import _core

REFUSALS = (TypeError, ValueError)
Call = tuple[str, Callable[..., Any], list[Any]]


class Calls:
    """Draws calls; ``rng`` for arrays, ``dice`` for choices (quicker for single numbers)."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.dice = random.Random(seed)
        self.deal()
        self.noise = self.rng.integers(0, 256, size=(256, 34), dtype=np.uint8)
        self.words = real_words()
        self.tables = np.ones((2, 7, 125))

    def deal(self) -> None:
        """New hands to choose from."""
        every = self._hands(12_000)
        tiles = every.sum(axis=1)
        sound = (every <= 4).all(axis=1) & (tiles <= 14) & (tiles > 0)
        self.counts = {rest: every[sound & (tiles % 3 == rest)] for rest in (1, 2)}
        self.unsound = every[~sound | (tiles % 3 == 0)]

    def _hands(self, n: int) -> np.ndarray[Any, Any]:
        """Hands of 0 to 14 tiles, close to complete ones and not."""
        out = np.zeros((n, 34), dtype=np.uint8)
        for row in out:
            for _ in range(int(self.rng.integers(0, 5))):
                kind = int(self.rng.integers(0, 34))
                run = self.rng.random() < 0.6 and kind < 27 and kind % 9 <= 6
                row[kind : kind + 3] += 1 if run else 0
                row[kind] += 0 if run else 3
            pair = int(self.rng.integers(0, 34))
            row[pair] += int(self.rng.choice([0, 1, 2, 2]))
            for kind in self.rng.integers(0, 34, size=int(self.rng.choice([0, 0, 0, 2, 3]))):
                row[kind] += 1
        return out

    def hands(self, rest: int | None = None) -> np.ndarray[Any, Any]:
        """One to five hands of 3k + ``rest`` tiles (None: whichever); now and then no hands."""
        if self.dice.random() < 0.03:
            at = self.dice.randrange(200)
            return self.dice.choice((self.noise, self.unsound))[at : at + self.dice.randrange(4)]
        pool = self.counts[self.dice.choice((1, 2)) if rest is None else rest]
        at = self.dice.randrange(len(pool) - 5)
        return pool[at : at + self.dice.choice((1, 1, 1, 2, 5))]

    def small(self, low: int, high: int) -> int:
        """A number most often in [low, high), now and then just or far outside."""
        if self.dice.random() < 0.03:
            return self.dice.choice((low - 1, high, -(2**31), 2**31 - 1, 2**63, 255, -128))
        return self.dice.randrange(low, high)

    def flag(self) -> bool:
        return self.dice.random() < 0.5

    # -- one method a kernel ---------------------------------------------------------------

    def shanten(self) -> list[Any]:
        return [self.hands()]

    shanten_forms = shanten

    def waits(self) -> list[Any]:
        return [self.hands(1)]

    useful_tiles = waits

    def is_complete(self) -> list[Any]:
        return [self.hands(2)]

    def wait_forms(self) -> list[Any]:
        hands = self.hands(1)
        return [hands, self.rng.integers(-2, 35, size=len(hands)).astype(np.int8)]

    wait_names = wait_forms

    def pay(self) -> list[Any]:
        return [self.small(0, 40), self.small(0, 130), self.small(0, 5), self.flag(), self.flag()]

    def score(self) -> list[Any]:
        hands = self.hands(2)[:1]
        n = len(hands)
        melds = np.full((n, 4, 2), 255, dtype=np.uint8)
        context = self.rng.integers(0, 2, size=(n, 13)).astype(np.uint8)
        context[:, 3] = self.dice.randrange(3)
        if n:
            room = 4 - int(hands[0].sum()) // 3
            for j in range(max(0, room) if self.dice.random() < 0.95 else self.dice.randrange(5)):
                kind = self.dice.choice((0, 9, 18, 6, 24, 15, 3))
                melds[:, j] = self.small(0, 5) & 255, kind
            context[:, 0] = self.dice.choice(np.flatnonzero(hands[0]).tolist() or [0])
        context[:, 1:3] = self.rng.integers(27, 31, size=(n, 2))
        if self.dice.random() < 0.03:
            context = self.rng.integers(0, 256, size=(n, 13)).astype(np.uint8)
        flags = [self.flag() for _ in range(4)]
        return [hands, melds, context, *flags, self.small(0, 10)]

    def replay(self) -> list[Any]:
        words = self.dice.choice(self.words).copy()
        for _ in range(self.dice.choice((0, 1, 1, 2, 5))):
            at = self.dice.randrange(len(words))
            new = self.dice.choice((-1, 0, 1, 3, 4, 33, 34, 36, 37, 135, 2**31 - 1, -(2**31)))
            words[at] = self.dice.choice((new, int(self.dice.choice(words))))
        if self.dice.random() < 0.3:
            words = words[: self.dice.randrange(len(words))]
        flags = [self.flag() for _ in range(5)]
        more = [self.flag() for _ in range(4)]
        return [words, *flags, self.small(0, 10), *more, self.flag()]

    def score_open(self) -> list[Any]:
        melds = [
            (self.small(0, 5), self.small(0, 34)) for _ in range(self.dice.choice((1, 2, 3, 4)))
        ]
        dora = self.rng.integers(0, 3, size=34).astype(np.uint8)
        return [
            self.dice.choice((1, 4, 7, 10, 13, 2)), melds, self.small(27, 31), self.small(27, 31),
            dora, self.small(0, 4), *[self.flag() for _ in range(4)], self.small(0, 10),
        ]  # fmt: skip

    def forest(self) -> list[Any]:
        n = self.dice.choice((1, 3, 7))
        rows = self.rng.random((self.dice.choice((0, 1, 3)), 4), dtype=np.float32)
        # Mostly sound trees: children come after their parents.
        far = n + (self.dice.random() < 0.05)
        first = self.dice.random() > 0.05
        left, right = (
            np.minimum(np.arange(n) + self.rng.integers(first, 4, size=n), far - 1).astype(np.int32)
            for _ in range(2)
        )
        feature = self.rng.integers(-1, 4, size=n).astype(np.int16)
        feature[-1] = -1
        roots = self.rng.integers(0, n + (self.dice.random() < 0.1), size=2).astype(np.int32)
        return [rows, roots, feature, self.rng.random(n, dtype=np.float32), left, right]

    def chain(self) -> list[Any]:
        n = self.dice.choice((1, 2))
        nodes = np.log(self.rng.random((n, 34, 5)))
        nodes[self.rng.random((n, 34, 5)) < 0.2] = -np.inf
        nodes[:, :, 0] = 0.0
        totals = self.rng.integers(0, 16 if self.flag() else 14, size=n).astype(np.uint8)
        which = self.rng.integers(0, 2, size=n).astype(np.uint16)
        return [nodes, totals, which, self.tables]

    chain_best = chain_marginals = chain

    def chain_samples(self) -> list[Any]:
        given = self.chain()
        seeds = self.rng.integers(0, 2**64, size=len(given[0]), dtype=np.uint64)
        return [*given, seeds, self.small(0, 4)]

    def chain_gradient(self) -> list[Any]:
        given = self.chain()
        return [*given, self.hands()[:1].repeat(len(given[0]), axis=0)]

    def posterior(self) -> list[Any]:
        return [
            self.dice.choice((1, 4, 7, 10, 13, 13, 0, 2, 255)), self.rng.random((34, 5)),
            self.rng.random((4, 14)), self.rng.random((34, 4)), self.rng.random(15),
            self.dice.choice((0.0, 1.0, 1.0, 1.0, 1e300, -1.0, float("nan"))), 1.0,
        ]  # fmt: skip

    def read_posteriors(self) -> list[Any]:
        n = self.dice.randrange(12)
        melds = [(0, 3), (1, 31), (4, 12), (2, 27), (0, 0)]
        given = [
            (self.dice.randrange(2**34), self.flag(), self.dice.sample(melds, i % 4),
             self.small(27, 31), self.small(27, 31), self.flag())
            for i in range(n)
        ]  # fmt: skip
        held = [self.dice.choice((1, 4, 7, 10, 13, 13, 13, 13)) for _ in range(n)]
        if n and self.dice.random() < 0.1:
            held[0] = self.dice.choice((0, 2, 14, 2**63 - 1, -1))
        return [
            np.array(held, np.int64), self.rng.random((n, 34, 5)), self.rng.random((n, 4, 14)),
            self.rng.random((n, 34, 4)), self.rng.random((n, 15)), self.rng.random((n, 2)), given,
        ]  # fmt: skip

    def win(self) -> list[Any]:
        hands = self.counts[2][self.dice.randrange(len(self.counts[2]))][None]
        if self.dice.random() < 0.1:
            hands = self.hands()[:1]
        live = np.maximum(4 - hands.astype(np.int64), 0).astype(np.uint8)
        live[:, self.dice.randrange(34)] = self.small(0, 2) & 255
        melds = np.full((len(hands), 4, 2), 255, dtype=np.uint8)
        context = np.zeros((len(hands), 9), dtype=np.uint8)
        context[:, :2] = self.small(27, 31) & 255
        wall = np.tile(np.arange(120.0, 102.0, -1.0), (len(hands), 1))
        flags = [self.flag() for _ in range(4)]
        many = [False] * 6
        return [
            hands, live, np.zeros((len(hands), 6), bool), melds, context, wall,
            self.small(0, 19), self.small(1, 8), *flags, 0, *many[:2], self.flag(), self.flag(),
            *many[:4], True, True, False, False, 4, 1,
        ]  # fmt: skip

    def posterior_calls(self, made: Any) -> Call:
        """A call of a method of a posterior that was made."""
        what = self.dice.choice(("answer", "marginals", "sample", "weight", "points"))
        seed, furiten = self.dice.randrange(2**63), self.dice.randrange(2**34)
        given: list[Any] = {
            "answer": [furiten, self.flag(), [(1, 31)], self.small(27, 31), self.small(27, 31),
                       self.flag()],
            "marginals": [self.flag()],
            "sample": [self.small(0, 4), seed, self.small(-1, 34), furiten],
            "weight": [self.hands()],
            "points": [
                self.rng.choice([0, 0, 1, 20, -1], 34).astype(np.int32), seed, furiten, [(1, 31)],
                self.small(27, 31), self.small(27, 31), self.flag(), self.flag(), self.small(2, 4),
                self.noise[0] % 5, self.small(0, 7), self.noise[1] % 4, self.small(0, 3),
                self.small(0, 2), self.small(0, 5), self.flag(), self.flag(), self.flag(),
            ],
        }[what]  # fmt: skip
        return f"Posterior.{what}", getattr(made, what), given


SHARES = {
    "shanten": 30, "shanten_forms": 10, "useful_tiles": 10, "waits": 30, "is_complete": 10,
    "wait_forms": 4, "pay": 10, "score": 4, "replay": 1, "forest": 2, "score_open": 0.02,
    "chain_best": 0.01, "chain_marginals": 0.01, "chain_samples": 0.01, "chain_gradient": 0.01,
    "posterior": 0.03, "read_posteriors": 0.01, "win": 0.003,
}  # fmt: skip
"""How often each kernel is called; those of a millisecond seldom."""


def real_words() -> list[np.ndarray[Any, Any]]:
    """The words of played hands, as the replay kernel takes them."""
    from fuzz.targets import short_games

    from haiyomi.kernels.replay import encode

    return [np.array(encode(game.hands[0]), dtype=np.int32) for game in short_games()]


def broken(call: list[Any], dice: random.Random) -> list[Any] | None:
    """The same call with one array of a wrong dtype, dimension or row length; None if it has
    no array."""
    arrays = [i for i, a in enumerate(call) if isinstance(a, np.ndarray) and a.size]
    if not arrays:
        return None
    at = dice.choice(arrays)
    array = call[at]
    how = dice.randrange(4)
    if how == 0:
        wrong: Any = array.astype(np.complex128)
    elif how == 1:
        wrong = array[..., None]
    elif how == 2 and array.ndim > 1:
        wrong = np.concatenate([array, array[..., :1]], axis=-1)
    else:
        wrong = dice.choice((None, "hands", object(), [1, 2, "x"]))
    return [*call[:at], wrong, *call[at + 1 :]]


def run(calls: int, seed: int, report: Callable[[int, Counter[str]], None]) -> Counter[str]:
    """Make so many calls; how many answered, were refused, and by kernel. A wrong call that
    answers raises AssertionError, and so does any exception but TypeError and ValueError."""
    made = Calls(seed)
    names = list(SHARES)
    weights = list(SHARES.values())
    chosen: list[str] = []
    counts: Counter[str] = Counter()
    kept: Any = None
    for number in range(calls):
        if number % 200_000 == 0:
            chosen = made.dice.choices(names, weights=weights, k=200_000)
            if number:
                made.deal()
        name = chosen[number % 200_000]
        given = getattr(made, name)()
        function = getattr(_core, "Posterior" if name == "posterior" else name)
        if kept is not None and name == "posterior" and number % 4:
            name, function, given = made.posterior_calls(kept)
        # A forest's rows may have any length.
        wrong = broken(given, made.dice) if number % 16 == 5 and name != "forest" else None
        counts[name] += 1
        try:
            found = function(*(given if wrong is None else wrong))
        except REFUSALS:
            counts["refused"] += 1
        else:
            assert wrong is None, f"call {number}: {name} took {wrong!r:.400}"
            counts["answered"] += 1
            if name == "posterior":
                kept = found
        if number % 100_000 == 99_999:
            faulthandler.dump_traceback_later(600, exit=True)
            report(number + 1, counts)
    faulthandler.cancel_dump_traceback_later()
    return counts


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
            told = {"calls": number, "seed": given.seed, "core": _core.__file__, "by": dict(counts)}
            given.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")

    counts = run(given.calls, given.seed, report)
    report(given.calls, counts)
    sys.exit(0)


if __name__ == "__main__":
    main()
