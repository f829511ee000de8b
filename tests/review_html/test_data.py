"""The page's data: true to the review, and blind to what the seat could not see."""

from __future__ import annotations

import json

import pytest
from review.fake_model import fake_analyzer
from review.made_games import made_game

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.events import Game, Hand, visible_to
from haiyomi.play.demo import demo_game
from haiyomi.review.decisions import Review
from haiyomi.review.html.data import POINT_STEPS, position_data, review_data
from haiyomi.review.reviewer import review_game
from haiyomi.review.sentences import reason_of, sentence
from haiyomi.review.verdicts import verdicts
from haiyomi.review.words import words_of
from haiyomi.tiles import Seat, parse_tiles

ANALYZER = fake_analyzer()


def _review(seed: int = 3, seat: int = 1) -> Review:
    return review_game(made_game(seed), Seat(seat), ANALYZER)


@pytest.mark.parametrize("seat", range(4))
def test_every_decision_is_there_with_its_numbers(seat: int) -> None:
    review = _review(seat=seat)
    data = review_data(review)
    assert json.loads(json.dumps(data)) == data
    assert [len(hand["d"]) for hand in data["hands"]] == [len(h.decisions) for h in review.hands]
    for hand, shown in zip(review.hands, data["hands"], strict=True):
        for decision, d in zip(hand.decisions, shown["d"], strict=True):
            assert d["dn"] == str(decision.done)
            assert ("of" in d) == (decision.offer is not None) == ("c" not in d)
            if not decision.gives:
                continue
            assert d["t"] in [c["t"] for c in d["c"]]
            for choice, c in zip(decision.choices, d["c"], strict=True):
                assert c["t"] == str(choice.tile)
                assert c["p"] == pytest.approx(choice.risk, abs=5.1e-4)
                assert c["l"] == round(choice.expected_loss)
                for risk, r in zip(choice.by_opponent, c["r"], strict=True):
                    assert r[0] == pytest.approx(risk.probability, abs=5.1e-4)
                    assert (r[0] == 0) == (r[2] != 0)
                    if len(r) > 3:
                        assert len(r[3]) == len(POINT_STEPS) + 1
                        assert abs(sum(r[3]) - 1000) <= len(r[3])


def test_the_table_is_that_of_the_position() -> None:
    review = _review()
    for hand, shown in zip(review.hands, review_data(review)["hands"], strict=True):
        for decision, d in zip(hand.decisions, shown["d"], strict=True):
            position, b = decision.position, d["b"]
            held = [*b["hand"], *([b["drawn"]] if b["drawn"] else [])]
            assert sorted(held) == sorted(map(str, position.hand))
            for player, p in zip(position.players, b["p"], strict=True):
                tokens = p.get("v", "").split()
                assert [t[:2] for t in tokens] == [str(t.tile) for t in player.river]
                assert ["*" in t for t in tokens] == [t.tsumogiri for t in player.river]
                assert ["^" in t for t in tokens] == [t.called_by is not None for t in player.river]
                assert len(p.get("m", [])) == len(player.melds)
                assert p["sc"] == player.score


@pytest.mark.parametrize("seat", range(4))
def test_what_the_seat_cannot_see_is_not_on_its_page(seat: int) -> None:
    """The same game with every hidden tile taken out of its events gives the same page."""
    game = made_game(7)
    masked = Game(
        game.header,
        tuple(
            Hand(tuple(visible_to(event, Seat(seat)) for event in hand.events))
            for hand in game.hands
        ),
    )
    seen, blind = (review_data(review_game(g, Seat(seat), ANALYZER)) for g in (game, masked))
    assert json.dumps(seen) == json.dumps(blind)


def test_what_the_opponents_may_hold_adds_up() -> None:
    game = demo_game()
    found = 0
    review = review_game(game, Seat(0), Analyzer(), hands=(0, 1))
    for hand in review_data(review)["hands"]:
        for d in hand["d"]:
            if d["f"] or "of" in d:
                assert "hands" not in d
                continue
            found += 1
            concealed = [p["n"] for p in d["b"]["p"][1:]]
            for n, (expected, best) in zip(concealed, d["hands"], strict=True):
                assert abs(sum(expected) / 100 - n) < 0.2
                assert len(parse_tiles(best)) == n
    assert found > 5


def test_a_part_that_was_not_asked_for_is_not_on_the_page() -> None:
    (decision, *_) = (d for _, d in _review().discards)
    data = position_data(decision.analysis)["decision"]
    assert not {"hands", "styles", "waits"} & set(data)


def test_every_option_and_verdict_is_on_the_page() -> None:
    review = review_game(demo_game(), Seat(0), Analyzer(), hands=(1,))
    ((hand, shown),) = zip(review.hands, review_data(review)["hands"], strict=True)
    judged = {d.event: verdict for _, d, verdict in verdicts(review)}
    acts = set()
    for decision, d in zip(hand.decisions, shown["d"], strict=True):
        assert [row[0] for row in d.get("op", [])] == [str(o.option) for o in decision.options]
        verdict = judged.get(decision.event)
        assert ("v" in d) == (verdict is not None)
        if verdict is None:
            continue
        acts.add(decision.done.act)
        severity, category, cost, _, _, best, plan = d["v"]
        assert (severity == 0) == (verdict.severity is None)
        assert (category, cost, plan) == (verdict.category, round(verdict.cost), verdict.plan)
        assert d["op"][best][0] == str(verdict.best.option)
        assert ("x" in d) == verdict.mistake
        assert ("why" in d) == (verdict.severity is not None)
        if verdict.severity is not None:
            reason, dealer = reason_of(decision, verdict), int(decision.position.dealer)
            for lang, text in d["why"].items():
                assert text == sentence(reason, dealer, words_of(lang))
    assert {"discard", "pass"} <= acts


def test_the_mistakes_of_the_page_are_those_of_the_verdicts() -> None:
    review = review_game(demo_game(), Seat(0), Analyzer(), hands=(1, 8, 10))
    data = review_data(review)
    wanted = [v for v in verdicts(review) if v[2].mistake]
    wanted.sort(key=lambda v: -v[2].cost)
    assert wanted
    listed = [(data["hands"][i]["i"], data["hands"][i]["d"][j]["e"]) for i, j in data["mistakes"]]
    assert listed == [(hand.index, decision.event) for hand, decision, _ in wanted]
