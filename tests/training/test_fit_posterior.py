"""The fit of the posterior's weights: it learns, it is the same from a seed, it resumes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from haiyomi.errors import DatasetError
from haiyomi.play.simulate import simulate_many
from haiyomi.reading.posterior import weight_shapes
from haiyomi.training.fit_posterior import (
    Settings,
    fit,
    loss_and_gradients,
    mean_loss,
    rows_of_half,
    start,
    tenpai_opponents,
)
from haiyomi.training.reading_rows import ReadingRows, game_rows

SMALL = Settings(rows=360, batch=24, every=5, rate=0.1, table_rate=0.2)


@pytest.fixture(scope="module")
def rows() -> ReadingRows:
    games = list(simulate_many(5, range(3)))
    return ReadingRows.concat([game_rows(f"g{i}", g) for i, g in enumerate(games)])


@pytest.mark.parametrize("width", [0, 8])
def test_the_gradient_is_that_of_the_loss(rows: ReadingRows, width: int) -> None:
    settings = replace(SMALL, width=width, layers=1)
    weights = start(settings)
    assert {k: v.shape for k, v in weights.items()} == weight_shapes(weights)
    rng = np.random.default_rng(2)
    for name in weights:
        weights[name] = weights[name] + 0.05 * rng.normal(size=weights[name].shape).astype(
            weights[name].dtype
        )
    if not width:
        suits = weights["linear kinds"][:, :9]
        weights["linear kinds"][:, 9:18] = weights["linear kinds"][:, 18:27] = suits
    index, opponent = tenpai_opponents(rows)
    part, seats = rows.take(index[:16]), opponent[:16]
    _, gradient = loss_and_gradients(weights, part, seats)
    for name in ("tiles", "tiles class", "shape", "out" if width else "linear"):
        flat = np.argsort(-np.abs(gradient[name]).ravel())[:2]
        for at in flat:
            losses = []
            for sign in (1, -1):
                moved = {k: v.astype(np.float64) if k == name else v for k, v in weights.items()}
                moved[name] = moved[name].copy()
                moved[name].ravel()[at] += sign * 1e-2
                losses.append(
                    np.nanmean(loss_and_gradients(moved, part, seats, gradients=False)[0])
                )
            measured = (losses[0] - losses[1]) / 2e-2
            assert measured == pytest.approx(gradient[name].ravel()[at], rel=0.02, abs=2e-4), name


def test_it_learns_the_same_from_a_seed_and_resumes(rows: ReadingRows, tmp_path: Path) -> None:
    weights, history = fit(rows, rows, SMALL, valid_rows=50)
    again, _ = fit(rows, rows, SMALL, valid_rows=50)
    assert all(np.array_equal(weights[k], again[k]) for k in weights)
    assert history[-1]["step"] == 15
    result = tenpai_opponents(rows)
    before = mean_loss(start(SMALL), rows, *result)["all"]
    assert mean_loss(weights, rows, *result)["all"] < before - 0.05

    class Stop(Exception):
        pass

    def stop(line: dict[str, object]) -> None:
        raise Stop

    file = tmp_path / "checkpoint.npz"
    with pytest.raises(Stop):
        fit(rows, rows, SMALL, file, stop, valid_rows=50)
    resumed, _ = fit(rows, rows, SMALL, file, valid_rows=50)
    assert all(np.array_equal(weights[k], resumed[k]) for k in weights)
    with pytest.raises(DatasetError, match="other rows or settings"):
        fit(rows, rows, replace(SMALL, batch=12), file, valid_rows=50)


def test_tenpai_rows_and_parts(rows: ReadingRows) -> None:
    index, opponent = tenpai_opponents(rows)
    assert len(index) > 50
    assert set(opponent) == {1, 2, 3}
    assert (rows_of_half(rows, True) ^ rows_of_half(rows, False)).all()
