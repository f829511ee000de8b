"""How much of a forecast difference is confirmed when such choices are played on.

The best option by a forecast is too good, the more so the more options there are and the less they
differ. Choices of records that the forecast calls worse by 120 points or more were played to the
end of the hand; the part that is confirmed depends on what was given up and on how few strong
players make the same choice. ``haiyomi evaluate mistakes RECORDS --from 120`` plays and fits these
figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, log
from types import MappingProxyType
from typing import Final

PARTS: Final[Mapping[str, float]] = MappingProxyType({
    "pushed": 0.63,
    "folded": 0.79,
    "efficiency": 0.17,
    "value": 0.19,
    "safety order": 0.57,
    "riichi": 0.59,
    "call": 0.04,
    "missed call": 0.23,
    "kan": 0.38,
    "placement": 0.74,
})  # fmt: skip
"""By category the part of the forecast difference that is confirmed where as many strong players
choose either option. Over 3,255 choices of the train split, with folds by game, this explains 18.1%
of the squared gains, without RARER 17.6%, and one part for all 15.1%. Riichi was fitted again when
the forecast of tenpai hands had changed, .59 [.44, .77] over 131 of 1,788 choices of 106 games; the
other parts lie within the intervals of that fit."""
RARER: Final = 0.06
"""What is added to it for each time that the better option is chosen e times as often."""
MOST_RARE: Final = 7.0
"""The greatest logarithm of that ratio; none below 0 counts."""
LEAST_SHARES: Final = (0.01, 0.001)
"""The least shares of the better option and of the one taken that the ratio is taken of."""
ERROR: Final = 105.0
GROWING_ERROR: Final = 0.51
"""The standard deviation of what is confirmed about what is expected: in points, and as a part of
the forecast difference, joined as the root of the sum of squares."""


def rarity(better: float, taken: float) -> float:
    """The logarithm of how many times as often strong players choose the better option, 0 to
    MOST_RARE; both are shares, 0 to 1."""
    least_better, least_taken = LEAST_SHARES
    ratio = max(better, least_better) / max(taken, least_taken)
    return min(max(log(ratio), 0.0), MOST_RARE)


def part_of(category: str, better: float, taken: float) -> float:
    """The part of a forecast difference that is confirmed, 0 to 1; ``better`` and ``taken``: the
    shares of strong players who choose the better option and the one that was taken."""
    return min(max(PARTS[category] + RARER * rarity(better, taken), 0.0), 1.0)


def error_of(difference: float) -> float:
    """The standard deviation in points of what is confirmed of such a forecast difference."""
    return hypot(ERROR, GROWING_ERROR * difference)
