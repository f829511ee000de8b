"""Wait sets against brute force, and exact counts of complete and tenpai hands."""

from __future__ import annotations

import numpy as np
import pytest
from kernels.random_hands import counts_of, dealt, kinds_in, won

from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.waits import CompleteHands, count_complete, count_tenpai, is_complete, waits


def by_drawing_each(hands: np.ndarray) -> np.ndarray:
    want = np.zeros(len(hands), dtype=np.uint64)
    for k in range(34):
        drawn = hands.copy()
        drawn[:, k] += 1
        ok = drawn[:, k] <= 4
        complete = np.zeros(len(hands), dtype=bool)
        complete[ok] = shanten(drawn[ok]) == -1
        want |= complete.astype(np.uint64) << np.uint64(k)
    return want


@pytest.mark.parametrize("kinds", [34, 9, 6])
@pytest.mark.parametrize("tiles", [1, 4, 7, 10, 13])
def test_waits_by_drawing_each_kind(tiles: int, kinds: int) -> None:
    hands = dealt(np.random.default_rng(tiles), 2000, tiles, kinds)
    assert (waits(hands) == by_drawing_each(hands)).all()


def test_waits_of_hands_that_were_won() -> None:
    rng = np.random.default_rng(2)
    hands = [won(rng) for _ in range(3000)]
    for n_melds in range(5):
        some = [h for h in hands if len(h.melds) == n_melds]
        counts = np.array([np.bincount(h.concealed, minlength=34) for h in some], dtype=np.uint8)
        assert is_complete(counts).all()
        win = np.array([h.win for h in some])
        counts[np.arange(len(some)), win] -= 1
        masks = waits(counts)
        assert (masks >> win.astype(np.uint64) & np.uint64(1)).all()
        assert (masks == by_drawing_each(counts)).all()


def test_complete_is_shanten_minus_one() -> None:
    for tiles in (2, 5, 8, 11, 14):
        hands = dealt(np.random.default_rng(tiles), 3000, tiles, kinds=9)
        assert (is_complete(hands) == (shanten(hands) == -1)).all()


def test_exact_counts_of_complete_hands() -> None:
    assert count_complete() == CompleteHands(11_498_658, 5_379_616, 4_668, 13, 16_873_619)


def test_exact_counts_of_tenpai_hands() -> None:
    assert count_tenpai() == {1: 34, 4: 3_756, 7: 148_809, 10: 3_431_439, 13: 54_747_045}


@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        ("1112345678999m", list(range(9))),
        ("19m19p19s1234567z", [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33]),
        ("19m19p19s1123456z", [33]),
        ("1133557799m113p", [11]),
        ("1111m", []),
        ("1123m", [0, 3]),
        ("1m", [0]),
        ("2345m", [1, 4]),
        ("1123456789m11p", []),
        ("123456789m1122p", [9, 10]),
    ],
)
def test_named_hands(hand: str, kinds: list[int]) -> None:
    counts = counts_of(hand)
    if counts.sum() % 3 == 1:
        assert kinds_in(waits(counts)) == kinds
    else:
        with pytest.raises(ValueError, match="tiles, expected 1, 4, 7, 10 or 13"):
            waits(counts)


def test_bad_input_is_named() -> None:
    hands = dealt(np.random.default_rng(0), 4, 14)
    with pytest.raises(ValueError, match="row 0: 14 tiles, expected 1, 4, 7, 10 or 13"):
        waits(hands)
    with pytest.raises(ValueError, match="row 0: 13 tiles, expected 2, 5, 8, 11 or 14"):
        is_complete(dealt(np.random.default_rng(0), 1, 13))
    with pytest.raises(TypeError, match="uint8"):
        waits(hands.astype(np.int8))
