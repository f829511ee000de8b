"""P(win) after chosen discards: the rows, and what is counted of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from apps.in_process import haiyomi

from haiyomi.evaluation.outcomes.discard_wins import DRAWN, of_rows, reports, rows_of, win_results
from haiyomi.events import Game, Win
from haiyomi.logs.load import write


def test_three_free_discards_are_drawn_of_each_seat_and_hand(two_hands: Game) -> None:
    rows = rows_of("a", two_hands)
    assert len(rows) == DRAWN * 4 * len(two_hands.hands)
    assert rows_of("b", two_hands) != rows == rows_of("a", two_hands)
    winners = [
        {event.seat for event in hand.events if isinstance(event, Win)} for hand in two_hands.hands
    ]
    for i, (position, tile, won) in enumerate(rows):
        assert tile in position.hand
        assert won == (position.seat in winners[i // (4 * DRAWN)])
    assert {won for *_, won in rows} == {True, False}


def test_each_row_has_the_forecast_of_its_own_discard(two_hands: Game) -> None:
    rows = rows_of("a", two_hands)
    found = of_rows(rows)
    assert found.shape == (len(rows), 2)
    np.testing.assert_array_equal(found[:, 1], [won for *_, won in rows])
    assert ((found[:, 0] >= 0) & (found[:, 0] <= 1)).all()
    np.testing.assert_allclose(of_rows(rows[5:6]), found[5:6], rtol=1e-12)


def test_a_constant_scores_its_own_entropy() -> None:
    found = [np.array([[0.25, 1.0], [0.25, 0.0]]), np.array([[0.25, 0.0], [0.25, 0.0]])]
    results = win_results(found, "made")
    win = results["win"]
    assert win["auc"]["value"] == 0.5
    assert win["log_loss"]["value"] == pytest.approx(win["constant"])
    assert sum(b["n"] for b in results["bins"]) == 4
    assert "25.0%" in reports(results)[1].text()


def test_the_command_writes_what_it_prints(two_hands: Game, tmp_path: Path) -> None:
    record, results = tmp_path / "one.json", tmp_path / "results.json"
    record.write_text(write(two_hands, "mjai"), encoding="utf-8")
    shown = haiyomi("evaluate", "wins", str(record), "--results", str(results), "--jobs", "1")
    assert shown.returncode == 0
    found = json.loads(results.read_text("utf-8"))
    assert found["win"]["n"] == 24
    assert f"{found['win']['auc']['value']:.3f}" in shown.stdout
