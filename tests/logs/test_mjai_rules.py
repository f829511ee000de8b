"""The rules that an mjai ``start_game`` states."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from haiyomi.logs.load import parse, write
from haiyomi.logs.missing import dropped
from haiyomi.logs.mjai_rules import rule_fields, stated_rules
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset

ALL = [
    TENHOU.but(rounds=rounds, red_fives=red, kuitan=kuitan)
    for rounds, red, kuitan in product((1, 2), (True, False), (True, False))
]


@pytest.mark.parametrize("rules", ALL)
def test_what_is_written_is_read(rules: Ruleset) -> None:
    assert stated_rules(rule_fields(rules), TENHOU) == rules
    # What start_game has no field for is that of the caller's rules.
    soul = MAHJONG_SOUL.but(rounds=rules.rounds, red_fives=rules.red_fives, kuitan=rules.kuitan)
    assert stated_rules(rule_fields(rules), MAHJONG_SOUL) == soul


@pytest.mark.parametrize("rules", ALL)
def test_what_is_not_stated_is_the_caller_s(rules: Ruleset) -> None:
    assert stated_rules({"type": "start_game", "names": ["a", "b", "c", "d"]}, rules) == rules


def test_a_longer_game_is_as_long_as_the_caller_s() -> None:
    whole = TENHOU.but(rounds=4)
    assert stated_rules({"kyoku_first": 0}, whole) == whole
    assert stated_rules({"kyoku_first": 0}, TENHOU_EAST) == TENHOU
    assert stated_rules({"kyoku_first": 4}, whole) == TENHOU_EAST


@pytest.mark.parametrize(
    ("message", "rounds"),
    [({"gametype": "tonpu"}, 1), ({"gametype": "tonnan"}, 2), ({"gametype": "one_kyoku"}, None)],
)
def test_the_length_in_words(message: dict[str, str], rounds: int | None) -> None:
    for rules in (TENHOU, TENHOU_EAST):
        assert stated_rules(message, rules).rounds == (rounds or rules.rounds)


@pytest.mark.parametrize("value", [None, 1, "false", [], {}])
def test_a_field_of_another_value_states_nothing(value: Any) -> None:
    fields = ("kyoku_first", "gametype", "aka_flag", "kuitan_flag")
    assert stated_rules(dict.fromkeys(fields, value), TENHOU_EAST) == TENHOU_EAST


def test_a_record_without_open_all_simples_comes_back() -> None:
    """A named case: a record in mjai lost whether all simples count with an open hand."""
    for rules in (TENHOU, TENHOU_EAST.but(kuitan=False)):
        game = simulate_rule_players(4, 0, rules=rules)
        text = write(game, "mjai")
        assert ("kuitan_flag" in text) == (not rules.kuitan)
        assert parse(text.encode()).header.rules == rules
        assert not any("Ruleset.kuitan" in what for what in dropped(game, "mjai"))
