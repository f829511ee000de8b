"""Rule sets are values: equal by content, changed only by copying."""

from __future__ import annotations

import dataclasses

import pytest

from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset


def test_the_two_named_rule_sets() -> None:
    assert TENHOU.red_fives
    assert TENHOU.kuitan
    assert not TENHOU.double_yakuman
    assert not TENHOU.triple_ron
    assert MAHJONG_SOUL.double_yakuman
    assert MAHJONG_SOUL.triple_ron
    assert TENHOU_EAST.rounds == 1
    assert TENHOU.rounds == 2


def test_but_copies_and_leaves_the_original() -> None:
    changed = TENHOU.but(kuitan=False)
    assert not changed.kuitan
    assert TENHOU.kuitan
    assert changed.but(kuitan=True) == TENHOU
    with pytest.raises(TypeError):
        TENHOU.but(kuitann=False)


def test_frozen_hashable_and_pasteable() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TENHOU.kuitan = False  # type: ignore[misc]
    assert len({TENHOU, Ruleset(), MAHJONG_SOUL}) == 2
    assert eval(repr(MAHJONG_SOUL), {"Ruleset": Ruleset}) == MAHJONG_SOUL
