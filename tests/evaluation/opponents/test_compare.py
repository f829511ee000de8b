"""Two models on the same rows; diagrams of one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from haiyomi.errors import DatasetError
from haiyomi.evaluation.metrics import row_log_loss
from haiyomi.evaluation.opponents.compare import ablation_report, paired, paired_reports
from haiyomi.evaluation.opponents.dealin_experiment import write_rows
from haiyomi.evaluation.opponents.dealin_rows import TABLES, DealinRows
from haiyomi.evaluation.opponents.reliability import bins, threat_rows
from haiyomi.evaluation.report import Scope


def made_rows(p: np.ndarray[tuple[int], np.dtype[np.float64]]) -> DealinRows:
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
    return DealinRows(tuple(f"g{i}" for i in range(10)), tables)


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


def test_bins_hold_what_was_observed() -> None:
    p = np.random.default_rng(2).random(4000) * 0.4
    label = made_rows(p).tables["tile"]["label"]
    found = bins(p, label)
    assert len(found) == 20
    assert np.mean([f[1] for f in found]) == pytest.approx(label.mean())
    assert all(low <= seen <= high for _, seen, low, high in found)


def test_the_rows_file_says_which_decisions_have_a_threat(tmp_path: Path) -> None:
    rows = made_rows(np.random.default_rng(2).random(4000))
    tile = rows.tables["tile"]
    # Two decisions of each game: one with opponents of all classes, one with closed ones only.
    tile["decision"] = np.arange(4000) // 10 % 2
    tile["cls"] = np.where(tile["decision"] == 1, 4, np.arange(4000) // 20 % 5).astype(np.int8)
    path = tmp_path / "rows.parquet"
    write_rows(path, rows)
    threat = tile["decision"] == 0
    for name, mask in (
        (None, threat),
        ("riichi", threat & (tile["cls"] == 0)),
        ("closed", threat & (tile["cls"] == 4)),
    ):
        predicted, observed = threat_rows(path, name)
        assert np.array_equal(predicted, tile["probability"][mask])
        assert np.array_equal(observed, tile["label"][mask])
    with pytest.raises(DatasetError, match="the classes are riichi"):
        threat_rows(path, "open")
