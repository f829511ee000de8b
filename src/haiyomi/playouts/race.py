"""Options raced against each other on common worlds.

Every option still in the race is played in the same worlds: 64 first, then twice as many, up to a
most. After each round those leave whose mean lies 3 standard errors of the difference behind the
best. An option is compared with another by the mean of their differences over the worlds, never by
its best worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FIRST: Final = 64
BEHIND: Final = 3.0
"""Standard errors."""


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """A race after a round: ``played`` (m,) worlds of each of m options, whether it is still
    ``racing`` (m,), and the ``values`` (m, worlds), nan where it was not played."""

    played: NDArray[np.int64]
    racing: NDArray[np.bool_]
    values: Floats

    @property
    def best(self) -> int:
        """The racing option with the largest mean."""
        means = np.where(self.racing, np.nanmean(self.values, axis=1), -np.inf)
        return int(means.argmax())

    def gap(self, option: int) -> tuple[float, float]:
        """By how much an option is better than the best one (negative: worse), over the worlds that
        both played, and the standard error."""
        d = self.values[option] - self.values[self.best]
        d = d[np.isfinite(d)]
        return float(d.mean()), float(d.std(ddof=1) / np.sqrt(len(d)))


def race(
    play: Callable[[NDArray[np.int64], range], Floats], options: int, most: int
) -> Iterator[Standings]:
    """The standings after each round; ``play(which, worlds)`` gives the values (len(which),
    len(worlds)) of some options in some worlds. Ends with one option left or ``most`` worlds."""
    racing = np.ones(options, np.bool_)
    played = np.zeros(options, np.int64)
    values = np.zeros((options, 0))
    done, upto = 0, min(FIRST, most)
    while done < most:
        which = np.flatnonzero(racing)
        found = np.full((options, upto - done), np.nan)
        found[which] = play(which, range(done, upto))
        values = np.concatenate([values, found], axis=1)
        played[which] = upto
        now = Standings(played.copy(), racing.copy(), values)
        for option in which.tolist():
            if option != now.best:
                gap, error = now.gap(option)
                racing[option] = gap >= -BEHIND * error
        yield Standings(played.copy(), racing.copy(), values)
        if racing.sum() == 1:
            return
        done, upto = upto, min(2 * upto, most)
