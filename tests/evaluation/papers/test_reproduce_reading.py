"""The paper's experiments, small, on games played here; the page made of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from haiyomi.errors import DatasetError
from haiyomi.evaluation.papers.reading_page import figures
from haiyomi.evaluation.papers.reading_variants import (
    BASE,
    LAST_TURN,
    TILES,
    position_weights,
    sample,
)
from haiyomi.evaluation.papers.reproduce_reading import experiment
from haiyomi.evaluation.papers.reproduction_page import rewrite, write
from haiyomi.logs.load import write as write_record
from haiyomi.play.demo import demo_game
from haiyomi.reading.opponent_class import totals_of
from haiyomi.storage.resume import no_bar
from haiyomi.training.reading_rows import game_rows


@pytest.mark.slow
def test_experiments_and_their_page(tmp_path: Path) -> None:
    for split in ("train", "valid", "test"):
        (tmp_path / "corpus" / split).mkdir(parents=True)
        text = write_record(demo_game(), "mjlog")
        (tmp_path / "corpus" / split / f"{split}.mjlog").write_text(text, encoding="utf-8")
    corpus, cache = tmp_path / "corpus", tmp_path / "cache"
    results = experiment(corpus, cache, 1, no_bar, (40, 80), 60, 500)
    assert [r["positions"] for r in results["raw"]] == [40, 80]
    assert [d["dummies"] for d in results["dummies"]] == ["none", "0", "d"]
    assert sum(results["test"]["labels"]) == 34 * 500
    for part in (*results["raw"], *results["dummies"]):
        assert 0 < part["agreement"]["value"] < 1
        assert len(part["by_turn"]) == len(results["test"]["turns"])
    # A second run takes the fitted CRFs and the evaluation, with its times, from the cache.
    again = experiment(corpus, cache, 1, no_bar, (40, 80), 60, 500)
    assert json.loads(json.dumps(results)) == json.loads(json.dumps(again))
    results["evaluation"]["ms_a_decision"] = {}
    docs = tmp_path / "docs"
    docs.mkdir()
    write("reading", results, docs)
    page = (docs / "reproduction" / "nemoto.md").read_text(encoding="utf-8")
    for word in ("Tables 2 and 3", "Table 4", "Table 5", "Table 6", "Equations and functions"):
        assert word in page
    for name in figures({"reading": results}):
        assert f"results/{name}" in page
        root = ElementTree.fromstring((docs / "results" / name).read_text(encoding="utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    before = page
    rewrite(docs)
    assert (docs / "reproduction" / "nemoto.md").read_text(encoding="utf-8") == before
    with pytest.raises(DatasetError, match="no results"):
        rewrite(tmp_path)


def test_positions_of_a_variant_are_drawn_as_it_says() -> None:
    rows = game_rows("demo", demo_game())
    row = np.repeat(np.arange(len(rows)), 3)
    opponent = np.tile(np.array([1, 2, 3]), len(rows))
    weights = position_weights(rows, "closed", row, opponent)
    assert weights is not None
    tiles = totals_of(rows.observations[row], opponent)
    assert weights @ tiles == pytest.approx(TILES)
    weights = position_weights(rows, "turns", row, opponent)
    assert weights is not None
    by_turn = np.bincount(np.minimum(rows.turn[row], LAST_TURN), weights)[1:]
    assert by_turn[by_turn > 0] == pytest.approx(1.0 / (by_turn > 0).sum())
    assert position_weights(rows, "any", row, opponent) is None
    three = sample(rows, replace(BASE, all_opponents=True), 5, 1)
    assert sorted(three.opponent.tolist()) == sorted([1, 2, 3] * 5)
