"""Blocks of options: the same from observations at hand as from the positions."""

from __future__ import annotations

import numpy as np

from haiyomi.evaluation.known_answers.suite import cases
from haiyomi.game.observation import pack
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_block import OptionBlock

DECISIONS = [case.decision for case in cases()]


def test_observations_at_hand_give_the_same_block() -> None:
    plain = OptionBlock.of(DECISIONS)
    packed = [pack(d.position) if n % 2 else None for n, d in enumerate(DECISIONS)]
    given = OptionBlock.of(DECISIONS, observations=packed)
    assert given.records.tobytes() == plain.records.tobytes()
    assert given.flat == plain.flat


def test_all_options_are_those_of_each_decision_in_their_order() -> None:
    named = [tuple(options_of(decision)) for decision in DECISIONS]
    every, same = OptionBlock.of(DECISIONS), OptionBlock.of(DECISIONS, named)
    assert every.options == same.options == tuple(named)
    for name in ("row", "first", "second", "sort", "kind", "red"):
        assert np.array_equal(getattr(every.actions, name), getattr(same.actions, name))
    assert np.array_equal(every.begins, same.begins)
