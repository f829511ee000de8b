"""Hands that the graph tells apart no more: the answer is that of a graph which tells them apart.

A graph with points keeps every suit, kind and red five apart. A closed hand that wins by its own
draw has a yaku, so with points it wins just as often.
"""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.winning import GraphRules, WinHands, WinValues, win_values
from haiyomi.tiles import N_KINDS


def _dealt(seed: int, distance: int, n: int, tiles: int, seen: int) -> WinHands:
    """Hands of such a shanten, dealt at random with so many other tiles in sight."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((0, N_KINDS), dtype=np.uint8)
    live = np.zeros((0, N_KINDS), dtype=np.uint8)
    while len(counts) < n:
        deck = np.argsort(rng.random((4000, 136)), axis=1) // 4
        held, sight = (
            np.stack([(part == k).sum(axis=1) for k in range(N_KINDS)], axis=1).astype(np.uint8)
            for part in (deck[:, :tiles], deck[:, : tiles + seen])
        )
        found = np.flatnonzero(shanten(held) == distance)[: n - len(counts)]
        counts = np.concatenate([counts, held[found]])
        live = np.concatenate([live, 4 - sight[found]])
    reds = np.zeros((n, 6), dtype=np.bool_)
    for suit in range(3):
        five = 9 * suit + 4
        reds[:, suit] = (counts[:, five] > 0) & (rng.random(n) < 0.4)
        reds[:, 3 + suit] = ~reds[:, suit] & (live[:, five] > 0)
    wall = np.maximum(live.sum(axis=1)[:, None] + 1.0 - np.arange(1, 19), 0)
    return WinHands(counts, live, reds, wall)


def _rows(values: WinValues, i: int) -> dict[int, np.ndarray]:
    return {
        int(code): row[:2]
        for code, row in zip(values.codes[i], values.values[i], strict=True)
        if code >= 0
    }


@pytest.mark.parametrize("must_keep", [False, True])
@pytest.mark.parametrize(
    ("distance", "n", "tiles", "seen"),
    [(3, 12, 14, 30), (4, 12, 14, 0), (4, 8, 13, 30), (5, 3, 14, 0), (5, 2, 13, 20)],
)
def test_merged_hands_win_as_often(
    distance: int, n: int, tiles: int, seen: int, must_keep: bool
) -> None:
    hands = _dealt(10 * distance + tiles + seen, distance, n, tiles, seen)
    merged = win_values(hands, GraphRules(must_keep=must_keep))
    apart = win_values(hands, GraphRules(must_keep=must_keep, points=True, ura=False))
    assert merged.nodes.sum() < apart.nodes.sum()
    for i in range(n):
        mine, theirs = _rows(merged, i), _rows(apart, i)
        assert mine.keys() == theirs.keys()
        for code, values in mine.items():
            np.testing.assert_allclose(values, theirs[code], rtol=0, atol=1e-12)


@pytest.mark.slow
def test_merged_hands_of_six_shanten_win_as_often() -> None:
    hands = _dealt(6, 6, 1, 14, 0)
    merged = win_values(hands, GraphRules())
    apart = win_values(hands, GraphRules(points=True, ura=False))
    for code, values in _rows(merged, 0).items():
        np.testing.assert_allclose(values, _rows(apart, 0)[code], rtol=0, atol=1e-12)
