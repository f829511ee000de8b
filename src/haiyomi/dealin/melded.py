"""Ron by an opponent with open melds: every tenpai hand it may hold, (9)-(18).

Each hand of the core's table is scored once for a set of melds (kept in a small cache), then
weighted for every position. One meld is read as the paper's virtual seven-tile hand (5.2.4):
with its meld that is an eleven-tile hand of three sets and a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from haiyomi.arrays import Bytes
from haiyomi.dealin.features import meld_suits
from haiyomi.game.player_view import Meld
from haiyomi.kernels.scoring import MeldType
from haiyomi.kernels.tenpai_hands import RonDistribution, ron_distribution, score_open
from haiyomi.rules import Ruleset

CONCEALED = {1: 7, 2: 7, 3: 4, 4: 1}
"""Tiles of the enumerated hand by number of melds."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """All that the score of an open hand depends on but its concealed tiles.

    ``melds`` as (core code, lowest kind); ``dora`` han by kind; ``reds`` among the melds.
    """

    melds: tuple[tuple[int, int], ...]
    round_wind: int
    seat_wind: int
    dora: tuple[int, ...]
    reds: int
    houtei: bool
    chankan: bool
    kuitan: bool
    kiriage: bool
    wind_pair_fu: int


def circumstances(
    melds: Sequence[Meld],
    round_wind: int,
    seat_wind: int,
    dora: tuple[int, ...],
    rules: Ruleset,
    houtei: bool = False,
    chankan: bool = False,
) -> Circumstances:
    """The Circumstances of an opponent's melds."""
    return Circumstances(
        tuple((int(MeldType[m.kind.upper()]), int(m.base)) for m in melds),
        round_wind,
        seat_wind,
        dora,
        sum(tile.red for m in melds for tile in m.tiles),
        houtei,
        chankan,
        rules.kuitan,
        rules.kiriage,
        rules.wind_pair_fu,
    )


@lru_cache(maxsize=64)
def scores(tiles: int, given: Circumstances) -> Bytes:
    """(waits, 2) han and fu of every (hand, winning kind) of the core's table."""
    return score_open(
        tiles,
        given.melds,
        round_wind=given.round_wind,
        seat_wind=given.seat_wind,
        dora=given.dora,
        meld_reds=given.reds,
        houtei=given.houtei,
        chankan=given.chankan,
        kuitan=given.kuitan,
        kiriage=given.kiriage,
        wind_pair_fu=given.wind_pair_fu,
    )


def melded_ron(
    melds: Sequence[Meld],
    given: Circumstances,
    unseen: Sequence[int],
    reds_seen: int,
    furiten_mask: int,
    tenpai: Sequence[float],
    poor_wait: float,
    yakuless: float,
    passed: int,
    passed_wait: float,
) -> RonDistribution:
    """The distribution of (9) for one opponent of one to four melds.

    Four melds are (10)-(11); otherwise hands are weighted by the factors (14)-(16), their
    product normalised within each colour, (12)-(13), and mixed over colours, (17)-(18).

    ``tenpai``: P(tenpai and colour) for m, p, s, several (ignored with four melds, which are
    always tenpai). ``poor_wait``: factor (15); ``yakuless`` if a hand can win on nothing;
    ``passed_wait`` if it waits on a kind of the mask ``passed``.
    """
    tiles = CONCEALED[len(melds)]
    scored = scores(tiles, given)
    return ron_distribution(
        tiles,
        scored,
        unseen,
        tenpai=tenpai,
        meld_suits=meld_suits(melds),
        reds_unseen=~reds_seen & 7,
        furiten=furiten_mask,
        poor_wait=poor_wait,
        yakuless=yakuless,
        passed=passed,
        passed_wait=passed_wait,
        certain=len(melds) == 4,
    )
