"""P(win) of hands left tenpai: which decisions count, what is expected of them, and the figures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from apps.in_process import haiyomi

pytest.importorskip("sklearn")

from haiyomi.errors import DatasetError
from haiyomi.evaluation.outcomes.option_forecast import chosen_option
from haiyomi.evaluation.outcomes.tenpai_experiment import (
    HANDS,
    TenpaiRows,
    rows_of_game,
    tenpai_results,
)
from haiyomi.events import Game
from haiyomi.logs.load import write
from haiyomi.outcomes.corrections.tenpai_wins import (
    DAMATEN,
    OPEN,
    RIICHI,
    SORTS,
    TERMS,
    TenpaiOptions,
    with_tenpai_wins,
)
from haiyomi.outcomes.forecast import possible_ending
from haiyomi.outcomes.later_models import shipped
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import decisions


@pytest.fixture(scope="module")
def rows(game: Game) -> TenpaiRows:
    return TenpaiRows.join(rows_of_game("game", game))


def test_the_corrected_wins_are_those_of_the_forecast(game: Game, rows: TenpaiRows) -> None:
    """The forecast takes the same P(win), in the same order."""
    known = [d for d in decisions(game) if chosen_option(d) is not None]
    found: list[float] = []
    for first in range(0, len(known), 64):
        some = known[first : first + 64]
        block = OptionBlock.of(some)
        ending = possible_ending(block, shipped().later(block))
        wins = with_tenpai_wins(TenpaiOptions.of(block), ending)[:4].sum(axis=0).mean(axis=0)
        places = zip(block.begins.tolist(), block.options, some, strict=True)
        found += [float(wins[at + options.index(chosen_option(d))]) for at, options, d in places]
    assert len(rows) > 20
    rest = iter(found)
    for p in rows.corrected:
        assert any(each == pytest.approx(p) for each in rest)
    assert np.abs(rows.corrected - rows.networks).max() > 0.01


def test_rows_name_the_hand_and_its_tiles(rows: TenpaiRows) -> None:
    assert set(rows.hand.tolist()) <= {-1, *range(len(HANDS))}
    assert rows.inputs.shape == (len(rows), len(TERMS))
    assert (rows.inputs[:, 0] == 1).all()
    live, log_live, left = rows.inputs[:, 2:5].T
    assert (live > 0).all()
    assert log_live == pytest.approx(np.log(live))
    assert (left > 0).all()
    assert rows.inputs[rows.hand == HANDS.index("damaten, yaku on all"), 10].all()
    assert (rows.sort[rows.hand == HANDS.index("riichi")] == 2).all()
    assert ((rows.hand == HANDS.index("open")) == (rows.sort == 0)).all()
    assert rows.won.any()
    assert not rows.won.all()


def test_the_regression_is_fitted_to_the_rows() -> None:
    """Wins drawn by a known regression give it back."""
    rng = np.random.default_rng(3)
    n, sorts = 180_000, {"open": OPEN, "damaten": DAMATEN, "riichi": RIICHI}
    sort, live = rng.integers(0, 3, n), rng.integers(1, 9, n)
    inputs = np.stack([
        np.ones(n), rng.normal(size=n), live, np.log(live), left := rng.integers(1, 60, n),
        *rng.random((5, n)), (rng.random(n) < 0.3) & (sort == 1),
        facing := (rng.random(n) < 0.5) & (sort < 2), facing * rng.random(n), rng.random(n) < 0.3,
        np.maximum(left - 45, 0), rng.random(n) < 0.3,
        (rng.random(n) < 0.5) * np.maximum(25 - left, 0),
    ], axis=1)  # fmt: skip
    truth = {
        name: np.array(each) * rng.uniform(0.7, 1.3, len(each)) for name, each in sorts.items()
    }
    weights = np.zeros((n, len(TERMS)))
    for number, name in enumerate(sorts):
        weights[sort == number, : len(truth[name])] = truth[name]
    p = 1 / (1 + np.exp(-(inputs * weights).sum(axis=1)))
    won = rng.random(n) < p
    made = TenpaiRows(won, np.full(n, won.mean()), p, sort, inputs, np.full(n, 3))
    results = tenpai_results([made, made], "made")
    for name, each in truth.items():
        fitted = [t["fitted"] for t in results["terms"] if t["hands"] == name]
        assert fitted == pytest.approx(each, abs=0.13)
    all_rows, riichi = results["groups"][:2]
    assert all_rows["n"] == riichi["n"] == 2 * n
    assert all_rows["change"]["value"] < -0.02
    assert {t["hands"]: t["shipped"] for t in results["terms"]} == {
        name: each[-1] for name, each in SORTS.items()
    }
    assert all_rows["change_fitted"]["value"] == pytest.approx(
        all_rows["change"]["value"], abs=2e-4
    )


def test_hands_that_all_ended_alike_are_one_sentence(rows: TenpaiRows) -> None:
    lost = np.flatnonzero(~rows.won)[:3]
    some = TenpaiRows(
        rows.won[lost], rows.networks[lost], rows.corrected[lost], rows.sort[lost],
        rows.inputs[lost], rows.hand[lost],
    )  # fmt: skip
    with pytest.raises(DatasetError, match="all 3 hands left tenpai ended alike"):
        tenpai_results([some], "made")


def test_the_command_writes_what_it_prints(game: Game, tmp_path: Path) -> None:
    record, results = tmp_path / "one.json", tmp_path / "results.json"
    record.write_text(write(game, "mjai"), encoding="utf-8")
    shown = haiyomi("evaluate", "tenpai", str(record), "--results", str(results), "--jobs", "1")
    assert shown.returncode == 0
    found = json.loads(results.read_text("utf-8"))
    assert f"{found['groups'][0]['networks']:.1%}" in shown.stdout
    assert [t["term"] for t in found["terms"] if t["hands"] == "open"] == list(TERMS)
