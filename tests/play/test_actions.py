"""Actions: every choice of a game has a number of its own, and every number a name."""

from __future__ import annotations

import pytest

from haiyomi.errors import HaiyomiError
from haiyomi.play.actions import (
    ACTION_NAMES,
    CHI,
    CHI_PAIRS,
    N_ACTIONS,
    action_of,
    choice_of_action,
    legal_mask,
    parse_action,
)
from haiyomi.play.decision import decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import TENHOU_EAST


def test_every_name_parses_back_to_its_number() -> None:
    assert N_ACTIONS == len(set(ACTION_NAMES)) == 207
    assert [parse_action(name) for name in ACTION_NAMES] == list(range(N_ACTIONS))


def test_the_documented_names_have_the_documented_numbers() -> None:
    names = ("discard 1m", "tsumogiri 1m", "kan 1m", "pon 1m", "chi 12m", "riichi", "pass")
    assert [parse_action(name) for name in names] == [0, 37, 74, 108, 145, 202, 206]
    assert parse_action("discard 0p") == 35
    assert parse_action("pon 0s") == 108 + 36
    assert "chi 40p" in ACTION_NAMES
    assert "chi 89m" in ACTION_NAMES
    assert "chi 91p" not in ACTION_NAMES


def test_a_chi_names_two_tiles_of_one_suit_at_most_two_apart() -> None:
    assert len(CHI_PAIRS) == 3 * (8 + 7 + 4)
    for low, high in CHI_PAIRS:
        assert low.kind // 9 == high.kind // 9
        assert high.kind - low.kind in (1, 2)
    assert len(ACTION_NAMES[CHI : CHI + len(CHI_PAIRS)]) == len(CHI_PAIRS)


@pytest.mark.parametrize("text", ["", "discard", "discard 9z", "chi 64p", "Riichi", "kan 0p"])
def test_a_text_that_names_no_action_is_refused(text: str) -> None:
    with pytest.raises(HaiyomiError, match="no action"):
        parse_action(text)


def test_no_two_choices_of_a_decision_have_the_same_number() -> None:
    styles = [RULE_STYLES[name] for name in ("caller", "caller", "bold", "balanced")]
    kinds = set()
    for number in range(8):
        for decision in decisions(
            simulate_rule_players(21, number, rules=TENHOU_EAST, styles=styles)
        ):
            numbers = [action_of(choice) for choice in decision.choices]
            assert len(set(numbers)) == len(numbers)
            assert legal_mask(decision.choices).sum() == len(numbers)
            for action, choice in zip(numbers, decision.choices, strict=True):
                assert choice_of_action(action, decision.choices) == choice
                kinds.add(ACTION_NAMES[action].split()[0])
    assert kinds >= {"discard", "tsumogiri", "kan", "pon", "chi", "riichi", "tsumo", "ron", "pass"}


def test_an_action_that_is_not_legal_is_named() -> None:
    decision = next(decisions(simulate_rule_players(21, 0, rules=TENHOU_EAST)))
    with pytest.raises(HaiyomiError, match="action ron is none of the"):
        choice_of_action(parse_action("ron"), decision.choices)
    with pytest.raises(HaiyomiError, match="number 999"):
        choice_of_action(999, decision.choices)
