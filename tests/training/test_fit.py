"""The fit: deterministic, and its parts recover what simulated data were made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haiyomi.dealin.kurita_hoki import KuritaHoki
from haiyomi.dealin.riichi import AVAILABILITY, LOCAL_INDEX, LOCAL_SUIT, LOCAL_WAITS
from haiyomi.dealin.waits import SHAPE_SLICES, WAITS
from haiyomi.logs.load import write
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.training import fit_riichi, fit_tenpai
from haiyomi.training.dataset import build
from haiyomi.training.fit_dealin import closed_factor, fit_dealin


def test_two_fits_of_one_dataset_are_the_same_file(tmp_path: Path) -> None:
    for split, numbers in (("train", range(14)), ("valid", range(14, 18))):
        (tmp_path / "records" / split).mkdir(parents=True)
        for number in numbers:
            path = tmp_path / "records" / split / f"{number}.mjlog"
            path.write_text(write(simulate_rule_players(3, number), "mjlog"), encoding="utf-8")
    build(tmp_path / "records", tmp_path / "data", jobs=1)
    for name in ("a.json", "b.json"):
        fit_dealin(tmp_path / "data", tmp_path / name)
    first = (tmp_path / "a.json").read_bytes()
    assert first == (tmp_path / "b.json").read_bytes()
    assert len(first) < 200_000
    model = KuritaHoki.load(tmp_path / "a.json")
    assert model.manifest is not None
    assert model.manifest["rows"]["opponents"] > 0


def test_joint_factors_recover_known_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits drawn from (22) with known factors: the fit finds them up to a scale a shape."""
    rng = np.random.default_rng(8)
    n = 30_000
    true_prior = np.ones(113)
    true_prior[0:18:6] = 3.0  # 1-4 of each suit
    ratio = np.ones((19, 33))
    ratio[3, 1] = 0.2  # a condition on the second local wait
    conditions = (rng.random((n, 3, 19)) < 0.3).astype(np.int8)
    margins = rng.integers(-1, 3, (n, 113)).astype(np.int8)
    weight = AVAILABILITY[margins + 1] * true_prior
    logs = conditions.astype(float) @ np.log(ratio)
    weight[:, LOCAL_WAITS] *= np.exp(logs[:, LOCAL_SUIT, LOCAL_INDEX])
    waits = np.zeros((n, 113), dtype=np.int8)
    two_sided = weight[:, SHAPE_SLICES["two-sided"]]
    cumulative = (two_sided / two_sided.sum(axis=1, keepdims=True)).cumsum(axis=1)
    drawn = (rng.random((n, 1)) > cumulative).sum(axis=1)
    waits[np.arange(n), drawn] = 1
    monkeypatch.setattr(fit_riichi, "RIDGE", 0.5)
    prior, fitted = fit_riichi.joint_factors(margins, conditions, waits)
    assert prior[0] / prior[1] == pytest.approx(3.0, rel=0.1)
    assert prior[0] == prior[6] == prior[12]
    assert fitted[3, 1] == pytest.approx(0.2, rel=0.2)
    assert fitted[4, 1] == pytest.approx(1.0, abs=0.1)
    assert fitted[3, 2] == pytest.approx(1.0, abs=0.1)


def test_priors_are_shares_within_a_shape() -> None:
    waits = np.zeros((4, 113), dtype=bool)
    east = next(i for i, w in enumerate(WAITS) if w.shape == "single" and w.wins == (27,))
    waits[:, east] = True
    prior = fit_riichi.priors(waits)
    assert prior[east] == max(prior[SHAPE_SLICES["single"]])


def test_shape_shares_count_compound_hands_in_every_shape() -> None:
    waits = np.zeros((10, 113), dtype=bool)
    waits[:5, 0] = True  # two-sided
    waits[4:8, 20] = True  # one of them compound
    waits[8:, 50] = waits[8:, 51] = True
    shares = fit_riichi.shape_shares(waits)
    assert shares.tolist() == pytest.approx([0.0, 4 / 5, 2 / 5, 0.0])


def test_the_closed_factor_compares_winning_kinds() -> None:
    columns = {
        "riichi": np.array([True, True, False, False, False]),
        "open_melds": np.array([0, 0, 0, 0, 1]),
        "tenpai": np.array([True, True, True, True, True]),
        "ron": np.array([0b11, 0b11, 0b1, 0b0, 0b111], dtype=np.uint64),
    }
    assert closed_factor(columns) == pytest.approx(0.5 / 2)


def simulated(rng: np.random.Generator, n: int, discards: int) -> fit_tenpai.Samples:
    x = np.column_stack([np.ones(n), rng.integers(0, 4, (n, 4))]).astype(float)
    weights = np.array([-1.0 + 0.1 * discards, 0.5, 0.0, -0.3, 0.2])
    t = (rng.random(n) < 1 / (1 + np.exp(-(x @ weights)))).astype(float)
    melds = np.full(n, 1)
    return fit_tenpai.Samples(x, t, melds, np.full(n, discards), np.ones(n))


def joined(parts: list[fit_tenpai.Samples]) -> fit_tenpai.Samples:
    return fit_tenpai.Samples(
        *(
            np.concatenate([getattr(p, name) for p in parts])
            for name in ("x", "t", "melds", "discards", "count")
        )
    )


def test_large_cells_stand_alone_and_small_ones_borrow() -> None:
    rng = np.random.default_rng(2)
    train = joined([simulated(rng, 40_000, 6), simulated(rng, 60, 7), simulated(rng, 5_000, 8)])
    table, borrow, cells = fit_tenpai.fit_type(train, None, "several")
    assert borrow == fit_tenpai.DEFAULT_BORROW
    assert table[1, 6] == pytest.approx([-0.4, 0.5, 0.0, -0.3, 0.2], abs=0.08)
    by_discards = {c.discards: c for c in cells if c.melds == 1}
    assert by_discards[7].n == 60
    assert by_discards[7].borrowed > 0.9
    assert by_discards[6].borrowed < by_discards[8].borrowed
    assert np.isfinite(table).all()


def test_cells_are_the_same_whoever_fits_them() -> None:
    rng = np.random.default_rng(8)
    n = 400
    data = fit_tenpai.Samples(
        np.column_stack([np.ones(n), rng.integers(0, 9, (n, 4)).astype(np.float64)]),
        (rng.random(n) < 0.3).astype(np.float64),
        rng.integers(0, 4, n),
        rng.integers(0, 21, n),
        np.ones(n),
    )
    single = fit_tenpai.fit_type(data, data, "several", 1)
    spread = fit_tenpai.fit_type(data, data, "several", 2)
    assert np.array_equal(single[0], spread[0])
    assert single[1:] == spread[1:]


def test_logistic_agrees_with_a_plain_newton_step_fixed_point() -> None:
    """At the optimum the gradient of (8) vanishes, but for the faint ridge."""
    rng = np.random.default_rng(3)
    s = simulated(rng, 5_000, 5)
    w = fit_tenpai.logistic(s.x, s.t, s.count)
    p = 1 / (1 + np.exp(-(s.x @ w)))
    gradient = s.x.T @ (p - s.t)
    assert np.abs(gradient).max() < 1.0
