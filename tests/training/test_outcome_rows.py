"""Rows for the outcome forecast: drawn by place alone, labelled as the events of the hand say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from outcomes.hand_outcome import outcome_of

from haiyomi.corpus import Corpus
from haiyomi.evaluation.outcomes.outcome_baselines import labels_of
from haiyomi.evaluation.outcomes.outcome_summary import summary
from haiyomi.outcomes.ending import Ending
from haiyomi.training.outcome_rows import outcome_rows


def test_a_part_of_the_rows_is_among_all_of_them(root: Path) -> None:
    samples = [root / "tests" / "samples"]
    whole, skipped = outcome_rows(samples, 1.0, 7)
    part, _ = outcome_rows(samples, 0.25, 7)
    assert not skipped
    assert 0.2 < len(part) / len(whole) < 0.3
    all_rows = {row.tobytes() for row in whole.decisions}
    assert {row.tobytes() for row in part.decisions} <= all_rows
    assert len(part.decisions) == len(part.labels)


def agree(path: Path, games: int) -> set[Ending]:
    """Check that the core's labels are the outcomes that the hands' events give."""
    rows, _ = outcome_rows([path], 1.0, 7, games)
    ended, change, scores = rows.ending, rows.change, rows.decisions["observation"]["players"]
    found = set()
    for number, (_, game) in enumerate(Corpus(path).first(games)):
        outcomes = [outcome_of(hand, game.header.rules) for hand in game]
        for at in np.flatnonzero(rows.labels["game"] == number):
            seat = int(rows.labels["seat"][at])
            outcome = outcomes[rows.labels["hand"][at]]
            assert ended[at] == outcome.seen_by(seat)
            assert change[at] == outcome.end.scores[seat] - scores["score"][at, 0]
            found.add(outcome.seen_by(seat))
    return found


def test_labels_are_the_outcomes_of_made_games(root: Path) -> None:
    found = agree(root / "tests" / "samples", 9)
    assert {Ending.TSUMO, Ending.RON, Ending.DEAL_IN_LEFT, Ending.DRAW_NOTEN} <= found


@pytest.mark.corpus
def test_labels_are_the_outcomes_of_real_games(corpus: Path) -> None:
    assert len(agree(corpus / "valid.zip", 25)) >= 13


def test_predicted_labels_are_of_their_kind(root: Path) -> None:
    rows, _ = outcome_rows([root / "tests" / "samples"], 1.0, 7)
    labels = labels_of(rows)
    assert (rows.change[labels["win"]] > 0).all()
    assert (rows.change[labels["later deal-in"]] < 0).all()
    assert (rows.change[labels["tsumo of another"]] < 0).all()
    assert 0 < rows.at_once.sum() < len(rows) / 20
    assert np.isin(rows.ending[rows.at_once], [2, 3, 4]).all()
    assert not (labels["later deal-in"] & rows.at_once).any()


def test_the_summary_is_finite_and_says_something(root: Path) -> None:
    rows, _ = outcome_rows([root / "tests" / "samples"], 0.2, 7)
    x = summary(rows.decisions)
    assert x.shape[0] == len(rows)
    assert np.isfinite(x).all()
    assert x.std(axis=0).astype(bool).sum() > 100
