"""How much of a forecast difference is confirmed when such choices are played on.

The best option by a forecast is too good, the more so the more options there are and the less they
differ. Choices of records that the forecast calls worse by 120 points or more were played to the
end of the hand; the part that is confirmed depends on what was given up, on how few strong players
make the same choice, on the size of the difference, and, where options differ by their risks, on
how often the hand wins: where it hardly does, little but these risks differ. ``haiyomi evaluate
mistakes RECORDS --from 120 --results TABLE`` plays them and writes the table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import hypot, log
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).with_name("confirmed.json")
MANY: Final = 100
"""Of fewer choices the interval is too wide to say more than that they are few."""
MOST_RARE: Final = 7.0
"""The greatest logarithm of how many times as often an option is chosen; none below 0 counts."""
LEAST_SHARES: Final = (0.01, 0.001)
"""The least shares of the better option and of the one taken that the ratio is taken of."""

SLOPES: Final = ("rarer", "rarer_by_risk", "larger", "winning")
"""The slopes of ``ConfirmedParts``, in the order in which the table is fitted."""
TYPICAL: Final = 400.0
"""The difference in points by which parts are stated."""
SIZES: Final = (120.0, 4000.0)
"""The differences below and above which the part is no other."""
TYPICAL_WIN: Final = 0.03
"""The chance to win by which parts are stated: the higher one of the two options."""
WINS: Final = (0.0025, 0.4)
"""Those below and above which the part is no other."""
BY_RISK: Final = ("pushed", "folded", "safety order", "placement")
"""The categories whose parts depend on the chance to win, and less on how rare a choice is."""


@dataclass(frozen=True, slots=True)
class ConfirmedParts:
    """``parts``: by category the part of a forecast difference of TYPICAL points that is confirmed
    where as many strong players choose either option, and, of BY_RISK, the hand wins TYPICAL_WIN of
    the time; ``least`` the lower ends of their 95% intervals, of MANY choices and more. ``rarer``
    is added for each time that the better one is chosen e times as often, of BY_RISK
    ``rarer_by_risk``; ``larger`` where the difference is e times as large; of BY_RISK ``winning``
    where the hand wins e times as often. ``error`` in points and ``growing_error``, a part of the
    difference, joined as the root of the sum of squares: the standard deviation of what is
    confirmed about what is expected."""

    parts: Mapping[str, float]
    least: Mapping[str, float]
    rarer: float
    rarer_by_risk: float
    larger: float
    winning: float
    error: float
    growing_error: float

    def part_of(
        self, category: str, difference: float, better: float, taken: float, win: float
    ) -> float:
        """The part of a forecast difference in points that is confirmed, 0 to 1; ``better`` and
        ``taken``: the shares of strong players who choose the better option and the one that was
        taken; ``win``: the higher of the two options' chances to win."""
        part = self.parts[category] + self._more(category, difference, better, taken, win)
        return min(max(part, 0.0), 1.0)

    def least_of(
        self, category: str, difference: float, better: float, taken: float, win: float
    ) -> float:
        """The part that is confirmed at least, by ``least``."""
        return self.least[category] + self._more(category, difference, better, taken, win)

    def _more(
        self, category: str, difference: float, better: float, taken: float, win: float
    ) -> float:
        by_risk = category in BY_RISK
        rarer = self.rarer_by_risk if by_risk else self.rarer
        more = rarer * rarity(better, taken) + self.larger * size(difference)
        return more + (self.winning * log_win(win) if by_risk else 0)

    def error_of(self, difference: float) -> float:
        """The standard deviation in points of what is confirmed of such a forecast difference."""
        return hypot(self.error, self.growing_error * difference)


@cache
def confirmed_parts() -> ConfirmedParts:
    """The shipped table."""
    fit = json.loads(TABLE.read_text(encoding="utf-8"))["fit"]
    parts = {name: part["value"] for name, part in fit["parts"].items()}
    least = {
        name: part["low"] if part["n"] >= MANY else part["value"]
        for name, part in fit["parts"].items()
    }
    slopes = {name: fit[name]["value"] for name in SLOPES}
    error, growing = fit["error"], fit["growing_error"]
    return ConfirmedParts(parts, least, **slopes, error=error, growing_error=growing)


def rarity(better: float, taken: float) -> float:
    """The logarithm of how many times as often strong players choose the better option, 0 to
    MOST_RARE; both are shares, 0 to 1."""
    least_better, least_taken = LEAST_SHARES
    ratio = max(better, least_better) / max(taken, least_taken)
    return min(max(log(ratio), 0.0), MOST_RARE)


def size(difference: float) -> float:
    """The logarithm of how many times TYPICAL a difference in points is, within SIZES."""
    least, most = SIZES
    return log(min(max(difference, least), most) / TYPICAL)


def log_win(win: float) -> float:
    """The logarithm of how many times TYPICAL_WIN a chance to win is, within WINS."""
    least, most = WINS
    return log(min(max(win, least), most) / TYPICAL_WIN)
