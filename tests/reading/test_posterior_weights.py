"""Weights of tenpai hands: averaged over versions, and read from either end of the suits."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.play.demo import demo_game
from haiyomi.reading.features import MIRROR_KINDS, features, mirror_features
from haiyomi.reading.network import first_weights
from haiyomi.reading.posterior import OUTPUTS, FactorRows
from haiyomi.training.adam import Arrays
from haiyomi.training.fit_posterior import Settings, start
from haiyomi.training.reading_rows import ReadingRows, game_rows


@pytest.fixture(scope="module")
def rows() -> ReadingRows:
    found = game_rows("demo", demo_game())
    return found.take(np.arange(0, len(found), 25))


def version(seed: int) -> Arrays:
    weights = start(Settings(width=8, layers=1))
    rng = np.random.default_rng(seed)
    weights |= first_weights(8, 1, rng, OUTPUTS)
    for name in ("out", "out honours", "tiles", "tiles class", "shape", "irregular"):
        noise = 0.3 * rng.normal(size=weights[name].shape)
        weights[name] = (weights[name] + noise).astype(weights[name].dtype)
    return weights


def test_both_ends_are_averaged_in_log_factors(rows: ReadingRows) -> None:
    seats = np.full(len(rows), 2)
    weights = version(1)
    plain = FactorRows(weights, rows.observations, seats)
    mirrored = FactorRows(weights, rows.observations, seats, mirrored=np.ones(len(rows), bool))
    assert not np.allclose(plain.count, mirrored.count, rtol=1e-2)
    for batch_invariant in (False, True):
        both = FactorRows(
            weights, rows.observations, seats, batch_invariant=batch_invariant, both_ends=True
        )
        for name in ("count", "tiles", "wait", "shape", "irregular"):
            a, b = getattr(plain, name), getattr(mirrored, name)
            np.testing.assert_allclose(getattr(both, name), np.sqrt(a * b), rtol=1e-4)


def test_a_mirrored_row_is_read_from_the_other_end(rows: ReadingRows) -> None:
    seats = np.full(len(rows), 1)
    weights = version(3)
    some = np.arange(len(rows)) % 2 == 0
    plain = FactorRows(weights, rows.observations, seats)
    found = FactorRows(weights, rows.observations, seats, mirrored=some)
    assert np.array_equal(found.out[~some], plain.out[~some])
    x, context = features(rows.observations, seats)
    given = mirror_features(x), context
    expected = FactorRows(weights, rows.observations, seats, given).out[:, MIRROR_KINDS]
    np.testing.assert_allclose(found.out[some], expected[some], atol=1e-5)
    assert not np.allclose(found.out[some], plain.out[some], atol=1e-2)


def test_a_mirror_twice_is_nothing(rows: ReadingRows) -> None:
    x, _ = features(rows.observations, np.full(len(rows), 3))
    assert np.array_equal(mirror_features(mirror_features(x)), x)
