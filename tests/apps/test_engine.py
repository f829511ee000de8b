"""``haiyomi engine``: every result is as the protocol has it, and says what the analysis says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from apps.engine_host import (
    KINDS,
    Message,
    Process,
    candidates_of,
    check,
    hello_params,
    initialize_params,
    messages_of,
    run_params,
)
from apps.in_process import haiyomi as run_command

import haiyomi
from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.apps.engine.contracts import known
from haiyomi.apps.engine.engine import StudioEngine
from haiyomi.apps.engine.rpc import RpcError
from haiyomi.events import Discard, Game, Riichi
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.improved_bot import ImprovedBot
from haiyomi.outcomes.option import Option, option_made
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.rules import TENHOU_EAST

ALL = known(2)
OTHERS = [{"id": name} for name in ALL[1:]]
SEAT = 0


@cache
def game() -> Game:
    return haiyomi.simulate(seed=3, rules=TENHOU_EAST)


def asked_at(decision: RecordedDecision) -> list[Message]:
    """The messages up to a decision."""
    return messages_of(game(), decision.hand, decision.seat)[decision.event]


@pytest.fixture(scope="module")
def engine() -> StudioEngine:
    """One that has been initialized with every output."""
    found = StudioEngine()
    found.answer("engine.hello", hello_params())
    found.answer("engine.initialize", initialize_params(ALL, length="east"))
    return found


def ask(engine: StudioEngine, decision: RecordedDecision) -> dict[str, Any]:
    """The data of all outputs at a decision."""
    action = {"id": ALL[0], "parameters": {"candidates": candidates_of(decision)}}
    params = run_params(decision.seat, asked_at(decision), [action, *OTHERS])
    result: Any = engine.answer("analysis.run", params)
    return {output["id"]: output["data"] for output in result["outputs"]}


def some(number: int = 6) -> Iterator[RecordedDecision]:
    found = list(decisions(game(), SEAT))
    return islice(found, 0, None, max(len(found) // number, 1))


def by_seat(data: Message) -> dict[int, Message]:
    return {player["seat"]: player for player in data["players"]}


def test_a_process_answers_every_decision_of_a_game_as_the_protocol_has_it() -> None:
    with Process() as host:
        hello = host.ask("engine.hello", hello_params())
        assert [contract["id"] for contract in hello["outputContracts"]] == list(ALL)
        ready = host.ask("engine.initialize", initialize_params(ALL, length="east"))
        declared = {output["id"]: output for output in ready["outputs"]}
        assert set(declared) == set(ALL)
        asked = 0
        for decision in decisions(game(), SEAT):
            action = {"id": ALL[0], "parameters": {"candidates": candidates_of(decision)}}
            params = run_params(SEAT, asked_at(decision), [action, *OTHERS])
            outputs = host.ask("analysis.run", params)["outputs"]
            for each, output in zip(params["outputs"], outputs, strict=True):
                assert set(output) == {"id", "data"}
                assert output["id"] == each["id"]
                check(SEAT, declared[each["id"]], each, output["data"])
            asked += 1
        assert asked > 50
        assert host.ask("engine.getStatus", {})["state"] == "ready"
        assert host.ask("engine.shutdown", {}) == {"ok": True}
        assert host.process.wait(30) == 0
        assert host.states[:4] == ["uninitialized", "loading", "ready", "busy"]
        tail = host.process.stdout.read() if host.process.stdout else b""
        assert json.loads(tail)["params"] == {"state": "stopping"}
        # A named case: at its end the core listed what Python had not freed.
        said = host.process.stderr.read() if host.process.stderr else b""
        assert said.decode().splitlines() == [f"haiyomi: {asked + 4} requests"]


@pytest.mark.parametrize("seat", range(4))
def test_every_event_of_a_hand_has_an_answer(engine: StudioEngine, seat: int) -> None:
    ready: Any = engine.answer("engine.initialize", initialize_params(ALL, length="east"))
    declared = {output["id"]: output for output in ready["outputs"]}
    for messages in messages_of(game(), 1, seat)[1::9]:
        result: Any = engine.answer("analysis.run", run_params(seat, messages, OTHERS))
        for output in result["outputs"]:
            check(seat, declared[output["id"]], {}, output["data"])


def test_a_recommendation_has_the_numbers_of_the_outcomes(engine: StudioEngine) -> None:
    analyzer = Analyzer(payoff="90/45/0/-135")
    found = decisions(game(), SEAT)
    riichi = next(d for d in found if any(isinstance(choice, Riichi) for choice in d.choices))
    for decision in (*some(), riichi):
        data = ask(engine, decision)[ALL[0]]
        (outcomes,) = analyzer.outcomes([decision])
        by_option = {outcome.option: outcome for outcome in outcomes}
        for choice, each in zip(decision.choices, data["candidates"], strict=True):
            if not isinstance(choice, Riichi):
                assert each["metrics"] == _of(each, by_option[_option(decision, choice)])
        declares = [o for o in outcomes if o.option.act == "riichi"]
        if any(isinstance(choice, Riichi) for choice in decision.choices):
            (metrics,) = (
                each["metrics"]
                for choice, each in zip(decision.choices, data["candidates"], strict=True)
                if isinstance(choice, Riichi)
            )
            assert metrics["value"] in [o.placement.value for o in declares if o.placement]
            assert metrics["players"] == pytest.approx(sum(o.share or 0 for o in declares))
        strengths = [each["metrics"]["recommendation"] for each in data["candidates"]]
        assert sum(strengths) == pytest.approx(1)
        best = [each["candidateId"] for each in data["candidates"]].index(data["bestCandidateId"])
        assert strengths[best] == max(strengths)


def _option(decision: RecordedDecision, choice: Any) -> Option:
    own = decision.position.players[0]
    return option_made(choice, isinstance(choice, Discard) and own.riichi_index == len(own.river))


def _of(each: Message, outcome: Outcome) -> Message:
    """The metrics that an outcome has; those of the recommendation as they are."""
    assert outcome.placement is not None
    other_copy = each["metrics"]["players"] is None
    return {
        "recommendation": 0.0 if other_copy else each["metrics"]["recommendation"],
        "value": outcome.placement.value,
        "points": outcome.points,
        "average-place": sum(i * p for i, p in enumerate(outcome.placement.places, 1)),
        "players": None if other_copy else outcome.share,
        "win": outcome.win,
        "deal-in": outcome.deal_in,
        "deal-in-now": outcome.deal_in_now,
    }


def test_the_recommended_action_is_what_the_bot_by_value_takes(engine: StudioEngine) -> None:
    bot = ImprovedBot(temperature=0)
    compared = 0
    for decision in some(12):
        data = ask(engine, decision)[ALL[0]]
        ids = [each["candidateId"] for each in data["candidates"]]
        recommended = decision.choices[ids.index(data["bestCandidateId"])]
        if not any(isinstance(choice, Riichi) for choice in decision.choices):
            # The bot compares each discard of a riichi by itself.
            assert recommended == bot.choose(decision)
            compared += 1
    assert compared >= 12


def test_risks_and_tenpai_are_those_of_the_analysis(engine: StudioEngine) -> None:
    turns = [d for d in some() if d.position.to_act]
    analyses = Analyzer(parts=["deal_in"]).analyze([d.position for d in turns])
    for decision, analysis in zip(turns, analyses, strict=True):
        data = ask(engine, decision)
        dealt = by_seat(data["opponent-deal-in-probability"])
        shanten = by_seat(data["opponent-shanten"])
        for r in (1, 2, 3):
            seat = decision.position.absolute(r)
            assert shanten[seat]["shanten"][0]["probability"] == analysis.risks.tenpai[r - 1]
            for choice in analysis.risks.choices:
                if not choice.tile.red:
                    risk = choice.by_opponent[r - 1].probability
                    assert dealt[seat]["tiles"][choice.tile.mjai] == pytest.approx(risk, abs=1e-12)


def test_counts_are_those_of_the_reading_and_the_wall_is_the_rest(engine: StudioEngine) -> None:
    for decision in some(3):
        position = decision.position
        data = ask(engine, decision)
        counts = by_seat(data["opponent-concealed-tile-count"])
        total = np.zeros(34)
        for reading in read_hands(position, 0):
            tiles = counts[position.absolute(reading.opponent)]["tiles"]
            found = [[v["probability"] for v in each["distribution"]] for each in tiles.values()]
            assert np.abs(np.array(found) - reading.marginals).max() < 1e-12
            total += reading.expected
        wall = [each["expectedValue"] for each in data["wall-tile-count"]["tiles"].values()]
        assert wall == pytest.approx(np.clip(np.array(position.unseen) - total, 0, 4))
        # What is drawn later, and the dead wall without its open indicators.
        left = position.draws_left + 14 - len(position.indicators)
        assert sum(position.unseen) - total.sum() == pytest.approx(left, abs=1e-6)


def test_the_own_forecast_is_the_mean_of_the_outcomes(engine: StudioEngine) -> None:
    analyzer = Analyzer()
    for decision in some():
        data = ask(engine, decision)
        (outcomes,) = analyzer.outcomes([decision])
        share = np.array([o.share or 0.0 for o in outcomes])
        share /= share.sum()

        def mean(values: list[float], share: Any = share) -> Any:
            return pytest.approx(float(share @ values), abs=1e-9)

        seat = decision.seat
        own = by_seat(data["kyoku-outcome"])[seat]
        assert own["winProbability"] == mean([o.win for o in outcomes])
        assert own["dealInProbability"] == mean([o.deal_in for o in outcomes])
        delta = by_seat(data["kyoku-score-delta"])[seat]["prediction"]["expectedValue"]
        assert delta == pytest.approx(float(share @ [o.points for o in outcomes]), abs=1e-6)
        placed = [o.placement for o in outcomes if o.placement is not None]
        places = by_seat(data["match-placement"])[seat]["prediction"]["distribution"]
        for place, each in enumerate(places):
            assert each["probability"] == mean([p.places[place] for p in placed])
        final = by_seat(data["match-score"])[seat]["prediction"]["expectedValue"]
        assert final == pytest.approx(float(share @ [p.final for p in placed]), abs=1e-6)


def test_after_a_choice_the_forecast_is_that_of_its_option(engine: StudioEngine) -> None:
    turns = [d for d in decisions(game(), SEAT) if isinstance(d.chosen, Discard)]
    decision = next(d for d in turns if d.position.players[0].riichi_index is None)
    messages = messages_of(game(), decision.hand, SEAT)[decision.event + 1]
    result: Any = engine.answer(
        "analysis.run", run_params(SEAT, messages, [{"id": "kyoku-outcome"}])
    )
    own = by_seat(result["outputs"][0]["data"])[SEAT]
    (outcomes,) = Analyzer().outcomes([decision])
    assert isinstance(decision.chosen, Discard)
    (made,) = (o for o in outcomes if o.option == Option("discard", (decision.chosen.tile,)))
    assert own["winProbability"] == pytest.approx(made.win, abs=1e-9)


def test_a_hand_that_has_ended_is_certain(engine: StudioEngine) -> None:
    for hand in range(len(game().hands)):
        *_, messages = messages_of(game(), hand, SEAT)
        outputs = [{"id": n} for n in ("kyoku-outcome", "kyoku-score-delta", "match-score")]
        result: Any = engine.answer("analysis.run", run_params(SEAT, messages, outputs))
        outcome, delta, final = (each["data"] for each in result["outputs"])
        assert [each["probability"] for each in outcome["outcomes"]] == [1.0]
        assert all(each["prediction"]["expectedValue"] == 0 for each in delta["players"])
        last = hand == len(game().hands) - 1
        scores = [each["prediction"]["expectedValue"] for each in final["players"]]
        assert sum(scores) == pytest.approx(100_000, abs=1)
        if last:
            assert scores == [pytest.approx(s) for s in game().header.final or ()]


def test_an_older_host_gets_versions_and_only_what_it_knows() -> None:
    engine = StudioEngine()
    hello: Any = engine.answer("engine.hello", hello_params(1))
    assert hello["protocol"]["minor"] == 1
    contracts = {each["id"]: each for each in hello["outputContracts"]}
    assert "kyoku-outcome" not in contracts
    assert all(each["version"] == 1 for each in contracts.values())
    engine.answer("engine.initialize", initialize_params(["opponent-shanten"]))
    decision = next(decisions(game(), SEAT))
    asked = [{"id": "opponent-shanten", "version": 1}]
    result: Any = engine.answer("analysis.run", run_params(SEAT, asked_at(decision), asked))
    assert result["outputs"][0]["version"] == 1
    asked[0]["version"] = 2
    with pytest.raises(RpcError, match="no version 2"):
        engine.answer("analysis.run", run_params(SEAT, asked_at(decision), asked))


def test_no_answer_depends_on_what_was_asked_before(engine: StudioEngine) -> None:
    first, *_, last = some(4)
    before = ask(engine, first)
    ask(engine, last)
    engine.answer("session.reset", {"sessionId": "game:0"})
    assert ask(engine, first) == before


def test_a_released_host_may_leave_flags_out(engine: StudioEngine) -> None:
    decision = next(d for d in some() if d.position.drawn is not None)
    given = candidates_of(decision)
    result = ask(engine, decision)[ALL[0]]
    for each in given:
        if each["action"].get("tsumogiri") is False:
            del each["action"]["tsumogiri"]
    action = {"id": ALL[0], "parameters": {"candidates": given}}
    params = run_params(SEAT, asked_at(decision), [action])
    again: Any = engine.answer("analysis.run", params)
    assert again["outputs"][0]["data"] == result


def test_the_package_starts_this_installation(tmp_path: Path) -> None:
    folder = tmp_path / "haiyomi"
    done = run_command("engine", "--package", str(folder))
    assert done.returncode == 0, done.stderr
    manifest = json.loads((folder / "engine.json").read_text(encoding="utf-8"))
    assert manifest["schemaVersion"] == 2
    assert (folder / manifest["licenses"][0]["path"]).is_file()
    ((_, entry),) = manifest["entrypoints"].items()
    with Process([str(folder / entry["executable"]), *entry["arguments"]]) as host:
        engine = host.ask("engine.hello", hello_params())["engine"]
        assert (engine["id"], engine["version"]) == (manifest["id"], manifest["version"])
    (tmp_path / "full").mkdir()
    refused = run_command("engine", "--package", str(tmp_path / "full"))
    assert refused.returncode == 2
    assert "no engine package" in refused.stderr


def test_the_names_of_tiles_are_those_of_the_protocol() -> None:
    assert {"1m", "5m", "5p", "E", "P", "F", "C"} <= KINDS
    assert not {"5mr", "?"} & KINDS
