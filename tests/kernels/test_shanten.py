"""Shanten and useful tiles against outside answers, brute force and exact counts."""

from __future__ import annotations

import gzip
import json
import pathlib
from functools import cache

import numpy as np
import pytest
from kernels.random_hands import counts_of, dealt, kinds_in
from mahjong.shanten import Shanten

from haiyomi.kernels.shanten import (
    NO_FORM,
    shanten,
    shanten_forms,
    shanten_of,
    shanten_of_ids,
    useful,
)

_FIRST = {"m": 0, "p": 9, "s": 18, "z": 27}


@pytest.mark.parametrize("part", [1, 2, 3, 4])
def test_every_outside_case(oracles: pathlib.Path, part: int) -> None:
    with gzip.open(oracles / f"shanten_{part}.jsonl.gz", "rt") as lines:
        cases = [json.loads(line) for line in lines]
    counts = np.zeros((len(cases), 34), dtype=np.uint8)
    for row, case in zip(counts, cases, strict=True):
        for tile in case["q"]:
            row[_FIRST[tile[0]] + int(tile[1]) - 1] += 1
    want = np.array([[c["x"][0], c["x"][2], c["x"][1]] for c in cases])
    assert len(cases) == 5000
    assert (shanten_forms(counts) == want).all()
    assert (shanten(counts) == want.min(axis=1)).all()


@pytest.mark.parametrize("kinds", [34, 13, 9])
@pytest.mark.parametrize("tiles", [1, 2, 4, 5, 7, 8, 10, 11, 13, 14])
def test_another_program_agrees(kinds: int, tiles: int) -> None:
    """``mahjong`` counts blocks, not replacements; it stops at four copies as we do."""
    hands = dealt(np.random.default_rng(tiles), 300, tiles, kinds)
    forms = shanten_forms(hands)
    for hand, form in zip(hands.tolist(), forms.tolist(), strict=True):
        assert form[0] == Shanten.calculate_shanten_for_regular_hand(hand), hand
        if tiles >= 13:
            assert form[1] == Shanten.calculate_shanten_for_chiitoitsu_hand(hand)
            assert form[2] == Shanten.calculate_shanten_for_kokushi_hand(hand)
        else:
            assert form[1:] == [NO_FORM, NO_FORM]


@cache
def _targets(sets: int) -> np.ndarray:
    """All complete standard hands of ``sets`` sets and a pair, built up naively."""
    eye = np.eye(34, dtype=np.int8)
    runs = [eye[k] + eye[k + 1] + eye[k + 2] for k in range(27) if k % 9 <= 6]
    blocks = np.array([*(3 * eye), *runs])
    hands = 2 * eye
    for _ in range(sets):
        more = (hands[:, None] + blocks).reshape(-1, 34)
        hands = np.unique(more[more.max(axis=1) <= 4], axis=0)
    return hands


@pytest.mark.parametrize("kinds", [34, 12])
@pytest.mark.parametrize("tiles", [1, 2, 4, 5, 7, 8])
def test_shanten_is_the_distance_to_the_nearest_complete_hand(tiles: int, kinds: int) -> None:
    """By definition: the tiles lacking for the nearest of all complete hands, less one."""
    targets = _targets(tiles // 3)
    hands = dealt(np.random.default_rng(tiles), 60, tiles, kinds)
    for hand, got in zip(hands.astype(np.int8), shanten(hands).tolist(), strict=True):
        assert got == np.maximum(targets - hand, 0).sum(axis=1).min() - 1


@pytest.mark.parametrize("kinds", [34, 18, 9])
@pytest.mark.parametrize("tiles", [1, 4, 7, 10, 13])
def test_useful_tiles_by_drawing_each(tiles: int, kinds: int) -> None:
    hands = dealt(np.random.default_rng(tiles + 1), 400, tiles, kinds)
    before = shanten(hands)
    masks = useful(hands)
    want = np.zeros(len(hands), dtype=np.uint64)
    for k in range(34):
        drawn = hands.copy()
        drawn[:, k] += 1
        may = drawn[:, k] <= 4
        after = np.full(len(hands), 99)
        after[may] = shanten(drawn[may])
        want |= (after < before).astype(np.uint64) << np.uint64(k)
    assert (masks == want).all()


def test_useful_tiles_of_pairs_and_orphans_by_drawing_each() -> None:
    rng = np.random.default_rng(8)
    hands = []
    for _ in range(300):
        pairs = rng.choice(34, 6, replace=False)
        counts = np.zeros(34, dtype=np.uint8)
        counts[pairs[: rng.integers(3, 7)]] = 2
        while counts.sum() < 13:
            k = rng.integers(34)
            counts[k] += counts[k] < 4
        hands.append(counts)
        orphans = rng.choice([0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33], 13)
        if np.bincount(orphans, minlength=34).max() <= 4:
            hands.append(np.bincount(orphans, minlength=34).astype(np.uint8))
    rows = np.array(hands)
    before, masks = shanten(rows), useful(rows)
    for k in range(34):
        drawn = rows.copy()
        drawn[:, k] += 1
        ok = drawn[:, k] <= 4
        lower = shanten(drawn[ok]) < before[ok]
        assert (lower == (masks[ok] >> np.uint64(k) & np.uint64(1)).astype(bool)).all()


def test_one_discard_and_one_draw_move_shanten_by_one() -> None:
    hands = dealt(np.random.default_rng(3), 2000, 14)
    after = hands.copy()
    first = hands.argmax(axis=1)
    after[np.arange(len(hands)), first] -= 1
    change = shanten(after).astype(int) - shanten(hands)
    assert set(change.tolist()) <= {0, 1}


def test_named_hands() -> None:
    assert shanten(counts_of("123456789m11222p")) == -1
    assert shanten(counts_of("1112345678999m")) == 0
    assert shanten(counts_of("19m19p19s1234567z")) == 0
    # Four of a kind cannot wait for a fifth.
    assert shanten(counts_of("1111m")) == 1
    assert kinds_in(useful(counts_of("1111m"))[()]) == [*range(1, 34)]
    assert shanten(counts_of("1m", "11m", "1111222233334m")).tolist() == [0, -1, 0]


@pytest.mark.parametrize("tiles", [1, 5, 10, 13, 14])
def test_one_hand_in_every_form_has_the_shanten_of_the_batch(tiles: int) -> None:
    hands = dealt(np.random.default_rng(tiles), 100, tiles, 34)
    for hand, want in zip(hands, shanten(hands).tolist(), strict=True):
        kinds = np.repeat(np.arange(34), hand)
        for counts in (hand, hand.tolist(), tuple(hand.tolist()), hand.tobytes(), iter(hand)):
            assert shanten_of(counts) == want
        assert shanten_of_ids([4 * int(k) for k in kinds]) == want
        assert shanten_of_ids(4 * kinds) == want


@pytest.mark.parametrize(
    ("ask", "given", "error", "message"),
    [
        (shanten_of, [0] * 33, ValueError, "33 counts, expected 34"),
        (shanten_of, np.zeros(33, dtype=np.uint8), ValueError, "33 counts, expected 34"),
        (shanten_of, np.zeros(34, dtype=np.int64), TypeError, "one row of uint8"),
        (shanten_of, np.zeros((34, 1), dtype=np.uint8), TypeError, "one row of uint8"),
        (shanten_of, [14, *[0] * 33], ValueError, "a count above 4"),
        (shanten_of, [-1, *[1] * 14, *[0] * 19], ValueError, "a count above 4"),
        (shanten_of, [3, *[0] * 33], ValueError, "3 tiles, expected 1, 2, 4"),
        (shanten_of, 7, TypeError, "not iterable"),
        (shanten_of_ids, [0, 136], ValueError, "no tile id 136: tile ids are 0 to 135"),
        (shanten_of_ids, [2**70], ValueError, "no tile id -1"),
        (shanten_of_ids, [0, 1, 2, 3, 3], ValueError, "a count above 4"),
        (shanten_of_ids, [np.zeros(2, dtype=int)], TypeError, "integer"),
        (shanten_of_ids, ["1m"], TypeError, "tile ids must be integers or flags, not str"),
    ],
)
def test_a_wrong_hand_is_named(ask: object, given: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        ask(given)  # type: ignore[operator]


def test_shape_follows_the_input() -> None:
    hands = dealt(np.random.default_rng(0), 6, 13)
    assert shanten(hands.reshape(2, 3, 34)).shape == (2, 3)
    assert shanten_forms(hands[0]).shape == (3,)
    assert useful(hands[0]).shape == ()
    assert shanten(hands[:0]).shape == (0,)
    assert (shanten(hands[::2]) == shanten(hands)[::2]).all()


@pytest.mark.parametrize("function", [shanten, shanten_forms, useful])
def test_bad_input_is_named(function: object) -> None:
    hands = dealt(np.random.default_rng(0), 4, 13)
    with pytest.raises(TypeError, match="uint8, not int64"):
        function(hands.astype(np.int64))  # type: ignore[operator]
    with pytest.raises(TypeError, match="not list"):
        function(hands.tolist())  # type: ignore[operator]
    with pytest.raises(ValueError, match=r"\(\.\.\., 34\)"):
        function(hands[:, :33])  # type: ignore[operator]
    for change in (5, 255, 128, 127):
        bad = hands.copy()
        bad[2, 7] = change
        with pytest.raises(ValueError, match="row 2: a count above 4"):
            function(bad)  # type: ignore[operator]
    bad = hands.copy()
    bad[3] = 0
    with pytest.raises(ValueError, match="row 3: 0 tiles"):
        function(bad)  # type: ignore[operator]
    bad[3] = 4
    with pytest.raises(ValueError, match="row 3: 136 tiles"):
        function(bad)  # type: ignore[operator]
