"""Two models on the same rows; diagrams of one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from haiyomi.evaluation.compare import ablation_report, paired, paired_reports
from haiyomi.evaluation.dealin_rows import TABLES, Rows
from haiyomi.evaluation.metrics import row_log_loss
from haiyomi.evaluation.reliability import points, svg, write_diagrams
from haiyomi.evaluation.report import Scope


def made_rows(p: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Rows:
    """Rows of ten games, of every class, whose truth is ``truth()``."""
    n = len(p)
    tables = {}
    for table, columns in TABLES.items():
        made = {"game": np.arange(n) % 10}
        made |= {c: np.zeros(n, kind) for c, kind in columns.items()}
        made["decision"] = np.arange(n)
        made["cls"] = np.arange(n, dtype=np.int8) % 5
        made["threat"] = np.ones(n, bool)
        made["probability"] = p
        made["label"] = truth(n)
        tables[table] = made
    return Rows(tuple(f"g{i}" for i in range(10)), tables)


def truth(n: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.random.default_rng(1).random(n) < 0.2


def test_the_gain_is_the_difference_of_the_losses() -> None:
    n = 4000
    label = truth(n)
    good = np.where(label, 0.4, 0.15)
    bad = np.full(n, 0.2)
    found = paired(made_rows(good), made_rows(bad), 3)["tile"]["all"]
    constant = row_log_loss(np.full(n, label.mean()), label).mean()
    gain = (row_log_loss(bad, label) - row_log_loss(good, label)).mean() / constant
    assert found["gain"] == pytest.approx(gain)
    assert found["gain_low"] < gain < found["gain_high"]
    assert found["gain_low"] > 0
    assert found["auc"] == 1.0
    assert found["other_auc"] == 0.5
    same = paired(made_rows(good), made_rows(good), 3)["tile"]["riichi"]
    assert same["gain"] == same["gain_low"] == same["gain_high"] == 0


def test_other_rows_are_refused() -> None:
    rows = made_rows(np.full(100, 0.1))
    other = made_rows(np.full(100, 0.1))
    other.tables["tile"]["tile"][5] = 9
    with pytest.raises(ValueError, match="tile rows differ"):
        paired(rows, other, 1)
    with pytest.raises(ValueError, match="rows differ"):
        paired(rows, replace(rows, games=("x",) * 10), 1)


def test_tables_for_a_person() -> None:
    found = paired(made_rows(np.full(500, 0.1)), made_rows(np.full(500, 0.2)), 1)
    paired_report = paired_reports(found, "kurita-hoki", Scope())[0]
    assert "kurita-hoki" in paired_report.title
    assert all(len(row) == len(paired_report.columns) for row in paired_report.rows)
    ablation = ablation_report({"posterior:shape": found, "posterior": found}, Scope())
    assert ablation.columns[2:] == ("shape", "whole")
    assert ablation.rows[0][0] == "all"


def test_diagrams_show_what_was_observed(tmp_path: Path) -> None:
    p = np.random.default_rng(2).random(4000) * 0.4
    rows = made_rows(p)
    label = rows.tables["tile"]["label"]
    found = points(p, label)
    assert len(found) == 20
    assert np.mean([f[1] for f in found]) == pytest.approx(label.mean())
    assert all(low <= seen <= high for _, seen, low, high in found)
    files = write_diagrams(tmp_path, rows, "some model")
    assert len(files) == 6
    for file in files:
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        assert len(root.findall("{http://www.w3.org/2000/svg}circle")) == 20


def test_bins_without_a_ron_are_drawn() -> None:
    """A Wilson interval of no hits may fall a rounding below nought."""
    n = 40_000
    label = np.zeros(n, bool)
    label[-20:] = True
    assert "circle" in svg(np.arange(n) / n * 1e-3, label, "rare")
