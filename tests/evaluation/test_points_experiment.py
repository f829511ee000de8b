"""Han and points of rons: the scores by hand, and the whole run on a corpus of simulated games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from training.made_corpus import made_corpus

from haiyomi.dealin.kurita_hoki import shipped_file
from haiyomi.evaluation import points_experiment
from haiyomi.evaluation.points_experiment import crps, matched, reports, run, with_factors
from haiyomi.training.dataset import build
from haiyomi.training.fit_default import SHIPPED
from haiyomi.training.fit_han import Rons


def test_crps_is_the_mean_distance_less_half_the_spread() -> None:
    rng = np.random.default_rng(1)
    points = rng.integers(1000, 12_001, (40, 9))
    p = rng.dirichlet(np.ones(9), 40)
    p[:, 3] = 0
    p /= p.sum(axis=1, keepdims=True)
    paid = rng.integers(500, 16_001, 40)
    away = (p * np.abs(points - paid[:, None])).sum(axis=1)
    apart = np.abs(points[:, :, None] - points[:, None, :])
    spread = (p[:, :, None] * p[:, None, :] * apart).sum(axis=(1, 2))
    np.testing.assert_allclose(crps(p, points, paid), away - spread / 2)


def some_rons(n: int, seed: int) -> Rons:
    rng = np.random.default_rng(seed)
    cells = np.zeros((n, 14, 12), np.float32)
    cells[:, 1, 3], cells[:, 2, 3], cells[:, 5, 4] = 0.5, 0.3, 0.2
    none = np.zeros(n, np.int64)
    han = rng.choice([1, 2, 5], n, p=[0.2, 0.3, 0.5])
    return Rons(none, cells, han, none, none > 0, rng.permutation(n), none)


def test_rons_of_two_models_are_paired_by_game_and_order() -> None:
    a, b = some_rons(30, 1), some_rons(30, 2)
    few = Rons(*(getattr(b, k)[5:] for k in Rons.__slots__))
    left, right = matched(a, few)
    assert len(left.han) == 25
    np.testing.assert_array_equal(left.game, right.game)


def test_factors_come_from_the_other_folds() -> None:
    rons = some_rons(4000, 3)
    fold_of = np.arange(4000) % 2
    rons.han[fold_of == 0] = 1  # what the first fold had must not tell in it
    result = with_factors(rons, fold_of, 2)
    assert result[fold_of == 0, 5].sum(axis=1).mean() == pytest.approx(0.5, abs=0.05)
    assert result[fold_of == 1, 1].sum(axis=1).mean() > 0.95


@pytest.mark.slow
def test_a_small_corpus_is_judged_by_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The paper's regressions want more hands than a test has time to play.
    monkeypatch.setattr(points_experiment, "papers", lambda *_: [shipped_file()] * 2)
    corpus = made_corpus(tmp_path / "corpus", range(4), range(4, 6), range(6, 8))
    build(corpus, tmp_path / "data", jobs=1)

    @contextmanager
    def bar(what: str, unit: str) -> Iterator[object]:
        yield lambda done, total: None

    settings = replace(SHIPPED, rows=32, batch=16)
    found = run(corpus, tmp_path / "data", tmp_path / "rows", 2, settings, bar, 1)
    everyone = found["by_class"]["all"]
    assert everyone["n"] == found["rons"]["both"] > 10
    assert 0 <= everyone["right"]["low"] <= everyone["right"]["value"] <= 1
    assert everyone["crps"]["value"] > 0
    gain = everyone["constant_crps"]["value"] - everyone["crps"]["value"]
    assert everyone["crps_gain"]["value"] == pytest.approx(gain)
    again = run(corpus, tmp_path / "data", tmp_path / "rows", 2, settings, bar, 1)
    assert again == found
    assert len(reports(found)) == 3
