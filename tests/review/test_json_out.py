"""The JSON: what the page documents, and sums that hold."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from review.fake_model import fake_analyzer
from review.made_games import made_game

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.logs.load import parse
from haiyomi.review.categories import CATEGORIES
from haiyomi.review.decisions import Revealed
from haiyomi.review.json_out import VERSION, review_json, risk_json
from haiyomi.review.reviewer import review_game
from haiyomi.review.sentences import Cause
from haiyomi.tiles import Kind, Seat

DOC = pathlib.Path(__file__).parents[2] / "docs" / "reference" / "review-json.md"
SAMPLES = pathlib.Path(__file__).parents[1] / "samples"
GAME = made_game(11, 6)
REVEALED = {
    (hand, event): Revealed(((Kind(1),), (), ()), ((Kind(1), Kind(4)), (), ()))
    for hand in range(6)
    for event in range(200)
}


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    return review_json(review_game(GAME, Seat(2), fake_analyzer(), revealed=REVEALED))


def keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def tiles(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for hand in value["hands"]:
        for decision in hand["decisions"]:
            yield from decision.get("tiles", ())


def test_it_is_json_of_a_version(written: dict[str, Any]) -> None:
    text = json.dumps(written, allow_nan=False)
    assert json.loads(text) == written
    assert written["schema"] == "haiyomi-review"
    assert written["version"] == VERSION == 4


def test_every_category_and_every_cause_is_documented() -> None:
    documented = set(re.findall(r"`([a-z ]+)`", DOC.read_text(encoding="utf-8")))
    assert {*CATEGORIES, *get_args(Cause)} - documented == set()


def test_every_field_is_documented(written: dict[str, Any]) -> None:
    documented = set(re.findall(r"`([a-z_]+)`", DOC.read_text(encoding="utf-8")))
    assert set(keys(written)) <= documented
    _, decision = next(iter(review_game(GAME, Seat(0), fake_analyzer()).discards))
    risk = risk_json(decision.analysis)
    assert risk["schema"] == "haiyomi-risk"
    assert set(keys(risk)) <= documented


def test_every_field_of_a_judged_review_is_documented() -> None:
    """Of self-played hands: made ones need not be possible."""
    game = parse((SAMPLES / "haiyomi-7-00000.mjlog").read_bytes())
    analyzer = Analyzer(parts=["deal_in", "outcomes"], details=())
    value = review_json(review_game(game, 2, analyzer, (4, 5)), False)
    assert value["mistakes"]
    documented = set(re.findall(r"`([a-z_]+)`", DOC.read_text(encoding="utf-8")))
    assert set(keys(value)) <= documented


def test_rows_sum_to_the_probability(written: dict[str, Any]) -> None:
    n = 0
    for tile in tiles(written):
        n += 1
        assert sum(r[3] for r in tile["points"]) == pytest.approx(tile["risk_sum"], abs=1e-9)
        for one in tile["opponents"]:
            total = sum(r[3] for r in one["points"])
            assert total == pytest.approx(one["probability"], abs=1e-9)
            assert (one["probability"] == 0) == (one["reason"] is not None)
        parts = sum(one["probability"] for one in tile["opponents"])
        assert parts == pytest.approx(tile["risk_sum"], abs=1e-9)
        loss = sum(r[2] * r[3] for r in tile["points"])
        assert loss == pytest.approx(tile["expected_loss"], abs=1e-6)
    assert n > 500


def test_seats_are_absolute(written: dict[str, Any]) -> None:
    for hand in written["hands"]:
        for decision in hand["decisions"]:
            if "opponents" not in decision:
                continue  # on another's tile
            assert [o["seat"] for o in decision["opponents"]] == [3, 0, 1]
            dealer = hand["kyoku"] % 4
            for one in decision["opponents"]:
                assert one["wind"] == "ESWN"[(one["seat"] - dealer) % 4]
                assert one["name"] == written["names"][one["seat"]]


def test_the_decision_number_counts_all_discards(written: dict[str, Any]) -> None:
    from haiyomi.events import Discard

    for hand, reviewed in zip(GAME.hands, written["hands"], strict=True):
        discards = [i for i, e in enumerate(hand.events) if isinstance(e, Discard)]
        for decision in reviewed["decisions"]:
            if decision["option"].startswith(("discard", "riichi")):
                assert discards[decision["decision"]] == decision["event"]


def test_truth_only_when_asked(written: dict[str, Any]) -> None:
    assert written["hands"][0]["decisions"][0]["truth"][0] == {
        "seat": 3,
        "waits": ["2m", "5m"],
        "ron": ["2m"],
    }
    without = review_json(review_game(GAME, Seat(2), fake_analyzer()))
    assert "truth" not in set(keys(without))
