"""Every tenpai hand of a few concealed tiles, its scores and its weighted sums.

The core tables, once, all standard-form tenpai hands of 1, 4, 7 or 10 concealed tiles (34;
3,756; 148,809; 3,431,439 of them), what each waits on and how each wait completes it.
Thirteen orphans and seven pairs are not included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.arrays import Bools, Bytes, Floats
from haiyomi.kernels.counts import Counts, as_rows


class TenpaiHands(NamedTuple):
    """``counts`` (n, 34) uint8; ``waits`` (n,) uint64, bit k for kind k; ``good`` (n,) bool:
    some reading waits two-sided (nobetan too) or on two pairs."""

    counts: Bytes
    waits: npt.NDArray[np.uint64]
    good: Bools


def tenpai_hands(tiles: int) -> TenpaiHands:
    """The table for 1, 4, 7 or 10 concealed tiles. Raises ValueError for another number."""
    counts, waits, good = _core.tenpai_hands(tiles)
    return TenpaiHands(counts, waits, good.astype(np.bool_))


def wait_index(tiles: int) -> npt.NDArray[np.uint32]:
    """(m, 2): (hand, winning kind) of every row that ``score_open`` gives."""
    return _core.tenpai_wait_index(tiles)


def score_open(
    tiles: int,
    melds: Sequence[tuple[int, int]],
    *,
    round_wind: int,
    seat_wind: int,
    dora: Sequence[int],
    meld_reds: int = 0,
    houtei: bool = False,
    chankan: bool = False,
    kuitan: bool = True,
    kiriage: bool = False,
    wind_pair_fu: int = 4,
) -> Bytes:
    """(m, 2) uint8 han and fu of a ron with every hand of the table, on every kind it waits on.

    ``melds``: (``MeldType``, lowest kind), at least one of them open; one meld with seven tiles
    makes an eleven-tile hand. ``dora``: 34 han a tile of each kind brings; ``meld_reds`` red
    fives among the melds, those of the concealed part are left out. (0, 0) without a yaku, fu 0
    for a limit hand. Raises ValueError.
    """
    return _core.score_open(
        tiles,
        list(melds),
        round_wind,
        seat_wind,
        np.array(dora, dtype=np.uint8),
        meld_reds,
        houtei,
        chankan,
        kuitan,
        kiriage,
        wind_pair_fu,
    )


class RonDistribution(NamedTuple):
    """``ron`` (34, 14, 12) probability of a ron by kind, han (13: limit hand) and fu / 10 (2 =
    25 fu, 0 = limit hand); ``wait`` (34,) of waiting, with a yaku or not; ``possible`` kinds on
    which some hand that the unseen tiles allow could win; ``totals`` weights of the hands of
    m, p, s, several colours; ``hands`` how many the unseen tiles allow."""

    ron: Floats
    wait: Floats
    possible: int
    totals: tuple[float, float, float, float]
    hands: int


def ron_distribution(
    tiles: int,
    scores: Bytes,
    unseen: Sequence[int] | Bytes,
    *,
    tenpai: Sequence[float],
    meld_suits: int = 0,
    reds_unseen: int = 0,
    furiten: int = 0,
    poor_wait: float = 0.2,
    yakuless: float = 1.0,
    passed: int = 0,
    passed_wait: float = 1.0,
    certain: bool = False,
) -> RonDistribution:
    """The weighted sum over every hand of the table: equations (9)-(18) of Kurita and Hoki.

    ``scores`` as ``score_open`` gives them; ``unseen`` 34 counts 0-4; ``tenpai`` P(tenpai and
    colour) of m, p, s, several; ``meld_suits`` and ``reds_unseen`` bits m p s; ``furiten`` and
    ``passed`` masks of kinds. A hand that waits on a furiten kind weighs nothing; factors:
    ``poor_wait`` without a good wait, ``yakuless`` if it can win on nothing, ``passed_wait`` if it
    waits on a passed kind. ``certain``: tenpai is certain and only hands that can win
    count. Raises ValueError.
    """
    ron, wait, possible, totals, hands = _core.ron_distribution(
        tiles,
        scores,
        np.asarray(unseen, dtype=np.uint8),
        reds_unseen,
        furiten,
        meld_suits,
        (tenpai[0], tenpai[1], tenpai[2], tenpai[3]),
        poor_wait,
        yakuless,
        passed,
        passed_wait,
        certain,
    )
    mps = (totals[0], totals[1], totals[2], totals[3])
    return RonDistribution(ron, wait, possible, mps, hands)


def wait_forms(concealed: Counts, win: int | npt.NDArray[np.integer[Any]] = -1) -> Bools:
    """(n, 113) which waits each concealed tenpai hand contains, in any reading.

    ``concealed`` (n, 34) uint8 of 1, 4, 7, 10 or 13 tiles. ``win``: only the readings that this
    kind completes, one for all or a kind for each hand. Waits 0-17 are two-sided (suit * 6 + lower
    rank), 18-44 edge and closed (suit * 9 + 0 for 12, 8 for 89, else the middle's rank), 45-78 the
    pairs of shanpon waits, 79-112 single waits (nobetan ends left out, seven pairs' included).
    Raises ValueError.
    """
    rows = as_rows(concealed)
    wins = np.ascontiguousarray(np.broadcast_to(win, len(rows)), dtype=np.int8)
    return _core.wait_forms(rows, wins).astype(np.bool_)
