"""The fit of the chain: it learns, it is the same again, it goes on where it was killed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haiyomi.errors import DatasetError
from haiyomi.play.demo import demo_game
from haiyomi.reading.chain import ChainModel
from haiyomi.reading.features import KIND_FEATURES, features
from haiyomi.reading.network import potentials
from haiyomi.training.fit_chain import (
    Settings,
    fit,
    loss_and_gradients,
    mean_loss,
    start,
    write_chain,
)
from haiyomi.training.fit_nemoto import draw_positions
from haiyomi.training.fit_reading import tempered
from haiyomi.training.fit_shanten import fit_factors
from haiyomi.training.reading_rows import ReadingRows, build_rows, game_rows, load_rows

SMALL = Settings(width=8, layers=1, passes=12.0, batch=16, every=50)


@pytest.fixture(scope="module")
def rows() -> ReadingRows:
    return game_rows("demo", demo_game())


def test_the_likelihood_rises(rows: ReadingRows) -> None:
    train, held_out = rows.take(np.arange(0, len(rows), 2)), rows.take(np.arange(1, len(rows), 8))
    _, history = fit(train, held_out, SMALL)
    assert history[-1]["valid"] < mean_loss(start(SMALL), held_out) - 0.8


def test_a_killed_fit_goes_on_to_the_same_weights(rows: ReadingRows, tmp_path: Path) -> None:
    train = rows.take(np.arange(0, len(rows), 3))
    settings = Settings(width=6, layers=1, passes=2.0, batch=32, every=4)
    whole, _ = fit(train, train.take(np.arange(5)), settings)
    checkpoint = tmp_path / "checkpoint.npz"

    class Killed(Exception):
        pass

    def kill(_: object) -> None:
        raise Killed

    with pytest.raises(Killed):
        fit(train, train.take(np.arange(5)), settings, checkpoint, kill)
    again, history = fit(train, train.take(np.arange(5)), settings, checkpoint)
    assert [h["step"] for h in history][:2] == [4, 8]
    for name, weight in whole.items():
        assert weight.tobytes() == again[name].tobytes(), name
    with pytest.raises(DatasetError, match="other rows or settings"):
        fit(train, train, SMALL, checkpoint)


def test_tempered_weights_give_tempered_potentials(rows: ReadingRows) -> None:
    weights = start(SMALL)
    rng = np.random.default_rng(8)
    for name, values in weights.items():
        weights[name] = (values + 0.1 * rng.normal(size=values.shape)).astype(values.dtype)
    milder = tempered(weights, 0.5)
    x, context = features(rows.observations[:20], np.full(20, 1))
    whole, _ = potentials(weights, x, context)
    half, _ = potentials(milder, x, context)
    assert np.allclose(half, 0.5 * whole, atol=1e-5)
    assert np.allclose(milder["triples"], 0.5 * weights["triples"])


def test_factors_bring_the_samples_to_the_true_shanten(rows: ReadingRows, tmp_path: Path) -> None:
    weights = start(Settings(width=4, layers=0))
    path = tmp_path / "chain.json"
    write_chain(path, [(0.25, weights), (0.75, weights)], np.zeros((40, 9)), {})
    model = ChainModel.load(path)
    # Ten of each row: one game is little beside the prior, which draws factors towards none.
    rows = rows.take(np.tile(np.arange(len(rows)), 10))
    factors, result = fit_factors(model, rows, 1)
    assert factors.shape == (40, 9)
    # An unfitted chain draws at random: far too far from tenpai.
    assert result["chain"] > result["shanten"] + 0.5
    assert abs(result["with factors"] - result["shanten"]) < 0.2 * (
        result["chain"] - result["shanten"]
    )


def test_rows_are_cached_whole_and_read_back(tmp_path: Path) -> None:
    from haiyomi.logs.load import write

    for split, names in (("train", "ab"), ("valid", "c"), ("test", "d")):
        (tmp_path / "corpus" / split).mkdir(parents=True)
        for name in names:
            file = tmp_path / "corpus" / split / f"{name}.mjlog"
            file.write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    (tmp_path / "corpus" / "train" / "broken.mjlog").write_text("<mjloggm", encoding="utf-8")
    cache = tmp_path / "cache"
    counted: list[tuple[int, int]] = []
    build_rows(tmp_path / "corpus", cache, 1, lambda done, total: counted.append((done, total)))
    assert counted[-1] == (5, 5)
    train = load_rows(cache, "train")
    one = game_rows("a", demo_game())
    assert train.games == ("a", "b")
    assert len(train) == 2 * len(one)
    assert train.observations[: len(one)].tobytes() == one.observations.tobytes()
    assert train.hands[len(one) :].tobytes() == one.hands.tobytes()
    assert [name for name, _ in train.skipped] == ["broken"]
    before = sorted((p, p.stat().st_mtime_ns) for p in cache.rglob("*.npz"))
    build_rows(tmp_path / "corpus", cache, 1)
    assert before == sorted((p, p.stat().st_mtime_ns) for p in cache.rglob("*.npz"))
    record = tmp_path / "corpus" / "test" / "d.mjlog"
    record.rename(record.with_name("e.mjlog"))
    with pytest.raises(DatasetError, match="other records"):
        build_rows(tmp_path / "corpus", cache, 1)
    with pytest.raises(DatasetError, match="holds no rows"):
        load_rows(tmp_path, "train")


def test_positions_are_drawn_once_each_and_by_seed(rows: ReadingRows) -> None:
    observations, opponent, hands, row = draw_positions(rows, 50, 3)
    assert len(set(zip(row.tolist(), opponent.tolist(), strict=True))) == 50
    again = draw_positions(rows, 50, 3)
    assert again[3].tolist() == row.tolist()
    assert (hands == rows.hands[row, opponent - 1]).all()
    assert (observations == rows.observations[row]).all()
    with pytest.raises(DatasetError, match="positions are wanted"):
        draw_positions(rows, 3 * len(rows) + 1, 3)


def test_a_network_that_knows_no_ends_reads_the_mirror_alike(rows: ReadingRows) -> None:
    part = rows.take(np.arange(0, len(rows), 4))
    weights = start(SMALL)
    rng = np.random.default_rng(3)
    for name, values in weights.items():
        weights[name] = (values + 0.1 * rng.normal(size=values.shape)).astype(values.dtype)
        if name in ("triples", "turns", "states"):
            weights[name] = np.zeros_like(values)
    everyone = np.ones(len(part), bool)
    opponent = np.full(len(part), 2)
    ends = loss_and_gradients(weights, part, opponent, mirrored=everyone)
    assert ends[0] != loss_and_gradients(weights, part, opponent)[0]
    # Weights that look up and down alike, and ranks that differ by their distance from the end.
    weights["0 above"] = weights["0 below"]
    at = KIND_FEATURES.index("rank 1")
    weights["in"][at : at + 9] = weights["in"][at : at + 9][::-1] + weights["in"][at : at + 9]
    loss, gradient = loss_and_gradients(weights, part, opponent)
    mirror_loss, mirror_gradient = loss_and_gradients(weights, part, opponent, mirrored=everyone)
    assert mirror_loss == pytest.approx(loss, abs=1e-5)
    assert np.allclose(mirror_gradient["out"], gradient["out"], atol=1e-4)
    assert np.allclose(mirror_gradient["0 below"], gradient["0 above"], atol=1e-4)
    # A step along the gradient of mirrored rows makes them likelier.
    lower = {k: v - 1e-3 * mirror_gradient[k] for k, v in weights.items()}
    assert loss_and_gradients(lower, part, opponent, mirrored=everyone)[0] < mirror_loss
