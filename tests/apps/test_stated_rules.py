"""Whoever reads mjai plays, values and answers by the rules that the messages state."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from haiyomi.apps.engine.history import read_history
from haiyomi.events import Draw, Game
from haiyomi.logs.load import parse, write
from haiyomi.play.decision import decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.stated_decision import read_decision
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset
from haiyomi.styles.bot import Bot
from haiyomi.tiles import Seat

STATED = [
    TENHOU_EAST,
    TENHOU.but(red_fives=False),
    TENHOU.but(kuitan=False),
    TENHOU_EAST.but(red_fives=False, kuitan=False),
]


@cache
def first_hand(rules: Ruleset) -> Game:
    game = simulate_rule_players(3, 0, rules=rules)
    return Game(game.header, game.hands[:1])


def until_own_draw(rules: Ruleset) -> tuple[list[dict[str, Any]], Seat]:
    """The messages up to the first draw, all hands shown, and who draws."""
    lines = write(first_hand(rules), "mjai").splitlines()
    (draw,) = (e for e in first_hand(rules).hands[0].events[:3] if isinstance(e, Draw))
    return [json.loads(line) for line in lines[:3]], draw.seat


@pytest.mark.parametrize("rules", STATED)
def test_four_readers_know_the_same_rules(rules: Ruleset) -> None:
    """A named case: the bot and the engine read only the length of the game, decision files
    nothing at all."""
    game = first_hand(rules)
    assert parse(write(game, "mjai").encode()).header.rules == rules
    messages, seat = until_own_draw(rules)
    text = "\n".join(map(json.dumps, messages))
    recorded = next(d for d in decisions(game, seat))
    stated = read_decision(text, seat)
    assert stated.position == recorded.position
    assert stated.choices == recorded.choices
    assert stated.position.rules == rules
    bot = Bot(seat, temperature=0)
    for message in messages[:2]:
        bot.react(message)
    assert bot.position is not None
    assert bot.position.rules == rules
    assert read_history(messages, seat, TENHOU).position == recorded.position


def test_the_rules_beside_those_that_are_stated_are_the_caller_s() -> None:
    messages, seat = until_own_draw(TENHOU_EAST.but(red_fives=False))
    want = MAHJONG_SOUL.but(rounds=1, red_fives=False)
    text = "\n".join(map(json.dumps, messages))
    assert read_decision(text, seat, MAHJONG_SOUL).position.rules == want
    bot = Bot(seat, rules="mahjong-soul")
    for message in messages[:2]:
        bot.react(message)
    assert bot.position is not None
    assert bot.position.rules == want
    assert read_history(messages, seat, MAHJONG_SOUL).position.rules == want
    assert read_history(messages[1:], seat, TENHOU_EAST).position.rules == TENHOU_EAST


def test_lines_of_several_games_are_each_of_their_own_rules() -> None:
    east, seat = until_own_draw(TENHOU_EAST)
    plain, _ = until_own_draw(TENHOU.but(red_fives=False))
    text = "\n".join(map(json.dumps, plain + east))
    assert read_decision(text, seat).position.rules == TENHOU_EAST
    text = "\n".join(map(json.dumps, [*east, {"type": "start_game"}, *plain[1:]]))
    assert read_decision(text, seat).position.rules == TENHOU
