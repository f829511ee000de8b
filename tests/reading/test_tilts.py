"""Tilts of hands drawn from counts: fitted to the true shanten, and kept in a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haiyomi.corpus import Corpus
from haiyomi.errors import DatasetError, ModelError
from haiyomi.kernels.shanten import shanten
from haiyomi.logs.load import write as write_record
from haiyomi.play.demo import demo_game
from haiyomi.reading.counts import CountAnswers, CountModel, shipped
from haiyomi.reading.tilts import LAST_DISCARDS, Tilts, group_of, shipped_tilts
from haiyomi.training.fit_tilts import MOST, fit_tilts, tilt
from haiyomi.training.reading_rows import game_rows


def test_weighted_hands_are_as_often_one_and_two_steps_away_as_true_ones() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, 6, (4000, 64)).astype(np.int8)
    weight = np.array([np.exp(1.5), np.exp(0.5), 1, 1, 1])
    true = rng.choice(np.arange(1, 6), 4000, p=weight / weight.sum()).astype(np.int8)
    one, two = tilt(drawn, true)
    assert one == pytest.approx(1.5, abs=0.1)
    assert two == pytest.approx(0.5, abs=0.1)
    assert tilt(drawn, np.full(4000, 5, np.int8)) == (-MOST, -MOST)


def test_a_group_ends_with_its_last_discard() -> None:
    discards = np.array([0, 2, 3, 4, 5, 14, 15, 24, 30])
    assert group_of(discards).tolist() == [0, 0, 1, 1, 2, 6, 7, 7, 7]
    weights = Tilts(tuple((-float(group), 0.0) for group in range(8))).weights(discards)
    assert np.log(weights[:, 1]).tolist() == [0, 0, -1, -1, -2, -6, -7, -7, -7]
    assert (weights[:, 2:] == 1).all()
    assert (weights[:, 0] == 0).all()


def test_tilts_are_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tilts.json"
    shipped_tilts().save(file, {})
    assert Tilts.load(file) == shipped_tilts()
    Tilts(((0.5, 0.5),)).save(file, {})
    with pytest.raises(ModelError, match=r"^tilts\.json: other groups of discards"):
        Tilts.load(file)


def test_tilts_are_fitted_to_records(tmp_path: Path) -> None:
    text = write_record(demo_game(), "mjlog")
    (tmp_path / "demo.mjlog").write_text(text, encoding="utf-8")
    records = Corpus([tmp_path])
    with pytest.raises(DatasetError, match="no tilt for a group without one"):
        fit_tilts(records, shipped(), 1)
    found, sizes = fit_tilts(Corpus([tmp_path] * 8), shipped(), 8)
    assert len(sizes) == len(LAST_DISCARDS)
    assert all(-MOST <= value <= MOST for each in found.values for value in each)


def test_greater_weights_draw_hands_nearer_to_tenpai(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = game_rows("demo", demo_game())
    rows = rows.take(np.arange(0, len(rows), len(rows) // 8))
    model: CountModel = shipped()

    def mean(value: float) -> float:
        monkeypatch.setattr(
            "haiyomi.reading.counts.shipped_tilts",
            lambda: Tilts(((value, value / 2),) * len(LAST_DISCARDS)),
        )
        answers: CountAnswers = model.of(model.network.read(rows.records))
        return float(np.mean([shanten(h).mean() for h in answers.draw(slice(None), 100, 3)]))

    assert mean(0.0) > mean(0.7) > mean(1.4)
