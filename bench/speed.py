"""A measured speed, and how two programs are timed in turn."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Speed:
    """``rate`` units a second of one core; ``rival`` the program that did the same work and
    its rate, None where there is none; ``more`` what else was measured."""

    task: str
    unit: str
    rate: float
    rival: str | None = None
    rival_rate: float | None = None
    more: dict[str, Any] | None = None

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the rival."""
        return None if self.rival_rate is None else self.rate / self.rival_rate


def seconds(turn: Callable[[], object]) -> float:
    """Processor seconds of one turn."""
    start = time.process_time()
    turn()
    return time.process_time() - start


def alternate(
    mine: Callable[[], object],
    n: int,
    theirs: Callable[[], object] | None = None,
    m: int = 0,
    rounds: int = 3,
) -> tuple[float, float | None]:
    """Median rates of both, in turn; n and m units a turn."""
    found: list[float] = []
    other: list[float] = []
    for _ in range(rounds):
        found.append(n / seconds(mine))
        if theirs is not None:
            other.append(m / seconds(theirs))
    return statistics.median(found), statistics.median(other) if other else None
