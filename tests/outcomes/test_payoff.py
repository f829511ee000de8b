"""Payoffs: the published tables, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from haiyomi.errors import HaiyomiError
from haiyomi.outcomes import payoff
from haiyomi.outcomes.payoff import Payoff
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset

SOUL_EAST = MAHJONG_SOUL.but(rounds=1)


@pytest.mark.parametrize(
    ("text", "rules", "places"),
    [
        ("90/45/0/-135", TENHOU, (90, 45, 0, -135)),
        ("1.5/0/0/-1e1", TENHOU, (1.5, 0, 0, -10)),
        ("tenhou:houou:7", TENHOU, (90, 45, 0, -135)),
        ("tenhou:houou:10", TENHOU, (90, 45, 0, -180)),
        ("tenhou:tokujou:4", TENHOU, (75, 30, 0, -90)),
        ("tenhou:joukyuu:1", TENHOU, (60, 15, 0, -45)),
        ("tenhou:ippan:1", TENHOU, (30, 15, 0, -45)),
        ("tenhou:houou:7", TENHOU_EAST, (60, 30, 0, -90)),
        ("tenhou:tokujou:6", TENHOU_EAST, (50, 20, 0, -80)),
        ("mahjong-soul:jade:master2", MAHJONG_SOUL, (125, 60, -5, -195)),
        ("mahjong-soul:throne:saint3", MAHJONG_SOUL, (135, 65, -5, -255)),
        ("mahjong-soul:gold:expert1", SOUL_EAST, (55, 25, -5, -55)),
        ("m-league", TENHOU, (50, 10, -10, -30)),
    ],
)
def test_the_places_of_published_payoffs(text: str, rules: Ruleset, places: object) -> None:
    payoff = Payoff.parse(text, rules)
    assert payoff.places == places
    assert Payoff.parse(str(payoff), rules) == payoff


def test_a_final_score_under_a_payoff() -> None:
    first, last = (1, 0, 0, 0), (0, 0, 0, 1)
    league = Payoff.parse("m-league", TENHOU)
    # 60.0 and -45.0 of a game that ends with 40,000 and 15,000 points
    assert league.value(first, 40000) == pytest.approx(60)
    assert league.value(last, 15000) == pytest.approx(-45)
    alike = Payoff.parse("points+45/5/-15/-35", TENHOU)
    assert alike.value([first, last], [40000, 15000]) == pytest.approx([60, -45])
    assert Payoff.parse("points", TENHOU).value(first, 31200) == pytest.approx(6.2)
    dan = Payoff.parse("90/45/0/-135", TENHOU)
    assert dan.value((0.25, 0.25, 0.25, 0.25), 99999) == pytest.approx(0)
    assert dan.value(((1, 0, 0, 0), (0, 0.5, 0, 0.5)), (0, 0)) == pytest.approx((90, -45))


def test_the_m_league_s_four_payoffs_add_up_to_zero() -> None:
    league = Payoff.parse("m-league", TENHOU)
    finals = (41300, 30100, 17800, 10800)
    worth = [league.value([p == q for q in range(4)], finals[p]) for p in range(4)]
    assert sum(worth) == pytest.approx(0)


def test_the_guide_names_every_notation() -> None:
    named = re.findall(r"^``(\S+)``", payoff.__doc__ or "", re.MULTILINE)
    assert len(named) > 5
    guide = (Path(__file__).parents[2] / "docs" / "how-to" / "value.md").read_text("utf-8")
    for text in named:
        assert str(Payoff.parse(text, TENHOU)) == text
        assert text in guide


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected four numbers"),
        ("90/45/0", "expected four numbers"),
        ("90/45/0/-135/1", "expected four numbers"),
        ("90/45/0/x", "expected four numbers"),
        ("90/45/0/nan", "expected four numbers"),
        ("inf/0/0/0", "expected four numbers"),
        ("0/0/0/-1e300", "expected four numbers separated by slashes, each up to 1,000,000"),
        ("points+1/2/3", "expected four numbers"),
        ("1_0/2/3/4", "expected four numbers"),
        ("\u0663/2/3/4", "expected four numbers"),
        ("tenhou", "expected a room and a rank"),
        ("tenhou:houou", "expected a room and a rank"),
        ("tenhou:houou:11", "the dan is a number from 1 to 10"),
        ("tenhou:phoenix:7", "the rooms are ippan, joukyuu, tokujou, houou"),
        ("mahjong-soul:jade:master", "master2"),
        ("mahjong-soul:jade:lord1", "master2"),
        ("mahjong-soul:ruby:master1", "the rooms are bronze"),
    ],
)
def test_what_is_no_payoff_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(HaiyomiError, match=message) as caught:
        Payoff.parse(text, TENHOU)
    assert repr(text) in str(caught.value)
    assert "\n" not in str(caught.value)
