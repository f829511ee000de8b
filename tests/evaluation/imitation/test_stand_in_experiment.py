"""The stand-in's campaign and the dropped lines, on a few made games."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from made_networks import POLICY, made_network

from haiyomi.corpus import Corpus
from haiyomi.evaluation.imitation import absent_seats, stand_in_experiment
from haiyomi.evaluation.imitation.referee import GameReport
from haiyomi.events import Absence, Discard, Game, Win
from haiyomi.kernels.network import STYLE
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.styles.policy import Policy
from haiyomi.tiles import Seat


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("policy") / "policy.safetensors"
    network = dataclasses.replace(made_network(POLICY, 8, 0.03), manifest={"made": 1})
    Policy(network, {"bold": np.ones(STYLE, np.float32)}).save(file)
    return file


def test_two_games(model: Path) -> None:
    pytest.importorskip("riichienv")
    work = stand_in_experiment.Work(range(2), 1, model, 1.0)
    r = stand_in_experiment.run(work, jobs=1)
    assert r["illegal"] == r["differing_options"] == r["fallbacks"] == 0
    assert sum(s["seats"] for s in r["styles"].values()) == 8
    assert sum(sum(s["placements"]) for s in r["styles"].values()) == 8
    assert r["taken_over"] == 1
    assert r["decisions_of_reliefs"] > 0
    text = "\n".join(stand_in_experiment.lines(json.loads(json.dumps(r))))
    assert "bold" in text
    again = stand_in_experiment.run(work, jobs=1)
    assert again["styles"] == r["styles"]


def test_a_game_by_value() -> None:
    pytest.importorskip("riichienv")
    work = stand_in_experiment.Work(range(1), 1, None, 1.0, "ev")
    r = stand_in_experiment.run(work, jobs=1)
    assert r["illegal"] == r["differing_options"] == r["fallbacks"] == 0
    assert list(r["styles"]) == ["ev"]
    assert r["decisions_of_reliefs"] > 0


def test_rates_are_counted_by_hand() -> None:
    log = [
        {"type": "start_kyoku"}, {"type": "reach", "actor": 1},
        {"type": "reach_accepted", "actor": 1}, {"type": "pon", "actor": 0},
        {"type": "chi", "actor": 0}, {"type": "hora", "actor": 1, "target": 0},
        {"type": "end_kyoku"},
        {"type": "start_kyoku"}, {"type": "reach", "actor": 0},
        {"type": "hora", "actor": 2, "target": 2}, {"type": "end_kyoku"},
    ]  # fmt: skip
    report = GameReport(0, log=log)
    assert stand_in_experiment._hands(report, 0) == (2, {"call": 1, "deal-in": 1})
    assert stand_in_experiment._hands(report, 1) == (2, {"riichi": 1, "win": 1})
    assert stand_in_experiment._hands(report, 2) == (2, {"win": 1})


def test_seats_and_handovers_are_mixed() -> None:
    names = ("a", "b", "c")
    seats = [stand_in_experiment.seating(names, 1, g) for g in range(60)]
    for seat in range(4):
        assert {s[seat] for s in seats} == set(names)
    taken = [stand_in_experiment.handovers(1, g) for g in range(40)]
    assert [len(t) for t in taken[:4]] == [1, 0, 2, 0]
    assert all(h.start < h.end for t in taken for h in t)
    assert {h.seat for t in taken for h in t} == {0, 1, 2, 3}


def _away(game: Game) -> Game:
    return dataclasses.replace(game, absences=(Absence(0, 2, Seat(1)),))


def test_absent_seats_are_asked_at_each_turn(model: Path) -> None:
    policy = Policy.load(model)
    game = _away(simulate_rule_players(5, 2))
    found = absent_seats.in_game(game, policy)
    free = wins = hands = 0
    for hand in game.hands:
        hands += 1
        riichi = False
        for event in hand.events:
            if type(event).__name__ == "Riichi" and event.seat == 1:  # type: ignore[union-attr]
                riichi = True
            elif isinstance(event, Discard) and event.seat == 1 and not riichi:
                free += 1
            elif isinstance(event, Win) and event.seat == 1:
                wins += 1
    assert found.hands == hands
    assert free <= found.turns <= free + hands * 4
    assert found.wins_offered >= wins
    assert 0 <= found.same_tile <= found.turns
    assert found.shown


def test_absent_seats_of_records(model: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.mjlog").write_text("<mjloggm", encoding="utf-8")
    found = absent_seats.run(Corpus(tmp_path / "broken.mjlog"), model, "made")
    results, shown, skipped = found
    assert results["skipped"] == 1
    assert [name for name, _ in skipped] == ["broken"]
    assert results["turns"] == 0
    assert not shown
    assert "made" in "\n".join(absent_seats.lines(results))
