"""Blocks of options: the same from observations at hand as from the positions."""

from __future__ import annotations

import numpy as np

from haiyomi.evaluation.known_answers.suite import cases
from haiyomi.game.observation import pack
from haiyomi.game.position import Position
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_block import MOST_USEFUL, OptionBlock
from haiyomi.play.stated_decision import decision_at

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


def test_a_hand_one_tile_away_has_no_more_useful_tiles_than_the_bound() -> None:
    """Without a triplet's tile the hand lacks a seventh kind to seven pairs: 111 tiles would do."""
    position = Position.from_json(
        {"seat": "E", "indicators": "4z", "hand": "222m77m44p66p77p77s", "drawn": "7s"}
    )
    efficiency = OptionBlock.of([decision_at(position)]).records["efficiency"][0]
    two_man, four_pin, seven_sou = 1, 12, 24
    assert efficiency[[two_man, seven_sou], :2].tolist() == [[1, MOST_USEFUL]] * 2
    assert efficiency[four_pin, 0] == 1
    assert 0 < efficiency[four_pin, 1] < MOST_USEFUL
