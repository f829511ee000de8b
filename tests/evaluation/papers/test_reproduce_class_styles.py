"""Bots of classes beside people: the experiment, small, on games played here, and its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from haiyomi.evaluation.papers import reproduce_class_styles
from haiyomi.evaluation.papers.class_acts import Acts, chances, fitted
from haiyomi.evaluation.papers.class_styles_page import class_styles_section, items
from haiyomi.evaluation.papers.reproduce_class_styles import Design, experiment
from haiyomi.game.decision_record import CHI_LOW, OPEN_KAN, RIICHI
from haiyomi.game.packed_games import decode_one, pack_games
from haiyomi.logs.load import write as write_record
from haiyomi.play.demo import demo_game
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.storage.resume import no_bar
from haiyomi.styles.policy import POOLED, shipped_policy
from haiyomi.styles.sums_table import Tallies


def demo_acts() -> Acts:
    """The chances of all four seats of the bundled game."""
    records, labels = decode_one(pack_games([("demo", demo_game())]))
    decided = labels["choice"]["decided"]
    acts = 1 << RIICHI | sum(1 << act for act in range(CHI_LOW, OPEN_KAN + 1))
    some = np.flatnonzero(decided & acts)
    zero = np.zeros(len(some), np.int64)
    return Acts(records[some], labels["choice"][some], zero, zero)


def test_a_vector_fitted_to_choices_makes_them_more_probable() -> None:
    policy, acts = shipped_policy(), demo_acts()
    pooled = chances(policy, policy.style(POOLED), acts)
    own = chances(policy, fitted(policy, acts.drawn(0, 60)), acts.drawn(0, 60))
    before = chances(policy, policy.style(POOLED), acts.drawn(0, 60))
    assert own["nats"] < before["nats"]
    for act in ("riichi", "call"):
        assert 0 < pooled[act]["predicted"] < 1
    riichi = acts.choice["decided"] >> RIICHI & 1 == 1
    assert pooled["riichi"]["n"] == riichi.sum()
    did = (acts.choice["chosen"][riichi] >> RIICHI & 1).mean()
    assert pooled["riichi"]["observed"] == pytest.approx(did)


@pytest.mark.slow
def test_the_experiment_and_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def in_turn(tallies: Tallies, least: int) -> dict[str, int]:
        return {name: i // 3 % 3 for i, name in enumerate(sorted(tallies.players))}

    monkeypatch.setattr(reproduce_class_styles, "classes_of_people", in_turn)
    kinds = ("caller", "closed", "bold", "timid")
    for number in range(8):
        names = tuple(f"{kind}-{number % 3}" for kind in kinds)
        game = simulate_rule_players(5, number, styles=[RULE_STYLES[k] for k in kinds], names=names)
        split = tmp_path / "corpus" / ("valid" if number > 5 else "train")
        split.mkdir(parents=True, exist_ok=True)
        (split / f"g{number}.mjlog").write_text(write_record(game, "mjlog"), encoding="utf-8")
    design = Design(least=2, shards=1, learn=10, test=20, games=4)

    def run() -> Any:
        cache, packed = tmp_path / "cache", tmp_path / "packed"
        return experiment(tmp_path / "corpus", cache, packed, 1, no_bar, design)

    results = run()
    assert json.loads(json.dumps(run())) == json.loads(json.dumps(results))
    assert sum(results["players"]) == 12
    text = "\n".join(class_styles_section(results))
    for name in results["people"]:
        assert f"`{name}`, bot fitted" in text
    assert "caller-1" not in json.dumps(results)
    assert items(results)
