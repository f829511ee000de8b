"""A red five thrown is expected to go on nearly as the plain five beside it."""

from __future__ import annotations

import numpy as np
from forecasts import any_later, played

from haiyomi.outcomes.corrections.red_fives import (
    APART,
    HAN_LESS,
    KEPT,
    a_han_less,
    like_plain_fives,
)
from haiyomi.outcomes.forecast import possible_ending
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.tiles import Tile


def test_the_difference_to_the_plain_five_is_a_part_of_what_it_was() -> None:
    """Of discards and declarations; other options keep their bits."""
    every = [d for seed in range(6) for d in played(seed) if d.offer is None]
    block = OptionBlock.of(every)
    before = possible_ending(block, any_later(block, members=2))
    after = like_plain_fives(block, before)
    named = zip(block.row.tolist(), block.flat, strict=True)
    at = {each: i for i, each in enumerate(named)}
    moved = np.zeros(len(block.act), np.bool_)
    for (row, option), i in at.items():
        if option.act not in ("discard", "riichi") or not option.tiles[0].red:
            continue
        five = str(option.tiles[0]).replace("0", "5")
        j = at.get((row, Option(option.act, (Tile.parse(five),))))
        if j is None:
            continue
        moved[i] = True
        gap, left = before[..., i] - before[..., j], after[..., i] - after[..., j]
        np.testing.assert_allclose(left, APART * gap, atol=1e-12)
    assert moved.sum() > 5
    np.testing.assert_array_equal(after[..., ~moved], before[..., ~moved])
    np.testing.assert_allclose(after.sum(axis=0), 1)


def test_a_win_without_the_red_five_has_a_han_less() -> None:
    every = [d for seed in range(6) for d in played(seed) if d.offer is None]
    block = OptionBlock.of(every)
    before = any_later(block, members=2).own
    after = a_han_less(block, before)
    moved = (after != before).any(axis=(0, 2))
    red = block.actions.red & block.does("discard", "riichi")
    assert 5 < moved.sum() <= red.sum()
    assert not moved[~red].any()
    np.testing.assert_allclose(after.sum(axis=-1), 1)
    number = int(np.flatnonzero(moved)[0])
    row, option = block.row[number], block.flat[number]
    five = Option(option.act, (Tile.parse(str(option.tiles[0]).replace("0", "5")),))
    plain = next(i for i in np.flatnonzero(block.row == row) if block.flat[i] == five)
    kept, less = before[:, plain], before[:, plain] @ HAN_LESS
    np.testing.assert_allclose(after[:, number], KEPT * less + (1 - KEPT) * kept)


def test_no_win_is_dearer_with_a_han_less() -> None:
    np.testing.assert_allclose(HAN_LESS.sum(axis=1), 1)
    assert not np.triu(HAN_LESS, 1).any()


def test_without_a_red_five_nothing_is_copied() -> None:
    every = [d for seed in range(2) for d in played(seed) if d.offer is not None]
    block = OptionBlock.of(every)
    before = possible_ending(block, any_later(block))
    assert like_plain_fives(block, before) is before
    own = any_later(block).own
    assert a_han_less(block, own) is own
