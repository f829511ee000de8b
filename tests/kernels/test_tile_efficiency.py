"""Tile efficiency against plain counting."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.kernels.shanten import shanten, useful
from haiyomi.kernels.tile_efficiency import tile_efficiency


def _tiles(mask: int, unseen: np.ndarray) -> int:
    return sum(int(unseen[k]) for k in range(34) if mask >> k & 1)


def test_tile_efficiency_by_plain_counting() -> None:
    rng = np.random.default_rng(1)
    hands = []
    for size in (14, 14, 14, 11, 8, 5):
        deck = np.repeat(np.arange(34), 4)
        hands.append(np.bincount(rng.permutation(deck)[:size], minlength=34))
    counts = np.array(hands, np.uint8)
    unseen = (4 - counts).astype(np.uint8)
    unseen[:, ::5] = np.minimum(unseen[:, ::5], 1)
    found = tile_efficiency(counts, unseen)
    for hand, left, result in zip(counts, unseen, found, strict=True):
        least = min(int(o[0]) for o in result)
        for k in range(34):
            if hand[k] == 0:
                assert result[k].tolist() == [255, 0, 0, 0]
                continue
            after = hand.copy()
            after[k] -= 1
            mask = int(useful(after[None])[0])
            assert result[k, 0] == shanten(after[None])[0]
            assert result[k, 1] == _tiles(mask, left)
            assert result[k, 2] == sum(left[t] > 0 and mask >> t & 1 for t in range(34))
            if result[k, 0] != least or least == 0 or result[k, 1] == 0:
                assert result[k, 3] == 0
                continue
            total = 0
            for t in range(34):
                if mask >> t & 1 and left[t]:
                    drawn = after.copy()
                    drawn[t] += 1
                    best = 0
                    for d in np.flatnonzero(drawn):
                        rest = drawn.copy()
                        rest[d] -= 1
                        if shanten(rest[None])[0] == least - 1:
                            best = max(best, _tiles(int(useful(rest[None])[0]), left))
                    total += int(left[t]) * best
            assert result[k, 3] == min(4 * total // int(result[k, 1]), 254)


def test_tile_efficiency_refuses_other_hands() -> None:
    with pytest.raises(ValueError, match="row 0"):
        tile_efficiency(np.ones((1, 34), np.uint8), np.ones((1, 34), np.uint8))
