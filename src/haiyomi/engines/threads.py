"""One thread a process for the libraries that multiply matrices (BLAS, OpenMP).

haiyomi's matrix products are small. With several BLAS threads, the threads spin while they wait
for each other, and the last bits of a sum depend on their number. So the commands and the workers
of every engine use one thread each, and several processors are used by several processes. A
variable that is already set is left as it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

VARIABLES: Final = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
"""The environment variables that the libraries read when they are loaded."""


def hold_to_one_thread() -> None:
    """Let libraries that this process or its children load from now on use one thread."""
    for name in VARIABLES:
        os.environ.setdefault(name, "1")


@contextmanager
def children_of_one_thread() -> Iterator[None]:
    """Let the processes that are started within the block use one thread; this one stays as it is.

    A program that imports haiyomi may well want more threads for its own products.
    """
    added = [name for name in VARIABLES if name not in os.environ]
    hold_to_one_thread()
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]
