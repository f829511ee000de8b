"""What if: the options of a decision of a stored record, played on."""

from __future__ import annotations

import hashlib
import json
import zlib

import pytest
from pydantic import ValidationError
from served import demo_bytes

from haiyomi.apps.web.answers import confirmed, played
from haiyomi.apps.web.schemas import PlayedRequest
from haiyomi.errors import HaiyomiError
from haiyomi.logs.load import parse
from haiyomi.review.catalogue import LANGUAGES
from haiyomi.review.html.data import review_data
from haiyomi.review.reviewer import recorded, review_game
from haiyomi.tiles import Seat

STORED = ("demo", zlib.compress(demo_bytes()), hashlib.sha256(demo_bytes()).hexdigest())


def test_every_option_is_played_with_its_error_and_more_worlds_begin_with_the_same() -> None:
    game = parse(demo_bytes(), "demo")
    review = review_game(game, Seat(0), hands=(10,))
    decision = next(d for d in review.hands[0].decisions[6:] if len(d.options) > 1)
    few, same = (json.loads(played(0, 10, decision.event, 64, 60.0, *STORED)) for _ in range(2))
    assert few == same
    assert {o["option"] for o in few["options"]} == {str(o.option) for o in decision.options}
    for option in few["options"]:
        assert option["points_error"] > 0
        assert 0 < option["worlds"] <= 64
    (best,) = (o for o in few["options"] if o["behind"] is None)
    assert best["racing"]


def test_where_the_time_does_not_reach_fewer_worlds_are_played() -> None:
    review = review_game(parse(demo_bytes(), "demo"), Seat(0), hands=(10,))
    decision = next(d for d in review.hands[0].decisions[6:] if len(d.options) > 1)
    found = json.loads(played(0, 10, decision.event, 512, 0.0, *STORED))
    assert {option["worlds"] for option in found["options"]} == {64}


def test_an_option_is_confirmed_against_the_one_taken_in_every_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("haiyomi.apps.web.answers.QUICK", 64)
    review = review_game(parse(demo_bytes(), "demo"), Seat(0), hands=(10,))
    decision = next(d for d in review.hands[0].decisions[6:] if len(d.options) > 1)
    better = next(str(o.option) for o in decision.options if o.option != decision.done)
    asked = (0, 10, decision.event, better, str(decision.done), "posterior", *STORED)
    found = json.loads(confirmed(*asked))
    assert found["worlds"] == 64
    assert found["better"] == better
    assert found["points_error"] > 0
    assert set(found["sentence"]) == set(LANGUAGES)
    assert all("64" in text for text in found["sentence"].values())
    with pytest.raises(HaiyomiError, match="has no choice of pon 11z"):
        confirmed(*asked[:3], "pon 11z", *asked[4:])


def test_every_decision_of_a_page_can_be_named() -> None:
    game = parse(demo_bytes(), "demo")
    data = review_data(review_game(game, Seat(0), hands=(1,)))
    (hand,) = data["hands"]
    for shown in hand["d"]:
        made = recorded(game, hand["i"], Seat(0), shown["e"])
        assert made is not None
        assert (made.offer is not None) == ("of" in shown)
        assert made.position.draws_left == shown["b"]["left"]


@pytest.mark.parametrize(("hand", "event"), [(0, 0), (0, 999), (99, 5)])
def test_a_place_that_is_no_decision_is_an_error(hand: int, event: int) -> None:
    with pytest.raises(HaiyomiError, match=f"hand {hand} has no choice"):
        played(0, hand, event, 64, 60.0, *STORED)


@pytest.mark.parametrize("wrong", [{"hand": True}, {"event": 31.0}, {"hand": "0"}])
def test_a_place_is_whole_numbers(wrong: dict[str, object]) -> None:
    """True was hand 1."""
    with pytest.raises(ValidationError, match="valid integer"):
        PlayedRequest.model_validate({"hand": 0, "event": 31} | wrong)
