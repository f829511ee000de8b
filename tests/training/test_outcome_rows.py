"""Rows for the outcome forecast: drawn by place alone, labelled as the record says."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from haiyomi.corpus import Corpus
from haiyomi.evaluation.outcome_baselines import labels_of
from haiyomi.evaluation.outcome_summary import summary
from haiyomi.outcomes.ending import Ending, outcome_of
from haiyomi.training.outcome_rows import is_drawn, outcome_rows


def test_a_share_is_drawn_whatever_follows() -> None:
    drawn = [is_drawn(1, "game", (h, e, s), 0.1) for h in range(20) for e in range(100)
             for s in range(4)]  # fmt: skip
    assert 0.09 < np.mean(drawn) < 0.11
    assert is_drawn(1, "game", (3, 5, 2), 1.0)
    assert not is_drawn(1, "game", (3, 5, 2), 0.0)
    assert [is_drawn(2, "game", (0, e, 0), 0.5) for e in range(64)] != [
        is_drawn(1, "game", (0, e, 0), 0.5) for e in range(64)
    ]


def test_a_part_of_the_rows_is_among_all_of_them(root: Path) -> None:
    samples = [root / "tests" / "samples"]
    whole, skipped = outcome_rows(samples, 1.0, 7)
    part, _ = outcome_rows(samples, 0.25, 7)
    assert [line.name for line in skipped] == ["README.md"]
    assert 0.2 < len(part) / len(whole) < 0.3
    all_rows = {row.tobytes() for row in whole.decisions}
    assert {row.tobytes() for row in part.decisions} <= all_rows
    assert len(part.decisions) == len(part.labels)


def test_labels_are_the_outcomes_of_the_hands(root: Path) -> None:
    rows, _ = outcome_rows([root / "tests" / "samples"], 1.0, 7)
    endings = set()
    for number, (_, game) in enumerate(Corpus(root / "tests" / "samples")):
        mine = rows.labels[rows.labels["game"] == number]
        found = {o.seen_by(s) for o in (outcome_of(h, game.header.rules) for h in game)
                 for s in range(4)}  # fmt: skip
        assert {Ending(e) for e in mine["ending"]} <= found
        endings |= found
    labels = labels_of(rows)
    change = rows.labels["change"]
    assert (change[labels["win"]] > 0).all()
    assert (change[labels["later deal-in"]] < 0).all()
    assert (change[labels["tsumo of another"]] < 0).all()
    assert Ending.TSUMO in endings
    assert Ending.DEAL_IN_RIGHT in endings
    assert 0 < rows.labels["at_once"].sum() < len(rows) / 20
    deals_in = np.isin(rows.labels["ending"], [2, 3, 4])
    assert deals_in[rows.labels["at_once"] == 1].mean() > 0.95


def test_the_summary_is_finite_and_knows_no_suit(root: Path) -> None:
    rows, _ = outcome_rows([root / "tests" / "samples"], 0.2, 7)
    x = summary(rows.decisions)
    assert x.shape[0] == len(rows)
    assert np.isfinite(x).all()
    assert x.std(axis=0).astype(bool).sum() > 100
