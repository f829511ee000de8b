"""How much of a forecast difference is confirmed when such choices are played on.

The best option by a forecast is too good, the more so the more options there are and the less they
differ. Choices of records that the forecast calls worse by 120 points or more were played to the
end of the hand; the part that is confirmed depends on what was given up, on how few strong players
make the same choice, on the size of the difference, of riichi on what a win without it is worth,
and, where options differ by their risks, on how often the hand wins: where it hardly does, little
but these risks differ. After a riichi that was not declared, the policy that goes on may declare it
later: its gain is the mean over three ways of going on. ``haiyomi evaluate mistakes RECORDS --from
120 --results TABLE`` plays them and writes the table.
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
OWN_TURN_FACTOR: Final = 1.15
"""How many times as large the differences at own turns were to which the table was fitted: those of
the forecast are smaller since. Of 2,058 choices of 118 games of valid 1.17 (± .05) times what the
table says was confirmed, of 1,160 of 60 games of train 1.08 (± .07) times; of calls and missed
calls .98 (± .26) and 1.02 (± .23) times."""
MANY: Final = 100
"""Of fewer choices the interval is too wide to say more than that they are few."""
MOST_RARE: Final = 7.0
"""The greatest logarithm of how many times as often an option is chosen; none below 0 counts."""
VERY_RARE: Final = 4.0
"""Of other groups than BY_RISK, CALLS and missed calls only what exceeds this counts."""
LEAST_SHARES: Final = (0.01, 0.001)
"""The least shares of the better option and of the one taken that the ratio is taken of."""

SLOPES: Final = ("rarer", "rarer_by_risk", "rarer_call", "callers", "larger", "winning", "worth")
"""The slopes of ``ConfirmedParts``, in the order of ``terms``."""
TYPICAL: Final = 400.0
"""The difference in points by which parts are stated."""
SIZES: Final = (120.0, 4000.0)
"""The differences below and above which the part is no other."""
TYPICAL_WORTH: Final = 5000.0
"""The points of a win without riichi by which parts are stated, where it was not declared."""
WORTHS: Final = (2000.0, 12_000.0)
"""Those below and above which the part is no other."""
TYPICAL_WIN: Final = 0.03
"""The chance to win by which parts are stated: the higher one of the two options."""
WINS: Final = (0.0025, 0.4)
"""Those below and above which the part is no other."""
LEAST_CALLERS: Final = 0.02
"""The least share that the logarithm of those who call is taken of."""
BY_RISK: Final = ("pushed", "folded", "safer tile", "placement")
"""The groups whose parts depend on the chance to win, and less on how rare a choice is."""
CALL: Final = "call"
SLOW_CALL: Final = "call, no nearer to tenpai"
CALLS: Final = (CALL, SLOW_CALL)
"""The groups of calls that were made, whose parts depend most on how rare the choice is."""
MISSED_CALL: Final = "missed call"
NOT_DECLARED: Final = "riichi not declared"
DECLARED: Final = "riichi declared"
CLOSED_WAIT: Final = "efficiency, closed tenpai"
GROUPS: Final = (
    "pushed", "folded", "efficiency", CLOSED_WAIT, "value", "safer tile", NOT_DECLARED, DECLARED,
    *CALLS, MISSED_CALL, "kan", "placement",
)  # fmt: skip
"""The kinds of choice that have a part each: the categories of what was given up; calls, riichi and
efficiency in two kinds."""


@dataclass(frozen=True, slots=True)
class JudgedChoice:
    """What the part depends on: the ``group``, one of GROUPS, and the ``difference`` of the
    forecasts in points; the shares of strong players who choose the ``better`` option and the one
    that was ``taken``; the higher of the two options' chances to ``win``, and the mean points of a
    win of the option that was taken, its ``worth``."""

    group: str
    difference: float
    better: float
    taken: float
    win: float
    worth: float = TYPICAL_WORTH


def terms(choice: JudgedChoice) -> tuple[float, ...]:
    """The numbers that SLOPES are multiplied by."""
    rare = rarity(choice.better, choice.taken)
    by_risk, call = choice.group in BY_RISK, choice.group in CALLS
    missed, riichi = choice.group == MISSED_CALL, choice.group in (NOT_DECLARED, DECLARED)
    return (
        0.0 if by_risk or call or missed else max(rare - VERY_RARE, 0.0),
        rare if by_risk else 0.0,
        rare if call else 0.0,
        log(2 * max(choice.better, LEAST_CALLERS)) if missed else 0.0,
        0.0 if missed or riichi else size(choice.difference),
        log_win(choice.win) if by_risk else 0.0,
        log_worth(choice.worth) if choice.group == NOT_DECLARED else 0.0,
    )


@dataclass(frozen=True, slots=True)
class ConfirmedParts:
    """``parts``: by group the part of a forecast difference of TYPICAL points that is confirmed
    where as many strong players choose either option, and, of BY_RISK, the hand wins TYPICAL_WIN of
    the time, and, where riichi was not declared, a win without it is worth TYPICAL_WORTH; ``least``
    the lower ends of their 95% intervals, of MANY choices and more.

    ``slopes``, by SLOPES: of CALLS ``rarer_call`` is added for each time that the better one is
    chosen e times as often, of BY_RISK ``rarer_by_risk``, else ``rarer`` for what exceeds
    VERY_RARE; of missed calls ``callers`` for each time that e times as many call; ``larger`` where
    the difference is e times as large, but of missed calls and riichi; of BY_RISK ``winning`` where
    the hand wins e times as often; of riichi that was not declared ``worth`` where a win without it
    is worth e times as much.

    ``error`` in points and ``growing_error``, a part of the difference, joined as the root of the
    sum of squares: the standard deviation of what is confirmed about what is expected.
    ``own_turn_factor``: how many times as much is confirmed now of choices at own turns."""

    parts: Mapping[str, float]
    least: Mapping[str, float]
    slopes: Mapping[str, float]
    error: float
    growing_error: float
    own_turn_factor: float = 1.0

    def part_of(self, choice: JudgedChoice) -> float:
        """The part of the forecast difference that is confirmed, 0 to 1."""
        part = self.parts[choice.group] + self._more(choice)
        return min(max(self._now(choice) * part, 0.0), 1.0)

    def least_of(self, choice: JudgedChoice) -> float:
        """The part that is confirmed at least, by ``least``."""
        return self._now(choice) * (self.least[choice.group] + self._more(choice))

    def _now(self, choice: JudgedChoice) -> float:
        return 1.0 if choice.group in (*CALLS, MISSED_CALL) else self.own_turn_factor

    def _more(self, choice: JudgedChoice) -> float:
        return sum(
            self.slopes[name] * term for name, term in zip(SLOPES, terms(choice), strict=True)
        )

    def error_of(self, difference: float) -> float:
        """The standard deviation in points of what is confirmed of such a forecast difference."""
        return hypot(self.error, self.growing_error * difference)


@cache
def confirmed_parts() -> ConfirmedParts:
    """The shipped table, for the forecast as it is now."""
    fit = json.loads(TABLE.read_text(encoding="utf-8"))["fit"]
    parts = {name: part["value"] for name, part in fit["parts"].items()}
    least = {
        name: part["low"] if part["n"] >= MANY else part["value"]
        for name, part in fit["parts"].items()
    }
    slopes = {name: fit[name]["value"] for name in SLOPES}
    return ConfirmedParts(parts, least, slopes, fit["error"], fit["growing_error"], OWN_TURN_FACTOR)


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


def log_worth(points: float) -> float:
    """The logarithm of how many times TYPICAL_WORTH a win is worth, within WORTHS."""
    least, most = WORTHS
    return log(min(max(points, least), most) / TYPICAL_WORTH)
