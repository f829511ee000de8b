"""The closed forms against the products, the kernel and simulated draws."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from haiyomi.errors import HaiyomiError
from haiyomi.kernels.winning import (
    SEVEN_PAIRS,
    THIRTEEN_ORPHANS,
    GraphRules,
    WinHands,
    win_values,
)
from haiyomi.tiles import YAOCHU, kind_counts, parse_tiles
from haiyomi.winning.irregular import seven_pairs, thirteen_orphans
from haiyomi.winning.unbranched import backward, closed_form, forward

CHAINS = [(4,), (20, 8), (36, 20, 8), (8, 8), (8, 8, 8, 4), (0, 4), (60, 44, 30, 12, 7, 3)]


@pytest.mark.parametrize("useful", CHAINS)
def test_forward_backward_and_closed_form_agree_at_every_cut(useful: tuple[int, ...]) -> None:
    wall = 123
    for turns in (0, 1, 2, 5, 18):
        won = closed_form(useful, wall, turns)
        assert won == forward(useful, wall, turns)[-1]
        for cut in range(turns + 1):
            q = forward(useful, wall, cut)
            p = backward(useful, wall, turns, turns - cut)
            assert sum(q) == 1
            assert sum(a * b for a, b in zip(q, p, strict=True)) == won, "(5)"
        assert 0 <= won <= 1


def test_the_printed_sum_for_distinct_numbers() -> None:
    useful, wall, turns = (36, 20, 8), 100, 12
    a = [*useful, 0]
    total = Fraction(0)
    for i, x in enumerate(a):
        miss = Fraction(1)
        for u in range(turns):
            miss *= Fraction(wall - u - x, wall - u)
        for n in useful:
            miss *= n
        for j, y in enumerate(a):
            if j != i:
                miss /= y - x
        total += miss
    assert total == closed_form(useful, wall, turns)


def test_more_useful_tiles_than_wall_are_named() -> None:
    with pytest.raises(HaiyomiError, match="30 useful tiles after 0 draws from a wall of 20"):
        closed_form((30,), 20, 2)
    with pytest.raises(HaiyomiError, match="21 draws from a wall of 20"):
        forward((3,), 20, 21)


def _kernel(hand: str, forms: int, wall: int) -> np.ndarray:
    counts = np.array([kind_counts(parse_tiles(hand))], dtype=np.uint8)
    turns = np.arange(1, 19)
    # The first draw is from the whole wall: entry t has 18 - t draws to come.
    hands = WinHands(counts, 4 - counts, np.zeros((1, 6), bool), (wall + 1.0 - turns)[None])
    return win_values(hands, GraphRules(forms=forms)).values[0, 0]


@pytest.mark.parametrize("hand", ["1133m2244p5566s7z", "1199m27p358s12z66z", "1379m2468p24s125z"])
def test_seven_pairs_are_the_kernels(hand: str) -> None:
    counts = kind_counts(parse_tiles(hand))
    _against_kernel(_kernel(hand, SEVEN_PAIRS, 123), lambda wall, n: seven_pairs(counts, wall, n))


@pytest.mark.parametrize(
    "hand",
    [
        "19m19p19s1234567z",
        "119m19p19s123456z",
        "19m159p19s12345z1m",
        "1357m19p29s1234z7z",
        "258m258p258s1122z",
    ],
)
def test_thirteen_orphans_are_the_kernels(hand: str) -> None:
    counts = kind_counts(parse_tiles(hand))
    _against_kernel(
        _kernel(hand, THIRTEEN_ORPHANS, 123), lambda wall, n: thirteen_orphans(counts, wall, n)
    )


def _against_kernel(values: np.ndarray, closed: Callable[[int, int], tuple[float, float]]) -> None:
    for t in (18, 17, 13, 1):
        # Entry t has 18 - t draws to come, the first of them from 124 - t tiles.
        tenpai, win = closed(124 - t, 18 - t)
        assert values[1, t - 1] == pytest.approx(tenpai, abs=1e-12)
        assert values[0, t - 1] == pytest.approx(win, abs=1e-12)


@pytest.mark.parametrize("draws", [6, 17])
def test_thirteen_orphans_are_what_is_dealt(draws: int) -> None:
    rng = np.random.default_rng(20)
    counts = kind_counts(parse_tiles("19m19p149s123567z"))
    wall = np.repeat(np.arange(34), 4 - np.array(counts))
    n = 40_000
    drawn = rng.permuted(np.tile(wall, (n, 1)), axis=1)[:, :draws]
    hands = np.stack([(drawn == k).sum(axis=1) for k in YAOCHU], axis=1)
    hands += np.array([counts[k] for k in YAOCHU])
    kinds = (hands > 0).sum(axis=1)
    paired = (hands > 1).any(axis=1)
    tenpai, win = thirteen_orphans(counts, len(wall), draws)
    for seen, expected in (((kinds == 13) & paired, win), (kinds + paired >= 13, tenpai)):
        sigma = (expected * (1 - expected) / n) ** 0.5
        assert abs(seen.mean() - expected) < 4 * sigma


@pytest.mark.parametrize("draws", [4, 17])
@pytest.mark.parametrize("hand", ["1133m2244p5566s7z", "1199m27p358s12z66z", "1379m2468p24s125z"])
def test_seven_pairs_are_what_is_dealt(hand: str, draws: int) -> None:
    """A drawn tile that pairs a single one is kept and another single one thrown."""
    rng = np.random.default_rng(draws)
    counts = np.array(kind_counts(parse_tiles(hand)))
    wall = np.repeat(np.arange(34), 4 - counts)
    n = 40_000
    drawn = rng.permuted(np.tile(wall, (n, 1)), axis=1)[:, :draws]
    single = np.tile(counts == 1, (n, 1))
    pairs = np.full(n, int((counts == 2).sum()))
    every = np.arange(n)
    for kinds in drawn.T:
        made = single[every, kinds]
        pairs += made
        single[every[made], kinds[made]] = False
        thrown = single.argmax(axis=1)
        single[every[made], thrown[made]] = False
    tenpai, win = seven_pairs(counts.tolist(), len(wall), draws)
    for seen, expected in ((pairs == 7, win), (pairs >= 6, tenpai)):
        sigma = (expected * (1 - expected) / n) ** 0.5
        assert abs(seen.mean() - expected) <= 4 * sigma
