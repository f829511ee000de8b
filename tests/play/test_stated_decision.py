"""Decisions from a text: the same choices as in the record that the text is made of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from haiyomi.corpus import Corpus
from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.events import Riichi
from haiyomi.logs.load import write
from haiyomi.play.decision import decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.stated_decision import decision_at, read_decision
from haiyomi.rules import TENHOU

START = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
         "dora_marker": "3p", "scores": [25000] * 4}  # fmt: skip
HIDDEN = ["?"] * 13
OWN = ["1m", "2m", "3m", "4p", "5p", "7p", "8p", "9p", "1s", "2s", "3s", "E", "E"]


def test_a_position_has_the_choices_of_its_record(root: Path) -> None:
    n = acts = 0
    for _, game in Corpus(root / "tests" / "samples"):
        for decision in decisions(game):
            if decision.offer is not None:
                continue
            found = decision_at(decision.position)
            assert set(found.choices) == set(decision.choices), decision.position.to_json()
            read = read_decision(json.dumps(decision.position.to_json()))
            assert read.position == decision.position
            n += 1
            acts += bool(decision.of(Riichi))
    assert n > 1000
    assert acts > 20


def lines(*messages: dict[str, object]) -> str:
    return "\n".join(json.dumps(message) for message in messages)


def test_lines_end_with_a_decision_on_another_s_tile() -> None:
    hand = ["5p", "5p", "1m", "2m", "3m", "4m", "5m", "6m", "7s", "8s", "9s", "E", "E"]
    text = lines(
        {**START, "tehais": [HIDDEN, HIDDEN, hand, HIDDEN]},
        {"type": "tsumo", "actor": 0, "pai": "?"},
        {"type": "dahai", "actor": 0, "pai": "5pr", "tsumogiri": False},
    )
    decision = read_decision(text)
    assert decision.seat == 2
    assert decision.offer is not None
    assert [type(choice).__name__ for choice in decision.choices] == ["Pon", "Pass"]


def test_a_history_is_the_last_hand_of_the_lines_as_its_seat_saw_it() -> None:
    hand = ["5p", "5p", "1m", "2m", "3m", "4m", "5m", "6m", "7s", "8s", "9s", "E", "E"]
    text = lines(
        {**START, "tehais": [hand, hand, hand, hand]},
        {"type": "tsumo", "actor": 0, "pai": "9m"},
    )
    history = read_decision(text, seat=0).history
    assert [type(event).__name__ for event in history] == ["Start", "OwnDeal", "Draw"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"seat": "E", "indicators": "3p", "hand": "123m406p789s1122z"}', "not the viewer's turn"),
        (
            '{"seat": "E", "indicators": "3p", "hand": "123m406p789s11223z"}',
            "drawn is missing",
        ),
        (
            '{"seat": "E", "indicators": "3p", "hand": "147m258p369s1234z", "drawn": "5z", '
            '"players": {"E": {"riichi": true}}}',
            "nothing to discard",
        ),
        ("{}", "seat is missing"),
        ("", "the position is empty"),
        ("nothing", "not JSON"),
        (lines({"type": "start_game"}), "no start_kyoku"),
        (
            lines(
                {**START, "bakaze": "N", "tehais": [OWN, HIDDEN, HIDDEN, HIDDEN]},
                {"type": "tsumo", "actor": 0, "pai": "9m"},
            ),
            "a game of 2 rounds has no N1",
        ),
        (
            lines(
                {"type": "start_game", "kyoku_first": 4},
                {**START, "bakaze": "W", "tehais": [OWN, HIDDEN, HIDDEN, HIDDEN]},
                {"type": "tsumo", "actor": 0, "pai": "9m"},
            ),
            "a game of 1 rounds has no W1",
        ),
        (
            lines(
                {"type": "start_game", "aka_flag": False},
                {**START, "tehais": [OWN, HIDDEN, HIDDEN, HIDDEN]},
                {"type": "tsumo", "actor": 0, "pai": "5mr"},
            ),
            "5m is seen in a game without red fives|0m is seen in a game without red fives",
        ),
        (
            lines({**START, "tehais": [["1m"] * 13 if s == 2 else HIDDEN for s in range(4)]}),
            "1m",
        ),
    ],
)
def test_a_text_without_a_decision_is_refused(text: str, message: str) -> None:
    with pytest.raises((PositionError, HaiyomiError), match=message):
        read_decision(text)


def test_of_a_whole_game_it_says_how_to_name_a_decision() -> None:
    text = write(simulate_rule_players(1, 0), "mjai")
    with pytest.raises(PositionError, match="go on to the end of a hand: `haiyomi value`"):
        read_decision(text, 0)


def test_lines_in_which_the_seat_has_no_choice_are_refused() -> None:
    hand = ["5p", "5p", "1m", "2m", "3m", "4m", "5m", "6m", "7s", "8s", "9s", "E", "E"]
    text = lines(
        {**START, "tehais": [HIDDEN, HIDDEN, hand, HIDDEN]},
        {"type": "tsumo", "actor": 0, "pai": "?"},
    )
    with pytest.raises(PositionError, match="nothing to choose"):
        read_decision(text)
    with pytest.raises(HaiyomiError, match="no seat 4"):
        read_decision(text, 4)
    with pytest.raises(PositionError, match="the lines are what seat 2 sees, not what seat 1"):
        read_decision(text, 1)


def test_a_position_in_another_s_turn_says_how_a_call_is_given() -> None:
    text = '{"seat": "S", "indicators": "3p", "hand": "123m46p789s11223z", "players": %s}'
    with pytest.raises(PositionError, match="on another's tile is given as mjai lines"):
        read_decision(text % '{"E": {"river": "5p"}}')


def test_rules_are_chosen_only_for_lines() -> None:
    text = '{"seat": "E", "indicators": "3p", "hand": "123m406p789s1122z", "drawn": "3z"}'
    with pytest.raises(PositionError, match="rules are chosen for mjai lines"):
        read_decision(text, rules=TENHOU)
