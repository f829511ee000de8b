"""Positions and hands that are asked about: what they may hold, and what each reply has."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from served import error_of, typed

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.apps.web.option_schemas import OptionsReply
from haiyomi.apps.web.schemas import (
    EXAMPLE,
    HandsReply,
    PlayerIn,
    PositionIn,
    RiskReply,
    RulesIn,
    WinReply,
)
from haiyomi.dealin.models import DEFAULT
from haiyomi.game import position_json
from haiyomi.game.position import Position
from haiyomi.play.stated_decision import decision_at
from haiyomi.review.outcomes_out import options_json
from haiyomi.rules import Ruleset

AFTER_KAN: dict[str, Any] = {
    "seat": "東",
    "rules": {"kuitan": False, "rounds": 1},
    "indicators": "6s3p",
    "hand": "234m5567p34s6z",
    "drawn": "9s",
    "after_kan": True,
    "players": {
        "東": {"river": "1s 3s", "melds": ["kakan 2z222z from S"]},
        "S": {"river": "2z^ 9s"},
        "W": {"river": "2s"},
        "N": {"river": "9p"},
    },
}


def test_a_position(client: Any) -> None:
    reply = client.post("/api/v1/positions/risk", json=EXAMPLE)
    assert reply.status_code == 200
    value = typed(RiskReply, reply.json())
    tiles = {t.tile: t for t in value.tiles}
    assert tiles["9s"].opponents[0].reason == "river"
    assert tiles["5p"].risk > tiles["6z"].risk
    assert tiles["5p"].points is None
    whole = client.post("/api/v1/positions/risk", json={**EXAMPLE, "points": True}).json()
    typed(RiskReply, whole)
    five = next(t for t in whole["tiles"] if t["tile"] == "5p")
    assert sum(row[3] for row in five["points"]) == pytest.approx(five["risk_sum"], abs=1e-9)
    hands = client.post("/api/v1/positions/hands", json=EXAMPLE).json()
    typed(HandsReply, hands)
    for one in hands["opponents"]:
        held = sum(n * p for row in one["marginals"] for n, p in enumerate(row))
        assert held == pytest.approx(one["concealed"], abs=1e-6)
    crf = client.post("/api/v1/positions/hands", json={**EXAMPLE, "hands_model": "nemoto-d"}).json()
    typed(HandsReply, crf)
    assert (hands["model"], crf["model"]) == ("counts", "nemoto-d")
    assert {one["likeliest"] for one in crf["opponents"]} == {None}
    wrong = client.post("/api/v1/positions/hands", json={**EXAMPLE, "hands_model": "/etc/passwd"})
    assert wrong.status_code == 422
    unused = client.post("/api/v1/positions/hands", json={**EXAMPLE, "model": DEFAULT})
    assert "model: Extra inputs" in error_of(unused, 422, "invalid")
    page = client.post("/position/data", json=EXAMPLE).json()
    assert page["decision"]["b"]["drawn"] == "9s"


def test_the_risk_of_adding_to_a_pon_has_its_schema(client: Any) -> None:
    players = AFTER_KAN["players"] | {"E": {"river": "1s 3s", "melds": ["pon 2z22z from S"]}}
    position = {**AFTER_KAN, "drawn": "2z", "indicators": "6s", "players": players}
    del position["after_kan"], players["東"]
    reply = client.post("/api/v1/positions/risk", json={"position": position}).json()
    (kan,) = typed(RiskReply, reply).kans or ()
    assert (kan.tile, reply["melds"]) == ("2z", [{"kind": "pon", "tiles": "222z"}])


def test_the_options_of_a_position(client: Any) -> None:
    reply = client.post("/api/v1/positions/options", json={**EXAMPLE, "payoff": "90/30/-30/-90"})
    value = typed(OptionsReply, reply.json())
    position = Position.from_json(EXAMPLE["position"])
    (expected,) = Analyzer(payoff="90/30/-30/-90").outcomes([decision_at(position)])
    assert reply.json()["options"] == options_json(expected)
    assert value.options[0].option == str(expected[0].option)
    assert value.payoff == "90/30/-30/-90"
    for wrong in ("90/45", "x"):
        asked = {**EXAMPLE, "payoff": wrong}
        error_of(client.post("/api/v1/positions/options", json=asked), 422, "bad_request")
    waiting = {name: part for name, part in EXAMPLE["position"].items() if name != "drawn"}
    asked = {"position": waiting}
    error_of(client.post("/api/v1/positions/options", json=asked), 422, "bad_position")


def test_a_position_may_have_every_field_of_position_json(client: Any) -> None:
    """A named case: after_kan, rules by their fields and winds as characters were refused."""
    assert set(PositionIn.model_fields) == set(position_json._TOP)
    assert set(PlayerIn.model_fields) == set(position_json._PLAYER)
    assert set(RulesIn.model_fields) == {field.name for field in fields(Ruleset)}
    position = PositionIn.model_validate(AFTER_KAN).plain()
    assert position == AFTER_KAN
    read = Position.from_json(AFTER_KAN)
    assert (read.after_kan, read.rules.kuitan) == (True, False)
    assert PositionIn.model_validate(read.to_json()).plain() == read.to_json()
    for path in ("risk", "hands", "options"):
        reply = client.post(f"/api/v1/positions/{path}", json={"position": AFTER_KAN})
        assert reply.status_code == 200, reply.text


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("x", "rules.name: Input should be 'tenhou', 'tenhou-east', 'mahjong-soul' or "),
        ({"kuitn": False}, "rules.fields.kuitn: Extra inputs are not permitted"),
        ({"rounds": 9}, "rules.fields.rounds: Input should be less than or equal to 4"),
        (["tenhou"], "rules.fields: Input should be a valid dictionary"),
    ],
)
def test_wrong_rules_are_said_of_what_was_given(client: Any, rules: Any, message: str) -> None:
    asked = {"position": {**EXAMPLE["position"], "rules": rules}}
    assert message in error_of(client.post("/api/v1/positions/risk", json=asked), 422, "invalid")


def test_win_probability_of_a_hand(client: Any) -> None:
    question = {"hand": "234578m1689p357s1z", "turn": 5}
    value = typed(WinReply, client.post("/api/v1/hands/win", json=question).json())
    assert value.turn == 5
    assert all(len(numbers) == 18 for numbers in value.win.values())
    assert all(0 <= p <= 1 for numbers in value.win.values() for p in numbers)
    for wrong in ("12m", "11111m2345678p", "x", ""):
        error_of(client.post("/api/v1/hands/win", json={"hand": wrong}), 422, "bad_request")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"hand": "1111123456789m"}, "copies"),
        ({"hand": "xyz"}, "hand"),
        ({"seat": "Q"}, "seat"),
        ({"unknown": 1}, "unknown"),
        ({"hand": "123m"}, "hand"),
        ({"players": {"S": {"river": "9z"}}}, "river"),
        ({"hand": "\ud800"}, "hand"),
    ],
)
def test_a_bad_position_is_said_in_one_sentence(
    client: Any, change: dict[str, Any], word: str
) -> None:
    body = json.dumps({"position": {**EXAMPLE["position"], **change}})
    reply = client.post(
        "/api/v1/positions/risk", content=body, headers={"content-type": "application/json"}
    )
    message = reply.json()["error"]["message"]
    assert reply.status_code == 422
    assert word in message
    assert "\n" not in message
