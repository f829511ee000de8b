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
from haiyomi.training.fit_tilts import fit_tilts, tilt
from haiyomi.training.reading_rows import game_rows


def test_a_tilt_moves_the_mean_shanten_to_the_true_one() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, 6, (4000, 32)).astype(np.int8)
    weight = np.exp(-0.8 * np.arange(1, 6))
    true = rng.choice(np.arange(1, 6), 4000, p=weight / weight.sum()).astype(np.int8)
    assert tilt(drawn, true) == pytest.approx(0.8, abs=0.05)
    assert tilt(drawn, np.full(4000, 5, np.int8)) == pytest.approx(0.0, abs=1e-6)


def test_a_group_ends_with_its_last_discard() -> None:
    discards = np.array([0, 2, 3, 4, 5, 14, 15, 24, 30])
    assert group_of(discards).tolist() == [0, 0, 1, 1, 2, 6, 7, 7, 7]
    assert Tilts(tuple(map(float, range(8)))).of(discards).tolist() == [0, 0, 1, 1, 2, 6, 7, 7, 7]


def test_tilts_are_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tilts.json"
    shipped_tilts().save(file, {})
    assert Tilts.load(file) == shipped_tilts()
    Tilts((0.5,)).save(file, {})
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
    assert all(0 <= value <= 4 for value in found.values)


def test_a_greater_tilt_draws_hands_nearer_to_tenpai(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = game_rows("demo", demo_game())
    rows = rows.take(np.arange(0, len(rows), len(rows) // 8))
    model: CountModel = shipped()

    def mean(value: float) -> float:
        monkeypatch.setattr(
            "haiyomi.reading.counts.shipped_tilts", lambda: Tilts((value,) * len(LAST_DISCARDS))
        )
        answers: CountAnswers = model.of(model.network.read(rows.records))
        return float(np.mean([shanten(h).mean() for h in answers.draw(slice(None), 100, 3)]))

    assert mean(0.0) > mean(0.7) > mean(1.4)
