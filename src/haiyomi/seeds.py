"""Where randomness comes from: one function that makes every generator, from a seed and a name."""

from __future__ import annotations

import hashlib
from numbers import Integral
from reprlib import repr as shorten
from typing import Final

import numpy as np

from haiyomi.errors import ArgumentError

MOST_OF_CORE: Final = 2**64 - 1
"""The largest seed that the compiled core takes."""


def check_whole(number: object, name: str) -> None:
    """Raises ArgumentError for what is no whole number, with its ``name``."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise ArgumentError(f"{name} is {shorten(number)}: expected a whole number")


def check_index(number: int, what: str, n: int) -> None:
    """Raises ArgumentError for what numbers none of ``n`` things, with ``what`` they are."""
    check_whole(number, what)
    if not 0 <= number < n:
        raise ArgumentError(f"no {what} {number}: there are {n}, numbered from 0")


def check_seed(seed: int) -> None:
    """Raises ArgumentError for a seed below 0, and for what is no whole number."""
    check_whole(seed, "seed")
    if seed < 0:
        raise ArgumentError(f"seed is {seed}: expected 0 or more")


def check_core_seed(seed: int, name: str = "seed") -> None:
    """Raises ArgumentError for a seed, or another number by its ``name``, that the compiled core
    does not take."""
    check_whole(seed, name)
    if not 0 <= seed <= MOST_OF_CORE:
        raise ArgumentError(f"{name} is {seed}: expected 0 to 2**64 - 1")


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """The generator that belongs to ``names`` under one seed (any integer of at least 0).

    Generators of different names are independent; the same names give the same numbers in every
    process. Integers alone are numpy's own words of entropy (``default_rng([seed, *names])``);
    where a name is text, the names are hashed. Raises ArgumentError for a seed below 0.
    """
    check_seed(seed)
    words = [int(name) for name in names if not isinstance(name, str)]
    if len(words) < len(names):
        digest = hashlib.sha256("/".join(str(name) for name in names).encode()).digest()
        words = np.frombuffer(digest, dtype="<u4").tolist()
    sequence = np.random.SeedSequence([seed, *words])
    return np.random.Generator(np.random.PCG64(sequence))
