"""Random hands for the kernels' tests: walls, tenpai-like hands, won hands of all kinds."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from haiyomi.kernels.counts import Counts
from haiyomi.tiles import kind_counts, parse_tiles

CHI, PON, DAIMINKAN, KAKAN, ANKAN = range(5)
YAOCHU = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)


def dealt(rng: np.random.Generator, n: int, tiles: int, kinds: int = 34) -> npt.NDArray[np.uint8]:
    """``(n, 34)`` counts of hands dealt from the first kinds of a full wall."""
    first = np.argsort(rng.random((n, 4 * kinds)), axis=1)[:, :tiles] // 4
    counts = np.zeros((n, 34), dtype=np.uint8)
    np.add.at(counts, (np.arange(n)[:, None], first), 1)
    return counts


@dataclass
class Won:
    """A won hand: kinds, melds as (type, lowest kind), the winning kind."""

    concealed: list[int]
    win: int
    melds: list[tuple[int, int]] = field(default_factory=list)


def won(rng: np.random.Generator) -> Won:
    """A random won hand, leaning towards flushes, terminals, honours, triplets and pairs."""
    while True:
        form = rng.random()
        if form < 0.08:
            hand = [k for k in rng.choice(34, 7, replace=False).tolist() for _ in range(2)]
            return Won(hand, int(rng.choice(hand)))
        if form < 0.1:
            hand = [*YAOCHU, int(rng.choice(YAOCHU))]
            return Won(hand, int(rng.choice(hand)))
        pool = _pool(rng)
        triplets = rng.choice([0.1, 0.5, 1.0])
        sets = []
        for _ in range(4):
            k = int(rng.choice(pool))
            if rng.random() < triplets or k >= 27 or k % 9 > 6 or not {k + 1, k + 2} <= set(pool):
                sets.append([k] * 3)
            else:
                sets.append([k, k + 1, k + 2])
        if rng.random() < 0.3 and len(set(sets[0])) == 3:
            sets[1] = list(sets[0])
        pair = int(rng.choice(pool))
        n_melds = int(rng.choice([0, 0, 0, 1, 2, 3, 4]))
        melds, tiles = [], [pair, pair]
        everything = [pair, pair]
        for i, each in enumerate(sets):
            if i >= n_melds:
                tiles += each
                everything += each
            elif len(set(each)) == 3:
                melds.append((CHI, each[0]))
                everything += each
            else:
                meld = int(rng.choice([PON, DAIMINKAN, KAKAN, ANKAN]))
                melds.append((meld, each[0]))
                everything += each if meld == PON else [each[0]] * 4
        if max(everything.count(k) for k in everything) <= 4:
            return Won(tiles, int(rng.choice(tiles)), melds)


def _pool(rng: np.random.Generator) -> list[int]:
    choice = rng.random()
    if choice < 0.3:
        return list(range(34))
    if choice < 0.45:
        suit = int(rng.integers(3))
        return list(range(9 * suit, 9 * suit + 9)) + ([27, 28, 31] if rng.random() < 0.5 else [])
    if choice < 0.6:
        return [*YAOCHU, 1, 2, 10, 11, 19, 20]
    if choice < 0.7:
        return list(range(27, 34))
    if choice < 0.8:
        return [k for k in range(27) if k % 9 in (0, 8)]
    if choice < 0.85:
        return [19, 20, 21, 23, 25, 32]
    first = int(rng.integers(7))
    return [s + first + i for s in (0, 9, 18) for i in range(3)]


def counts_of(*hands: str) -> Counts:
    """(34,) counts of one hand in notation, (n, 34) of several."""
    rows = np.array([kind_counts(parse_tiles(hand)) for hand in hands], np.uint8)
    return rows[0] if len(hands) == 1 else rows


def kinds_in(mask: int) -> list[int]:
    """The kinds of a mask (bit k = kind k), ascending."""
    return [k for k in range(34) if int(mask) >> k & 1]
