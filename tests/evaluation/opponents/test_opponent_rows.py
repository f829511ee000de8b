"""Rows of opponents: the model's own answers beside the truth of the records, and their tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from made_networks import OPPONENTS, made_network
from training.made_corpus import made_corpus

from haiyomi.dealin.network_model import NetworkModel
from haiyomi.errors import DatasetError, ModelError
from haiyomi.evaluation.opponents.opponent_experiment import (
    biases_of,
    groups_of,
    opponent_results,
    paired_results,
    reports,
)
from haiyomi.evaluation.opponents.opponent_rows import (
    OpponentRows,
    model_of_opponents,
    opponent_rows,
)
from haiyomi.game.labelled import labelled
from haiyomi.networks.opponents import OpponentNetwork
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.training.packed_corpus import pack_corpora


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    corpus = made_corpus(folder / "corpus", range(1), range(1, 4), range(4, 5))
    pack_corpora([corpus], folder / "games", 1)
    return folder / "games"


@pytest.fixture(scope="module")
def model() -> NetworkModel:
    return NetworkModel(OpponentNetwork(made_network(OPPONENTS, 4)))


@pytest.fixture(scope="module")
def rows(packed: Path, model: NetworkModel) -> OpponentRows:
    return opponent_rows(packed, "valid", 0.2, model)


def test_rows_are_those_of_positions(packed: Path, model: NetworkModel) -> None:
    """Probabilities and labels of whole games, found by the walk over positions."""
    found = opponent_rows(packed, "valid", 1.0, model)
    expected: list[tuple[float, bool]] = []
    chosen = 0
    for number in (1, 2, 3):
        for one in labelled(simulate_rule_players(3, number)):
            if one.forced:
                continue
            chosen += 1
            if chosen % 40:
                continue
            (answer,) = model.read([one.position])
            for r in (1, 2, 3):
                mask = int(one.labels.ron[one.decision, (one.seat + r) % 4])
                for k in sorted({t.kind for t in one.position.hand}):
                    expected.append((float(answer.ron[r - 1, k]), bool(mask >> k & 1)))
    assert found.decisions == chosen
    have = set(zip(found.tile.p.tolist(), found.tile.label.tolist(), strict=True))
    # A win or nine terminals on offer are in the core's record and not in a position's.
    missing = sum(one not in have for one in expected)
    assert missing < len(expected) / 50
    assert len(expected) > 500


def test_seats_that_forget_are_asked_without_tedashi(
    packed: Path, model: NetworkModel, rows: OpponentRows
) -> None:
    forgot = opponent_rows(packed, "valid", 0.2, model, forget=True)
    assert (forgot.tile.label == rows.tile.label).all()
    assert (forgot.tile.p != rows.tile.p).any()


def test_the_shards_may_be_read_by_several_processes(
    packed: Path, model: NetworkModel, rows: OpponentRows
) -> None:
    found = opponent_rows(packed, "valid", 0.2, model, jobs=2)
    assert (found.games, found.decisions) == (rows.games, rows.decisions)
    for name in ("game", "p", "label"):
        assert (getattr(found.tile, name) == getattr(rows.tile, name)).all()


def test_a_bias_is_observed_over_predicted(rows: OpponentRows) -> None:
    found = biases_of(rows)
    closed = rows.tile.cls == 4
    bias = found["rons of closed opponents"]
    assert bias["n"] == closed.sum()
    assert bias["observed"] == rows.tile.label[closed].sum()
    assert bias["predicted"] == pytest.approx(rows.tile.p[closed].sum())
    assert bias["ratio"]["value"] == pytest.approx(bias["observed"] / bias["predicted"])
    # A model that halves what it said is twice as biased.
    half = replace(rows, tile=replace(rows.tile, p=rows.tile.p / 2))
    assert biases_of(half)["rons of closed opponents"]["ratio"]["value"] == pytest.approx(
        2 * bias["ratio"]["value"]
    )


def test_parts_are_of_the_rows_they_name(rows: OpponentRows) -> None:
    found = groups_of(rows.tile)
    assert rows.tile.threat[found["all"]].all()
    live = found["riichi, live tiles"]
    assert (rows.tile.cls[live] == 0).all()
    assert (rows.tile.p[live] >= 0).all()
    assert not rows.tile.label[~rows.tile.live].any()


def test_tables_and_a_model_beside_itself(rows: OpponentRows) -> None:
    results = opponent_results(rows, "mine", "valid", 0.2)
    results["beside"] = {"mine": paired_results(rows, rows)}
    assert results["beside"]["mine"]["all"]["gain"] == 0
    texts = [report.text() for report in reports(results)]
    assert len(texts) == 4
    assert "rons on dora, three melds" in texts[2]


def test_a_share_that_draws_nothing_is_named(packed: Path, model: NetworkModel) -> None:
    """It ended in an IndexError."""
    with pytest.raises(DatasetError, match=r"^no decision was drawn: raise --share$"):
        opponent_rows(packed, "valid", 1e-9, model)


def test_a_model_without_records_is_refused() -> None:
    with pytest.raises(ModelError, match="is no network of opponents"):
        model_of_opponents("kurita-hoki")
