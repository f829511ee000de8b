"""The paper's experiments, small, on games played here; the page and pictures made of them."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from haiyomi.errors import DatasetError
from haiyomi.evaluation.papers.reproduce_styles import experiment
from haiyomi.evaluation.papers.reproduce_table4 import Design
from haiyomi.evaluation.papers.reproduce_table4 import experiment as table4_experiment
from haiyomi.evaluation.papers.reproduction_page import rewrite, write
from haiyomi.evaluation.papers.styles_page import figures
from haiyomi.evaluation.papers.table4_page import figures7, table4_section
from haiyomi.evaluation.papers.table4_rows import Sizes
from haiyomi.logs.load import write as write_record
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import TENHOU
from haiyomi.storage.resume import no_bar
from haiyomi.styles.count_records import count_styles
from haiyomi.styles.statistics import COLUMN
from haiyomi.training.fit_discard_network import SgdSettings


def _corpus(folder: Path) -> Path:
    """Twelve players of four kinds, eleven games each, one of them of the valid split."""
    kinds = ("caller", "closed", "bold", "timid")
    for number in range(11):
        for table in range(3):
            order = np.random.default_rng([number, table]).permutation(4)
            names = tuple(f"{kinds[i]}-{table}" for i in order)
            game = simulate_rule_players(
                5, 10 * number + table, styles=[RULE_STYLES[kinds[i]] for i in order], names=names
            )
            split = folder / ("valid" if number == 10 else "train")
            split.mkdir(parents=True, exist_ok=True)
            text = write_record(game, "mjlog")
            (split / f"g{number}-{table}.mjlog").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_experiments_and_their_page(tmp_path: Path) -> None:
    corpus = _corpus(tmp_path / "corpus")

    def run() -> Any:
        sets = (("apart", 3), ("nearer", 4))
        return experiment(corpus, tmp_path / "cache", 1, no_bar, 11, 2, rounds=5, sets=sets)

    results = run()
    assert results["players"]["chosen"] == 12
    assert results["players"]["games"] == 132
    assert results["players"]["learning"] == 120
    found = results["simulated"]
    assert [(s["kinds"], s["seed"]) for s in found["sets"]] == [("apart", 3), ("nearer", 4)]
    assert {len(kinds) for kinds in found["kinds"].values()} == {5}
    assert all(-1 <= row["ari"] <= 1 for s in found["sets"] for row in s["rows"])
    # What was kept is what would be made again, and the names of players are in neither.
    assert json.loads(json.dumps(run())) == json.loads(json.dumps(results))
    assert "caller-1" not in json.dumps(results)
    docs = tmp_path / "docs"
    docs.mkdir()
    write("styles", results, docs)
    page = (docs / "reproduction" / "maekawa-takeuchi.md").read_text(encoding="utf-8")
    for word in ("Table 1", "Silhouettes", "How few games", "known kinds"):
        assert word in page
    for name in figures({"styles": results}):
        assert f"results/{name}" in page
        ElementTree.fromstring((docs / "results" / name).read_text(encoding="utf-8"))
    rewrite(docs)
    assert (docs / "reproduction" / "maekawa-takeuchi.md").read_text(encoding="utf-8") == page


@pytest.mark.slow
def test_table_4_compares_networks_of_equal_rows_and_steps(tmp_path: Path) -> None:
    corpus = _corpus(tmp_path / "corpus")
    design = Design(
        rounds=2, least=11, classes=2, sizes=Sizes(60, 20, 20),
        settings=SgdSettings(width=8, rate=0.02, epochs=12),
    )  # fmt: skip

    results = table4_experiment(corpus, tmp_path / "cache", 1, no_bar, design)
    assert results["players"] == 12
    table = results["table4"]
    own = [table["fits"][c["name"]] for c in results["classes"]]
    assert {f["rows"] for f in own} == {table["fits"]["pooled"]["rows"]} == {60}
    steps = {name: f["rows"] * f["epochs"] for name, f in table["fits"].items()}
    assert set(steps.values()) == {60 * 12}
    *by_class, last = table["rows"]
    assert [r["n"] for r in by_class] == [20, 20]
    assert last["n"] == 40
    for row in table["rows"]:
        gain = row["exact"]["own"]["value"] - row["exact"]["pooled"]["value"]
        assert row["gain_exact"]["pooled"]["value"] == pytest.approx(gain)
        assert 0 <= row["exact"]["own"]["value"] <= row["top3"]["own"]["value"] <= 1
    # A second run takes the networks from the cache; no name of a player is in the results.
    fitted: list[str] = []

    @contextmanager
    def bar(what: str) -> Any:
        yield lambda done, total: fitted.append(what)

    again = table4_experiment(corpus, tmp_path / "cache", 1, bar, design)
    assert json.loads(json.dumps(again)) == json.loads(json.dumps(results))
    assert not [what for what in fitted if "epochs" in what]
    assert "caller-1" not in json.dumps(results)
    lines = "\n".join(table4_section(results))
    assert "Table 4" in lines
    assert set(figures7(results["clusterings"], "table4", 1)) == {
        part.removesuffix(")") for part in re.findall(r"table4-figure7[^)]*\)", lines)
    }


def test_east_only_games_are_counted_apart_and_have_no_south_round(tmp_path: Path) -> None:
    for number, rounds in enumerate((1, 2)):
        game = simulate_rule_players(5, number, rules=TENHOU.but(rounds=rounds))
        path = tmp_path / f"{number}.mjlog"
        path.write_text(write_record(game, "mjlog"), encoding="utf-8")
    for rounds in (1, 2):
        counted = count_styles([tmp_path], 1, rounds=rounds)
        assert (counted.read, counted.other) == (2, 1)
        south = counted.tallies().sums[:, COLUMN["south_hands"]]
        assert (south > 0).all() == (rounds == 2)


def test_a_corpus_without_splits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no train and valid split"):
        experiment(tmp_path, tmp_path / "cache", 1, no_bar)
