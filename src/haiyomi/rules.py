"""Rule sets: one frozen value says how a table plays; nothing forks on it by module.

Terms: *kuitan* is all-simples with an open hand; *tobi* ends the game when a player falls
below zero; *pao* makes who fed the last dragon or wind triplet pay for the limit hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from reprlib import repr as shorten
from typing import Any, Final, Self

from haiyomi.errors import RulesError

DEPOSIT: Final = 1000
"""Points that a player deposits for a riichi."""
RIICHI_DRAWS: Final = 4
"""A riichi needs at least so many draws left, so that the player draws again."""
WALL_DRAWS: Final = 70
"""Draws in a hand that goes to its end, those after kans included: 136 tiles less the 52 dealt and
the 14 of the dead wall."""

EXTRA_ROUND: Final = 4
"""Hands of the extra round, played while nobody has reached the target."""
LAST_KYOKU: Final = 15
"""North 4, after which no rules play on."""
MOST_POINTS: Final = 1_000_000
"""More than a table has."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a four-player table; points are in ones (25000), not hundreds.

    ``rounds`` is 1 for an East-only game, 2 for a hanchan (East and South), 4 for a full
    game. ``red_fives``: one in each suit. ``kuitan``: all simples counts with an open hand.
    ``target_points``: an extra round follows while nobody has reached them. ``tobi``: a score
    below zero ends the game. ``multiple_yakuman``: limit hands add up. ``double_yakuman``: the
    special waits of four concealed triplets, thirteen orphans and nine gates, and big four winds,
    count twice. ``kiriage``: 4 han 30 fu and 3 han 60 fu are rounded up to mangan. ``triple_ron``:
    three players may win on one discard, else the hand is aborted. ``wind_pair_fu``: fu of a pair
    that is both round and seat wind. ``immediate_kan_dora``: open kans, too, show their indicator
    at once. ``pao_whole``: who is liable pays for the whole hand, else only for the limit hand
    that they fed. ``rob_ankan``: thirteen orphans may win on a closed kan's tile. ``fast``: the
    clock of Tenhou's fast tables; it changes no rule. Raises RulesError where ``rounds`` is not 1
    to 4 or ``wind_pair_fu`` not 0 to 4, and for points that are no whole numbers or beyond a
    million.
    """

    name: str = "tenhou"
    rounds: int = 2
    red_fives: bool = True
    kuitan: bool = True
    start_points: int = 25000
    target_points: int = 30000
    tobi: bool = True
    multiple_yakuman: bool = True
    double_yakuman: bool = False
    kiriage: bool = False
    triple_ron: bool = False
    wind_pair_fu: int = 4
    immediate_kan_dora: bool = False
    pao_whole: bool = True
    rob_ankan: bool = False
    fast: bool = False

    def __post_init__(self) -> None:
        for name in ("rounds", "wind_pair_fu", "start_points", "target_points"):
            number = getattr(self, name)
            if not isinstance(number, Integral):
                raise RulesError(f"rules: {name} is {number!r}: expected a whole number")
        for name, number, least, most in (
            ("rounds", self.rounds, 1, 4), ("wind_pair_fu", self.wind_pair_fu, 0, 4)
        ):  # fmt: skip
            if not least <= number <= most:
                raise RulesError(f"rules: {name} is {number}: expected {least} to {most}")
        for name in ("start_points", "target_points"):
            if abs(getattr(self, name)) > MOST_POINTS:
                raise RulesError(f"rules: {name} is beyond {MOST_POINTS:,}")

    def but(self, **changes: object) -> Self:
        """The same rules with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def ends_game(
        self, aborted: Any, renchan: Any, least: Any, most: Any, first: Any, next_kyoku: Any
    ) -> Any:
        """Whether the game ends after a hand that ended so: of one, or of arrays (n,).

        It ends when someone falls below zero (tobi); after the last hand of the last round, or of a
        hand of the extra round, if someone has the target; when the dealer of such a hand wins or
        is tenpai, has the target and leads; and with the extra round, or North 4. Abortive draws
        decide nothing, deposits on the table do not count.

        ``aborted``: the hand was. ``renchan``: the dealer stays. ``least`` and ``most`` points of a
        seat; ``first``, the seat that leads; ``next_kyoku``: 0 for East 1 to 15 for North 4.
        """
        last = 4 * self.rounds - 1
        reached = most >= self.target_points
        stays = renchan & reached & (first == next_kyoku % 4)
        extra = min(last + EXTRA_ROUND, LAST_KYOKU)
        passes = (reached & (next_kyoku > last)) | (next_kyoku > extra)
        late = (next_kyoku >= last) & (aborted ^ True)
        return (self.tobi & (least < 0)) | (late & (stays | ((renchan ^ True) & passes)))


TENHOU = Ruleset()
"""Tenhou's ranked four-player hanchan: red fives, kuitan."""
TENHOU_EAST = TENHOU.but(rounds=1)
MAHJONG_SOUL = Ruleset(
    name="mahjong-soul",
    double_yakuman=True,
    triple_ron=True,
    pao_whole=False,
    rob_ankan=True,
)
"""Mahjong Soul's ranked four-player hanchan."""
MAHJONG_SOUL_EAST = MAHJONG_SOUL.but(rounds=1)
NAMED: Final = {
    "tenhou": TENHOU,
    "tenhou-east": TENHOU_EAST,
    "mahjong-soul": MAHJONG_SOUL,
    "mahjong-soul-east": MAHJONG_SOUL_EAST,
}
"""Rules that a name stands for."""


def rules_of(rules: Ruleset | str) -> Ruleset:
    """The rules that are given, or those of a name of ``NAMED``.

    Raises RulesError for what is neither.
    """
    found = rules if isinstance(rules, Ruleset) else NAMED.get(rules)
    if found is None:
        *names, last = NAMED
        raise RulesError(
            f"rules {shorten(rules)} is unknown: expected {', '.join(names)} or {last}"
        )
    return found
