"""Generators by seed and name: the same numbers for ever, others for other names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from haiyomi.seeds import generator
from haiyomi.styles.seating import simulate


def test_the_numbers_of_a_name_never_change() -> None:
    drawn = generator(7, "game", 3, "wall", 0).integers(1 << 30, size=3)
    assert drawn.tolist() == [653429548, 136316569, 119820372]


def test_integers_alone_are_the_words_of_numpy() -> None:
    for names in ((), (1,), (3, 500), tuple(b"name")):
        ours, numpys = generator(9, *names), np.random.default_rng([9, *names])
        assert ours.random(4).tolist() == numpys.random(4).tolist()
    assert generator(9).random() == np.random.default_rng(9).random()


def test_other_names_and_seeds_give_other_numbers() -> None:
    drawn = [
        generator(seed, *names).random()
        for seed in (0, 1)
        for names in ((), (0,), ("0",), ("a", 1), ("a", 2), ("b", 1))
    ]
    assert len(set(drawn)) == len(drawn) - 2  # to numpy a last word of 0 is no word


@pytest.mark.parametrize("draw", [generator, simulate])
def test_a_seed_that_is_none_is_named(draw: Callable[[object], object]) -> None:
    with pytest.raises(ValueError, match=r"^seed is -1: expected 0 or more$"):
        draw(-1)
    for given, shown in ((None, "None"), ("1", "'1'"), (1.5, "1.5")):
        with pytest.raises(ValueError, match=f"^seed is {shown}: expected a whole number$"):
            draw(given)
