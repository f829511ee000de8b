"""Outcomes as a part of an Analysis, and of decisions of every kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from forecasts import played, small_network

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.game.position import Position
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.state import StateLater
from haiyomi.play.decision import decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.stated_decision import decision_at
from haiyomi.review.outcomes_out import outcome_lines, outcomes_json
from haiyomi.rules import MAHJONG_SOUL_EAST

MODELS = Models(later=StateLater(small_network()))


def test_an_analysis_has_every_option_best_first() -> None:
    turns = [d for d in played(1) if d.offer is None and d.position.drawn][:60:6]
    found = Analyzer(MODELS, ["outcomes"]).analyze([d.position for d in turns])
    for decision, analysis in zip(turns, found, strict=True):
        outcomes = analysis.outcomes
        assert outcomes is not None
        assert {o.option for o in outcomes} == set(options_of(decision))
        values = [o.placement.value for o in outcomes if o.placement]
        assert values == sorted(values, reverse=True)
        # The deal-in at once is the deal-in model's; later ones come on top.
        for outcome in outcomes:
            if outcome.option.act in ("discard", "riichi"):
                assert outcome.deal_in >= analysis.risks[outcome.option.tiles[0]].risk - 1e-3


def test_no_answer_depends_on_the_batch() -> None:
    turns = [d.position for d in played(1) if d.offer is None and d.position.drawn][:40:8]
    analyzer = Analyzer(MODELS, ["outcomes"])
    together = analyzer.analyze(turns)
    for position, analysis in zip(turns, together, strict=True):
        assert analyzer.analyze([position])[0].outcomes == analysis.outcomes


def test_no_answer_depends_on_the_rules_of_the_batch() -> None:
    """A named case: all decisions were answered by the rules of the first."""
    rules = MAHJONG_SOUL_EAST.but(red_fives=False, kuitan=False)
    other = list(decisions(simulate_rule_players(3, 2, rules=rules)))
    mixed = [*other[:40:20], *played(1)[:40:20]]
    analyzer = Analyzer(MODELS, payoff="points")
    assert analyzer.outcomes(mixed) == [analyzer.outcomes([each])[0] for each in mixed]
    offers = [next(d for d in game if d.offer is not None) for game in (other, played(1))]
    assert [each.outcomes for each in analyzer.analyze_offers(offers)] == analyzer.outcomes(offers)


def test_an_option_that_hardly_anybody_chooses_has_a_question_mark() -> None:
    position = next(d.position for d in played(1) if d.offer is None and len(d.choices) > 5)
    (found,) = Analyzer(MODELS, payoff="points").outcomes([decision_at(position)])
    first, second, *_ = sorted(found, key=lambda o: o.points, reverse=True)
    for share, mark in ((0.05, "5%?"), (0.2, "20%")):
        shown = outcome_lines([replace(first, share=share), replace(second, share=0.8)])
        assert shown[0].split()[-1] == "chosen"
        assert [line.split()[-1] for line in shown[1:3]] == [mark, "80%"]
        assert len(shown) == 3 + mark.endswith("?")
        rare = [replace(first, share=share), replace(second, share=0.8)]
        options: Any = outcomes_json(rare, "points", None)["options"]
        assert [o["doubted"] for o in options] == [mark.endswith("?"), False]


def test_what_the_hand_waits_on_is_named() -> None:
    """Furiten, a wait without a yaku by ron, and one that wins on some of its tiles alone."""
    cases = (
        ("234m456p34567s88p", "1s", "2s 5s 8s", ", 11 left", "2s 5s 8s"),
        ("234m456p34567s88p", "2s", "2s 5s 8s", ", 10 left, furiten", ""),
        ("123m456p23777s99p", "5z", "1s 4s", ", 8 left, no yaku by ron", ""),
        ("234m456p23888s55p", "5z", "1s 4s", ", 8 left, a yaku by ron on 4s alone", "4s"),
    )
    for hand, river, on, more, ron in cases:
        players = {"E": {"river": river}, **{wind: {"river": "9m"} for wind in "SWN"}}
        stated = {"seat": "E", "indicators": "6z", "hand": hand, "drawn": "9m", "players": players}
        (found,) = Analyzer(MODELS).outcomes([decision_at(Position.from_json(stated))])
        assert f"waits after discard 9m: {on}{more}" in outcome_lines(found)
        options: Any = outcomes_json(found, "points", None)["options"]
        (wait,) = (o["wait"] for o in options if o["option"] == "discard 9m")
        assert (wait["on"], wait["ron"]) == (on.split(), ron.split())
        assert wait["furiten"] == ("furiten" in more)


def test_decisions_on_another_tile_have_outcomes() -> None:
    offers = [d for d in played(1) if d.offer is not None][:12]
    for decision, outcomes in zip(offers, Analyzer(MODELS).outcomes(offers), strict=True):
        assert {o.option for o in outcomes} == set(options_of(decision))
        lines = outcome_lines(outcomes)
        assert len(lines) == len(outcomes) + 1
        assert len({len(line) for line in lines[1:]}) == 1
        body = outcomes_json(outcomes, "90/45/0/-135", None)
        assert body["policy"] == "pooled, whatever the option"


def test_the_shipped_networks_answer_where_no_model_is_given() -> None:
    position = next(d.position for d in played(1) if d.offer is None and d.position.drawn)
    assert Analyzer(parts=["outcomes"]).analyze([position])[0].outcomes
