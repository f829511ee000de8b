"""What a game's end is worth to a player: a number for each place, and a worth of the points.

=============================  =============================================================
``90/45/0/-135``               any four numbers, first to last place
``points``                     the points won or lost since the start, in thousands
``points+20/10/-10/-20``       the same and a bonus by place (*uma*)
``tenhou:houou:7``             Tenhou's ranking points: a room, and the own dan
``mahjong-soul:jade:master2``  Mahjong Soul's ranking points: a room, and the own rank
``m-league``                   points of the M-League
=============================  =============================================================

Sources. Tenhou: its manual (https://tenhou.net/man/, dan ranks) and
https://riichi.wiki/Tenhou.net_ranking: first and second place win by the room, last place loses
15 points (East-only 10) for each rank above 3-kyu. Mahjong Soul: https://riichi.wiki/Majsoul: the
points above 25,000 in thousands, rounded up, and 15/5/-5/-15, and by room and rank. The rounding
is left out here. M-League: https://m-league.jp/about/: 30,000 points are worth 0, 50/10/-10/-30.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from haiyomi.arrays import Floats
from haiyomi.errors import HaiyomiError, check_type
from haiyomi.rules import Ruleset

FourNumbers = tuple[float, float, float, float]

MOST: Final = 1_000_000
"""The greatest number that a place may be worth, either way."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """The value of a game's end: ``places[place] + per_thousand * (final - origin) / 1000``.

    ``name`` is what ``parse`` reads; ``places`` for first to last place; ``origin`` the final score
    at which the points are worth nothing.
    """

    name: str
    places: FourNumbers
    per_thousand: float = 0.0
    origin: int = 25000

    @classmethod
    def parse(cls, text: str, rules: Ruleset) -> Payoff:
        """The payoff of a notation of the module's table; some depend on the game's length.

        Raises HaiyomiError for an unknown name and for other than four numbers.
        """
        check_type(text, "payoff=...", str)
        text = text.strip()
        words = text.split(":")
        if words[0] == "tenhou":
            return cls(text, _tenhou(text, words[1:], rules))
        if words[0] == "mahjong-soul":
            return cls(text, _mahjong_soul(text, words[1:], rules), 1.0)
        if text == "m-league":
            return cls(text, (50, 10, -10, -30), 1.0, 30000)
        if text == "points":
            return cls(text, (0, 0, 0, 0), 1.0, rules.start_points)
        if text.startswith("points+"):
            return cls(text, _four(text, text[len("points+") :]), 1.0, rules.start_points)
        return cls(text, _four(text, text))

    def __str__(self) -> str:
        return self.name

    def value(self, placement: ArrayLike, final: ArrayLike) -> Floats:
        """The expected value: of ``placement`` (..., 4) probabilities, first to last place, and
        the expected ``final`` score (...) in points."""
        places = np.asarray(placement, np.float64)
        a, b, c, d = (places[..., place] for place in range(4))
        one, two, three, four = self.places
        # No matrix product: its last bits may depend on how many rows there are.
        worth = a * one + b * two + c * three + d * four
        points = (np.asarray(final, np.float64) - self.origin) / 1000
        out: Floats = worth + self.per_thousand * points
        return out


def _four(text: str, numbers: str) -> FourNumbers:
    """Four numbers separated by slashes, each of at most MOST in size."""
    try:
        if not numbers.isascii() or "_" in numbers:  # which Python reads as numbers
            raise ValueError
        a, b, c, d = map(float, numbers.split("/"))
    except ValueError:
        a = b = c = d = math.nan
    if not all(abs(x) <= MOST for x in (a, b, c, d)):
        raise HaiyomiError(
            f"payoff {text!r}: expected four numbers separated by slashes, each up to {MOST:,}, "
            "first to last place, such as 90/45/0/-135, or a name such as tenhou:houou:7, "
            "mahjong-soul:jade:master2, m-league or points"
        )
    return a, b, c, d


_TENHOU_ROOMS: Final = {
    "ippan": ((20, 10), (30, 15)),
    "joukyuu": ((40, 10), (60, 15)),
    "tokujou": ((50, 20), (75, 30)),
    "houou": ((60, 30), (90, 45)),
}
"""Room -> what first and second place win in an East-only game, and in a hanchan."""


def _tenhou(text: str, words: list[str], rules: Ruleset) -> FourNumbers:
    """Of ``room:dan``; the dan is 1 to 10."""
    room, dan = _two(text, words, "tenhou:houou:7")
    if room not in _TENHOU_ROOMS:
        raise HaiyomiError(f"payoff {text!r}: the rooms are {', '.join(_TENHOU_ROOMS)}")
    if dan not in map(str, range(1, 11)):
        raise HaiyomiError(f"payoff {text!r}: the dan is a number from 1 to 10")
    hanchan = rules.rounds > 1
    first, second = _TENHOU_ROOMS[room][hanchan]
    return first, second, 0, -(15 if hanchan else 10) * (int(dan) + 2)


_SOUL_ROOMS: Final = {
    "bronze": ((10, 5), (20, 10)),
    "silver": ((20, 10), (40, 20)),
    "gold": ((40, 20), (80, 40)),
    "jade": ((55, 30), (110, 55)),
    "throne": ((60, 30), (120, 60)),
}
_SOUL_LAST: Final = {
    "novice": ((0, 0, 0), (0, 0, 0)),
    "adept": ((10, 20, 30), (20, 40, 60)),
    "expert": ((40, 50, 60), (80, 100, 120)),
    "master": ((80, 90, 100), (165, 180, 195)),
    "saint": ((110, 120, 130), (210, 225, 240)),
}
"""Rank -> what the last place loses at its three levels: East-only, hanchan."""
_SOUL_UMA: Final = (15, 5, -5, -15)


def _mahjong_soul(text: str, words: list[str], rules: Ruleset) -> FourNumbers:
    """Of ``room:rank``; the rank is a name and 1 to 3."""
    room, rank = _two(text, words, "mahjong-soul:jade:master2")
    if room not in _SOUL_ROOMS:
        raise HaiyomiError(f"payoff {text!r}: the rooms are {', '.join(_SOUL_ROOMS)}")
    if rank[:-1] not in _SOUL_LAST or rank[-1] not in "123":
        raise HaiyomiError(
            f"payoff {text!r}: the rank is {', '.join(_SOUL_LAST)} and 1, 2 or 3, such as master2"
        )
    hanchan = rules.rounds > 1
    first, second = _SOUL_ROOMS[room][hanchan]
    last = _SOUL_LAST[rank[:-1]][hanchan][int(rank[-1]) - 1]
    return _SOUL_UMA[0] + first, _SOUL_UMA[1] + second, _SOUL_UMA[2], _SOUL_UMA[3] - last


def _two(text: str, words: list[str], example: str) -> tuple[str, str]:
    if len(words) != 2 or not all(words):
        raise HaiyomiError(f"payoff {text!r}: expected a room and a rank, such as {example}")
    return words[0], words[1]
