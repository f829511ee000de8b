"""Rule sets are values: equal by content, changed only by copying."""

from __future__ import annotations

import dataclasses

import pytest

from haiyomi.errors import RulesError
from haiyomi.play.tables import Tables
from haiyomi.rules import MAHJONG_SOUL, MAHJONG_SOUL_EAST, TENHOU, TENHOU_EAST, Ruleset, rules_of
from haiyomi.styles.bot import Bot
from haiyomi.styles.seating import simulate


def test_the_two_named_rule_sets() -> None:
    assert TENHOU.red_fives
    assert TENHOU.kuitan
    assert not TENHOU.double_yakuman
    assert not TENHOU.triple_ron
    assert MAHJONG_SOUL.double_yakuman
    assert MAHJONG_SOUL.triple_ron
    assert TENHOU_EAST.rounds == 1
    assert TENHOU.rounds == 2


def test_a_name_stands_for_rules_wherever_they_are_given() -> None:
    assert rules_of("tenhou") is Bot(rules="tenhou").rules is TENHOU
    assert Bot(rules="mahjong-soul").rules is Tables(1, rules="mahjong-soul").rules is MAHJONG_SOUL
    assert simulate(1, rules="mahjong-soul").header.rules is MAHJONG_SOUL
    assert rules_of(TENHOU_EAST) is TENHOU_EAST
    # A named case: East-only games had no name.
    assert Bot(rules="tenhou-east").rules is TENHOU_EAST
    assert rules_of("mahjong-soul-east") is MAHJONG_SOUL_EAST
    assert MAHJONG_SOUL_EAST.but(rounds=2) == MAHJONG_SOUL
    for given in (rules_of, lambda name: Bot(rules=name), lambda name: Tables(1, rules=name),
                  lambda name: simulate(1, rules=name)):  # fmt: skip
        with pytest.raises(
            RulesError,
            match=r"^rules 'majsoul' is unknown: expected tenhou, tenhou-east, mahjong-soul or "
            r"mahjong-soul-east$",
        ):
            given("majsoul")


@pytest.mark.parametrize(
    "number", [("rounds", 0), ("rounds", 5), ("wind_pair_fu", -1), ("wind_pair_fu", 6)]
)
def test_numbers_that_no_table_plays_by_are_refused(number: tuple[str, int]) -> None:
    with pytest.raises(RulesError, match=rf"^rules: {number[0]} is {number[1]}: expected \d to 4$"):
        TENHOU.but(**dict([number]))


@pytest.mark.parametrize(
    "number", [("rounds", 1.5), ("start_points", float("nan")), ("target_points", "30000")]
)
def test_numbers_that_are_not_whole_are_refused(number: tuple[str, object]) -> None:
    """A table of them was made, and failed later."""
    with pytest.raises(
        RulesError, match=rf"^rules: {number[0]} is {number[1]!r}: expected a whole number$"
    ):
        TENHOU.but(**dict([number]))


@pytest.mark.parametrize("name", ["start_points", "target_points"])
def test_points_beyond_a_million_are_refused(name: str) -> None:
    """The compiled core refused them by an error of its own."""
    assert getattr(TENHOU.but(**{name: 1_000_000}), name) == 1_000_000
    for points in (-1_000_001, 1_000_001, 2**70):
        with pytest.raises(RulesError, match=rf"^rules: {name} is beyond 1,000,000$"):
            TENHOU.but(**{name: points})


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
