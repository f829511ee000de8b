"""Waits of tenpai hands, and the name of the one that a tile completes: by a plain reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from haiyomi.dealin.waits import WAITS
from haiyomi.game.decision_record import as_bytes
from haiyomi.game.observation import NONE, OBSERVATION
from haiyomi.kernels.posterior import Factors, Posterior, Shown, ron_cells
from haiyomi.kernels.scoring import MeldType
from haiyomi.kernels.tenpai_hands import wait_forms
from haiyomi.kernels.waits import waits

Part = tuple[str, int]


def readings(counts: list[int], sets: int) -> Iterator[list[Part]]:
    """Every way to take sets and one pair, as (what, lowest kind), from the left."""

    def take(counts: list[int], sets: int, pair: bool) -> Iterator[list[Part]]:
        k = next((k for k in range(34) if counts[k]), None)
        if k is None:
            if sets == 0 and not pair:
                yield []
            return
        options: list[tuple[str, list[int]]] = []
        if pair and counts[k] >= 2:
            options.append(("pair", [k, k]))
        if sets and counts[k] >= 3:
            options.append(("triplet", [k, k, k]))
        if sets and k < 27 and k % 9 < 7 and counts[k + 1] and counts[k + 2]:
            options.append(("run", [k, k + 1, k + 2]))
        for what, tiles in options:
            left = list(counts)
            for tile in tiles:
                left[tile] -= 1
            for rest in take(left, sets - (what != "pair"), pair and what != "pair"):
                yield [(what, k), *rest]

    yield from take(counts, sets, True)


def plain(hand: list[int], win: int) -> set[int]:
    """The numbers of the waits that a kind completes, by their tiles."""
    found = set()
    complete = list(hand)
    complete[win] += 1
    n = sum(hand)
    if complete[win] > 4:
        return found

    def number(shape: str, wins: set[int], held: set[int]) -> int:
        (i,) = (
            i
            for i, w in enumerate(WAITS)
            if w.shape == shape and set(w.wins) == wins and set(w.held) == held
        )
        return i

    for parts in readings(complete, (n - 1) // 3):
        pair = next(k for what, k in parts if what == "pair")
        runs = {k for what, k in parts if what == "run"}
        ends = set()
        if pair == win and win < 27:
            # 4567 waits on both ends, whichever is read as the pair.
            if win + 1 in runs and win % 9 < 6:
                ends.add(win)
            if win - 3 in runs and win % 9 >= 3:
                ends.add(win - 3)
        if pair == win and not ends:
            found.add(79 + win)
        for k in runs & {win, win - 1, win - 2}:
            if win == k + 1:
                found.add(number("edge-closed", {win}, {k, k + 2}))
            elif (win == k and k % 9 == 6) or (win == k + 2 and k % 9 == 0):
                found.add(number("edge-closed", {win}, {k, k + 1, k + 2} - {win}))
            else:
                ends.add(win if win == k else win - 3)
        found |= {number("two-sided", {a, a + 3}, {a + 1, a + 2}) for a in ends}
        if ("triplet", win) in parts:
            found |= {45 + win, 45 + pair}
    if n == 13 and sorted(c for c in complete if c) == [2] * 7:
        found.add(79 + win)
    return found


def some_hands(n: int) -> Iterator[tuple[list[int], int]]:
    """Tenpai hands and a kind that each waits on: of few suits, so that many read in many ways."""
    rng = np.random.default_rng(20261122)
    while n:
        tiles = int(rng.choice([1, 4, 7, 10, 13]))
        kinds = rng.choice(34, size=34, replace=False)[: int(rng.integers(5, 12))]
        if rng.random() < 0.6:
            kinds = np.arange(9) + 9 * int(rng.integers(3))
        wall = np.repeat(kinds, 4)
        counts = np.bincount(rng.choice(wall, size=tiles, replace=False), minlength=34)
        mask = int(waits(counts[None].astype(np.uint8))[0])
        for k in range(34):
            if mask >> k & 1 and n:
                n -= 1
                yield counts.tolist(), k


def name_of(hand: list[int], win: int) -> int:
    """What the core calls the wait of an opponent that can have no other hand, in riichi, with
    closed kans of other kinds."""
    held = np.array(hand)
    row = np.zeros(1, OBSERVATION)
    row["players"]["melds"], row["players"]["riichi"], row["indicators"] = NONE, -1, NONE
    row["players"]["riichi"][0, 1], row["unseen"], row["draws_left"] = 3, 4, 40
    free = [k for k in range(34) if not held[k] and k != win]
    for i in range((13 - sum(hand)) // 3):
        row["players"]["melds"][0, 1, i] = int(MeldType.ANKAN), free[i], NONE, 0, NONE, 0
    count = np.zeros((34, 5))
    count[np.arange(34), held] = 1
    posterior = Posterior(sum(hand), replace(Factors.flat([4] * 34), count=count))
    shown = Shown(as_bytes(row), np.ones(1, np.uint8))
    found = ron_cells([posterior], shown, [win], np.full((1, 1), 5, np.int32), np.ones((1, 1)), 0.5)
    ((opponent, place, name, hands),) = found.waits.tolist()
    assert (opponent, place, hands) == (0, 0, 5)
    return int(name)


def test_forms_and_names_are_those_of_a_plain_reading() -> None:
    shapes = set()
    for hand, win in some_hands(600):
        rows = np.array([hand], np.uint8)
        found = plain(hand, win)
        assert set(np.flatnonzero(wait_forms(rows, win)[0]).tolist()) == found, (hand, win)
        first, other = divmod(name_of(hand, win), 114)
        # The first of all; of a shanpon the pair beside the tile's own.
        assert first == min(found, default=113), (hand, win)
        pairs = sorted(f for f in found if 45 <= f < 79 and f != 45 + win)
        assert other == (pairs[0] if 45 <= first < 79 and pairs else 113), (hand, win)
        shapes.add(WAITS[first].shape if first < 113 else "none")
    assert shapes >= {"two-sided", "edge-closed", "shanpon", "single"}


def test_any_winning_tile_asks_for_all_of_them() -> None:
    for hand, _ in some_hands(60):
        rows = np.array([hand], np.uint8)
        every = set().union(*(plain(hand, k) for k in range(34)))
        assert set(np.flatnonzero(wait_forms(rows)[0]).tolist()) == every, hand


def test_thirteen_orphans_have_no_name() -> None:
    orphans = [0, 8, 9, 17, 18, 26, *range(27, 34)]
    assert name_of([int(k in orphans) for k in range(34)], 0) == 113 * 114 + 113


@pytest.mark.parametrize("win", [-2, 34])
def test_a_kind_that_is_none_is_refused(win: int) -> None:
    hand = np.zeros((1, 34), np.uint8)
    hand[0, 5] = 1
    with pytest.raises(ValueError, match="win must be -1 to 33"):
        wait_forms(hand, win)
