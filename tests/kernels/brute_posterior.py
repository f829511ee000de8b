"""The posterior by brute force: every hand of a small deck, its shape and weight by the rules."""

from __future__ import annotations

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.kernels.counts import Counts
from haiyomi.kernels.posterior import SUIT_SHAPES, Factors, ways
from haiyomi.kernels.tenpai_hands import wait_forms
from haiyomi.kernels.waits import waits


def bits(
    mask: np.ndarray[tuple[int], np.dtype[np.uint64]],
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return (mask[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)).astype(bool)


def mask_of(kinds: list[int]) -> int:
    return sum(1 << k for k in kinds)


def random_factors(rng: np.random.Generator, unseen: list[int]) -> Factors:
    """Weights of every sort: what all of an answer's parts must agree on."""
    return Factors(
        ways(unseen) * rng.uniform(0.5, 2, (34, 5)),
        rng.uniform(0.5, 2, (4, 14)),
        rng.uniform(0.5, 2, (34, 4)),
        rng.uniform(0.3, 2, len(SUIT_SHAPES)),
        float(rng.uniform(0.3, 2)),
        float(rng.uniform(0.3, 2)),
    )


def every_hand(unseen: list[int], tiles: int) -> Counts:
    """All multisets of so many of the unseen tiles."""
    hands = np.zeros((1, 34), dtype=np.uint8)
    left = np.array([tiles])
    for k in range(34):
        later = sum(unseen[k + 1 :])
        parts = []
        for n in range(unseen[k] + 1):
            keep = (left >= n) & (left - n <= later)
            part = hands[keep].copy()
            part[:, k] = n
            parts.append((part, left[keep] - n))
        hands = np.concatenate([p for p, _ in parts])
        left = np.concatenate([n for _, n in parts])
    return hands


def brute_weights(hands: Counts, factors: Factors) -> Floats:
    """Each tenpai hand's weight from its counts, its waits' readings and its shapes; 0 of
    others. Reads waits by ``wait_forms``, which shares no table with the posterior."""
    out = np.zeros(len(hands))
    closed = int(hands[0].sum()) == 13
    found = waits(hands)
    for i in np.flatnonzero(found):
        hand = hands[i].astype(np.int64)
        weight = float(np.prod(factors.count[np.arange(34), hand]))
        kinds = [k for k in range(34) if int(found[i]) >> k & 1]
        orphan = closed and hand[[0, 8, 9, 17, 18, 26, *range(27, 34)]].sum() == 13
        pairs = closed and (hand == 2).sum() == 6 and (hand == 1).sum() == 1
        suits = [hand[9 * s : 9 * s + 9] for s in range(4)]
        by_suit = [[k for k in kinds if k // 9 == s] for s in range(4)]
        if orphan:
            out[i] = weight * factors.orphans
            continue
        standard = not pairs or standard_tenpai(hand)
        if not standard:
            single = int(np.flatnonzero(hand == 1)[0])
            out[i] = weight * factors.pairs * factors.wait[single, 3]
            continue
        waiting = [s for s in range(4) if by_suit[s]]
        weight *= float(np.prod([factors.tiles[s, suits[s].sum()] for s in range(4)]))
        good = False
        of: dict[int, int] = {}
        for k in kinds:
            forms = wait_forms(hands[i : i + 1], k)[0]
            local = [
                forms[:18].any()
                and any(forms[k // 9 * 6 + a] and k % 9 in (a, a + 3) for a in range(6))
                if k < 27
                else False,
                bool(forms[45 + k]),
                bool(forms[18:45].any()),
                bool(forms[79 + k]),
            ]
            # A nobetan end is a single wait to the core, a two-sided form to the paper.
            true_two = two_sided_reading(hand, k)
            of[k] = 0 if true_two else 1 if local[1] else 2 if local[2] else 3
            good = good or local[0] or local[1]
            weight *= factors.wait[k, of[k]]
        if len(waiting) == 2 and all(suits[s].sum() % 3 == 2 for s in waiting):
            shapes = [13 if len(by_suit[s]) == 1 else 14 for s in waiting]
        else:
            mine = by_suit[waiting[0]]
            shapes = [shape_of([of[k] for k in mine], good)]
        for shape in shapes:
            weight *= factors.shape[shape]
        out[i] = weight
    return out


def standard_tenpai(hand: np.ndarray[tuple[int], np.dtype[np.int64]]) -> bool:
    return any(hand[k] < 4 and complete(add(hand, k)) for k in range(34))


def add(hand: np.ndarray[tuple[int], np.dtype[np.int64]], k: int) -> list[int]:
    out = [int(n) for n in hand]
    out[k] += 1
    return out


def sets_only(c: list[int]) -> bool:
    for k in range(34):
        if c[k] == 0:
            continue
        if c[k] >= 3:
            d = list(c)
            d[k] -= 3
            if sets_only(d):
                return True
        if k < 27 and k % 9 < 7 and c[k + 1] and c[k + 2]:
            d = list(c)
            for j in range(3):
                d[k + j] -= 1
            return sets_only(d)
        return False
    return True


def complete(c: list[int]) -> bool:
    for k in range(34):
        if c[k] >= 2:
            d = list(c)
            d[k] -= 2
            if sets_only(d):
                return True
    return False


def two_sided_reading(hand: np.ndarray[tuple[int], np.dtype[np.int64]], k: int) -> bool:
    """Whether the tile ends a run of which it is an end that the other side could end too."""
    if k >= 27:
        return False
    for first, rank in ((k, k % 9), (k - 2, k % 9 - 2)):
        if not 0 <= rank <= 6 or (first == k and rank == 6) or (first == k - 2 and rank == 0):
            continue
        c = add(hand, k)
        if all(c[first + j] > 0 for j in range(3)):
            for j in range(3):
                c[first + j] -= 1
            if complete(c):
                return True
    return False


def shape_of(kinds: list[int], good: bool) -> int:
    n, of = len(kinds), [kinds.count(i) for i in range(4)]
    if n == 1:
        return 3 if of[0] else 2 if of[1] else (8 if good else 1) if of[2] else 5 if good else 0
    if n == 2:
        if of[0] == 2:
            return 4
        if of[1] == 2:
            return 7
        if of[3] == 2:
            return 5 if good else 6
        return 8 if good else 9
    return 10 if of[0] else 11 if good else 12
