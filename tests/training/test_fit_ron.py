"""The fit of the network of rons: its gradient, that it learns, that it resumes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from haiyomi.dealin.ron_network import log_odds, log_odds_from_both_ends, ron_shapes
from haiyomi.errors import DatasetError
from haiyomi.kernels.waits import waits
from haiyomi.play.simulate import simulate_many
from haiyomi.reading.features import MIRROR_KINDS, features, mirror_features
from haiyomi.reading.network import first_weights
from haiyomi.training.fit_boosting import Labels
from haiyomi.training.fit_ron import (
    RonSettings,
    fit_ron,
    loss_and_gradients,
    opponents_of,
    start,
    trunk_of,
)
from haiyomi.training.reading_rows import ReadingRows, game_rows

SMALL = RonSettings(steps=24, batch=32, rate=1e-2, drop=0.0, every=8, closed=1.0, quiet=1.0)
Data = tuple[ReadingRows, Labels]


@pytest.fixture(scope="module")
def data() -> Data:
    games = list(simulate_many(5, range(2)))
    rows = ReadingRows.concat([game_rows(f"g{i}", g) for i, g in enumerate(games)])
    n = len(rows)
    # Enough to learn from: what each opponent waits on.
    wait = np.zeros((n, 3), np.uint64)
    for r in range(3):
        fits = rows.hands[:, r].sum(axis=1) % 3 == 1
        wait[fits, r] = waits(np.ascontiguousarray(rows.hands[fits, r]))
    return rows, Labels(wait != 0, wait, np.ones(n, bool))


def first(width: int = 8) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    return start(trunk_of(dict(first_weights(width, 1, np.random.default_rng(1)))))


def test_weights_have_their_shapes() -> None:
    weights = first()
    assert {k: v.shape for k, v in weights.items()} == ron_shapes(weights)


def test_the_gradient_is_that_of_the_loss(data: Data) -> None:
    rows, labels = data
    index = np.flatnonzero(labels.tenpai[:, 1])[:24]
    part, seat = rows.take(index), np.full(len(index), 2)
    weight = np.linspace(0.5, 2, len(index)).astype(np.float32)
    weights = first()
    rng = np.random.default_rng(2)
    for name in weights:
        noise = 0.1 * rng.normal(size=weights[name].shape)
        weights[name] = (weights[name] + noise).astype(np.float32)
    ron, tenpai = labels.ron[index, 1], labels.tenpai[index, 1]

    def loss(w: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]) -> float:
        seeded = np.random.default_rng(3)
        found, _ = loss_and_gradients(w, part, seat, ron, tenpai, weight, SMALL, seeded)
        return found[0] + SMALL.tenpai * found[1]

    seeded = np.random.default_rng(3)
    _, gradient = loss_and_gradients(weights, part, seat, ron, tenpai, weight, SMALL, seeded)
    assert set(gradient) == set(weights)
    for name in ("in", "0 own", "0 hand honours", "out", "tenpai context", "tenpai bias"):
        at = int(np.argmax(np.abs(gradient[name])))
        step = 2e-2
        moved = []
        for sign in (1, -1):
            other = {k: v.copy() for k, v in weights.items()}
            other[name].ravel()[at] += sign * step
            moved.append(loss(other))
        measured = (moved[0] - moved[1]) / (2 * step)
        assert measured == pytest.approx(float(gradient[name].ravel()[at]), rel=0.05, abs=2e-3), (
            name
        )


def test_it_learns_the_same_from_a_seed_and_resumes(data: Data, tmp_path: Path) -> None:
    rows, labels = data
    allowed = rows.game == 0
    begin = first()
    weights, history = fit_ron(rows, labels, allowed, begin, SMALL)
    again, _ = fit_ron(rows, labels, allowed, begin, SMALL)
    assert all(np.array_equal(begin[k], v) for k, v in first().items())
    assert all(np.array_equal(weights[k], again[k]) for k in weights)
    assert history[-1]["ron"] < history[0]["ron"]

    class Stop(Exception):
        pass

    def stop(line: dict[str, object]) -> None:
        raise Stop

    file = tmp_path / "checkpoint.npz"
    with pytest.raises(Stop):
        fit_ron(rows, labels, allowed, begin, SMALL, file, stop)
    resumed, _ = fit_ron(rows, labels, allowed, begin, SMALL, file)
    assert all(np.array_equal(weights[k], resumed[k]) for k in weights)
    with pytest.raises(DatasetError, match="other rows or settings"):
        fit_ron(rows, labels, allowed, begin, replace(SMALL, batch=16), file)
    with pytest.raises(DatasetError, match="no opponents"):
        fit_ron(rows, labels, np.zeros(len(rows), bool), begin, SMALL)


def test_opponents_come_from_the_allowed_games_at_their_weight(data: Data) -> None:
    rows, labels = data
    some = replace(SMALL, closed=0.5, quiet=0.1)
    drawn = opponents_of(rows, labels, rows.game == 1, some)
    assert (rows.game[drawn.row] == 1).all()
    assert set(drawn.weight.tolist()) <= {1.0, 2.0}
    everyone = opponents_of(rows, labels, rows.game == 1, SMALL)
    assert len(drawn.row) < len(everyone.row) == 3 * int((rows.game == 1).sum())
    assert drawn.weight.sum() == pytest.approx(len(everyone.row), rel=0.1)


def test_log_odds_from_both_ends_are_the_mean_and_those_of_the_mirror_image(data: Data) -> None:
    rows, _ = data
    weights = first()
    rng = np.random.default_rng(7)
    for name in ("out", "out honours", "tenpai context"):
        weights[name] = rng.normal(size=weights[name].shape).astype(np.float32)
    x, context = features(rows.observations[:5], np.full(5, 1))
    mirrored = mirror_features(x)
    a, b = log_odds(weights, x, context), log_odds(weights, mirrored, context)
    for batch_invariant in (False, True):
        ron, tenpai = log_odds_from_both_ends(weights, x, context, batch_invariant)
        np.testing.assert_allclose(ron, (a[0] + b[0][:, MIRROR_KINDS]) / 2, atol=1e-4)
        np.testing.assert_allclose(tenpai, (a[1] + b[1]) / 2, atol=1e-4)
        assert not np.allclose(ron, a[0], atol=1e-2)
        there, same = log_odds_from_both_ends(weights, mirrored, context, batch_invariant)
        np.testing.assert_allclose(there[:, MIRROR_KINDS], ron, atol=1e-5)
        np.testing.assert_allclose(same, tenpai, atol=1e-5)
