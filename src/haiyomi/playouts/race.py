"""Options raced against each other on common worlds.

Every option still in the race is played in the same worlds: 64 first, then twice as many, up to a
most. After each round those leave whose mean lies 3 standard errors of the difference behind the
best. An option is compared with another by the mean of their differences over the worlds, never by
its best worlds.

What comes of a tile that is won on at once is known. The worlds where it is won on are left out of
an option's mean, which stands for the rest of the probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints

FIRST: Final = 64
"""Worlds of the first round."""
TOGETHER: Final = 256
"""At most so many worlds are played between two reports."""
BEHIND: Final = 3.0
"""Standard errors."""


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """What a race has found: ``played`` (m,) worlds of each of m options, whether it is still
    ``racing`` (m,), and the ``values`` (m, worlds): nan where it was not played, or its tile won
    on at once; ``once`` (2, m) the probability of that, and what the option is worth then. The
    first ``played`` worlds of an option are those of all others."""

    played: Ints
    racing: Bools
    values: Floats
    once: Floats

    @property
    def best(self) -> int:
        """The racing option with the largest mean."""
        means = [
            self.by_world(option).mean() if racing else -np.inf
            for option, racing in enumerate(self.racing)
        ]
        return int(np.argmax(means))

    def means(self, worlds: slice) -> Floats:
        """(m,) the value of each option in some of the worlds, which all have played."""
        m, n = self.values[:, worlds].shape
        part = replace(self, played=np.full(m, n), values=self.values[:, worlds])
        return np.array([part.by_world(option).mean() for option in range(m)])

    def by_world(self, option: int, worlds: int | None = None) -> Floats:
        """(n,) what each of the first ``worlds``, by default all played, adds to the option's
        value: their mean is the value, their standard deviation over sqrt(n) its standard error."""
        value = self.values[option, : self.played[option] if worlds is None else worlds]
        kept = np.isfinite(value)
        p, now = self.once[:, option].tolist()
        if not kept.any():
            return np.full(len(value), now)
        mean = value[kept].mean()
        moved = np.where(kept, value - mean, 0) * (len(value) / kept.sum())
        out: Floats = p * now + (1 - p) * (mean + moved)
        return out

    def gap(self, option: int, other: int | None = None) -> tuple[float, float]:
        """By how much an option is better than another, by default the best (negative: worse), over
        the worlds that both played, and the standard error."""
        to = self.best if other is None else other
        n = int(min(self.played[option], self.played[to]))
        d = self.by_world(option, n) - self.by_world(to, n)
        return float(d.mean()), float(d.std(ddof=1) / np.sqrt(n))


def race(
    play: Callable[[Ints, range], Floats],
    options: int,
    most: int,
    once: Floats | None = None,
    first: int = FIRST,
) -> Iterator[Standings]:
    """The standings after every TOGETHER worlds and each round.

    ``play(which, worlds)`` gives the values (len(which), len(worlds)) of some options in some
    worlds, nan where the option's tile is won on at once; ``once`` as of ``Standings``, by default
    of tiles that nobody wins on. Ends with one option left or ``most``
    worlds.
    """
    known = np.zeros((2, options)) if once is None else once
    racing = np.ones(options, np.bool_)
    played = np.zeros(options, np.int64)
    values = np.zeros((options, 0))
    upto = min(first, most)
    while values.shape[1] < most and racing.sum() + (values.shape[1] == 0) > 1:
        which = np.flatnonzero(racing)
        done = values.shape[1]
        worlds = range(done, min(done + TOGETHER, upto))
        found = np.full((options, len(worlds)), np.nan)
        found[which] = play(which, worlds)
        values = np.concatenate([values, found], axis=1)
        played[which] = worlds.stop
        now = Standings(played.copy(), racing.copy(), values, known)
        if worlds.stop == upto:
            best = now.best
            for option in which[which != best].tolist():
                gap, error = now.gap(option, best)
                racing[option] = gap >= -BEHIND * error
            upto = min(2 * upto, most)
            now = Standings(now.played, racing.copy(), values, known)
        yield now
