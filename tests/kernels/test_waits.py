"""Wait sets against brute force, and exact counts of complete and tenpai hands."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from kernels.random_hands import counts_of, dealt, kinds_in, won

from haiyomi.kernels.shanten import shanten, shanten_forms
from haiyomi.kernels.waits import waits


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
        assert (shanten(counts) == -1).all()
        win = np.array([h.win for h in some])
        counts[np.arange(len(some)), win] -= 1
        masks = waits(counts)
        assert (masks >> win.astype(np.uint64) & np.uint64(1)).all()
        assert (masks == by_drawing_each(counts)).all()


def suit_counts(first: int, kinds: int) -> dict[str, np.ndarray]:
    """Of all hands of one suit, by their number of tiles: of sets, of sets and a pair, lacking one
    tile of either, and those of sets and a pair that lack one tile of sets."""
    at = np.arange(5**kinds)
    counts = np.stack(np.unravel_index(at, (5,) * kinds), axis=-1)
    tiles = counts.sum(axis=1)
    complete = np.zeros(len(at), dtype=bool)
    for rest, pair in ((0, 2), (2, 0)):
        some = (tiles % 3 == rest) & (tiles + pair <= 14)
        hands = np.zeros((some.sum(), 34), dtype=np.uint8)
        hands[:, first : first + kinds] = counts[some]
        hands[:, 33 - first] = pair  # of another suit
        complete[some] = shanten_forms(hands)[:, 0] == -1
    masks = np.zeros(len(at), dtype=np.uint64)
    for k in range(kinds):
        drawn = complete.take(at + 5 ** (kinds - 1 - k), mode="clip") & (counts[:, k] < 4)
        masks |= drawn.astype(np.uint64) << np.uint64(first + k)
    for n in (1, 4, 7, 10):
        hands = np.zeros(((tiles == n).sum(), 34), dtype=np.uint8)
        hands[:, first : first + kinds] = counts[tiles == n]
        assert (waits(hands) == masks[tiles == n]).all()
    wait = masks > 0
    return {
        name: np.bincount(tiles[some], minlength=15)[:15]
        for name, some in {
            "sets": complete & (tiles % 3 == 0),
            "pair": complete & (tiles % 3 == 2),
            "one": wait & (tiles % 3 == 1),
            "two": wait & (tiles % 3 == 2),
            "both": complete & wait & (tiles % 3 == 2),
        }.items()
    }


def test_exact_counts_of_complete_and_tenpai_hands() -> None:
    """All hands of the standard form, as others have counted them."""
    suits = [suit_counts(0, 9)] * 3 + [suit_counts(27, 7)]

    def joined(given: dict[int, str]) -> np.ndarray:
        """The hands by number of tiles: what is given of some suits, sets of the others."""
        total = np.ones(1, dtype=np.int64)
        for i, suit in enumerate(suits):
            total = np.convolve(total, suit[given.get(i, "sets")])
        return total

    assert sum(joined({i: "pair"})[14] for i in range(4)) == 11_498_658
    tenpai = sum(joined({i: "one"}) for i in range(4))
    for i, j in combinations(range(4), 2):
        tenpai += joined({i: "pair", j: "two"}) + joined({i: "two", j: "pair"})
        tenpai -= joined({i: "both", j: "both"})
    assert tenpai[1:14:3].tolist() == [34, 3_756, 148_809, 3_431_439, 54_747_045]


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
    with pytest.raises(TypeError, match="uint8"):
        waits(hands.astype(np.int8))
