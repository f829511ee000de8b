"""Metrics against scikit-learn and hand-made cases."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.evaluation.metrics import (
    Estimate,
    auc,
    binary_score,
    by_game,
    ece,
    interval,
    mean_estimate,
    rate_interval,
    ratio_estimate,
    resample_weights,
    row_log_loss,
)
from haiyomi.seeds import generator


def test_auc_and_log_loss_agree_with_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    p = np.round(rng.random(5000), 2)  # many ties
    label = rng.random(5000) < p
    assert auc(p, label) == pytest.approx(metrics.roc_auc_score(label, p), abs=1e-12)
    clipped = np.clip(p, 1e-6, 1 - 1e-6)
    assert row_log_loss(p, label).mean() == pytest.approx(metrics.log_loss(label, clipped))


def test_the_interval_of_the_auc_is_that_of_games_taken_as_often_as_they_are_drawn() -> None:
    rng = np.random.default_rng(5)
    game = rng.integers(0, 20, 400)
    p, label = np.round(rng.random(400), 1), rng.random(400) < 0.3
    score = binary_score(p, label, game, np.random.default_rng(6), 50)
    assert score is not None
    drawn = resample_weights(20, np.random.default_rng(6), 50)[:, game]
    wanted = np.array([auc(p.repeat(n), label.repeat(n)) for n in drawn])
    assert (score.auc.low, score.auc.high) == interval(wanted, 20)


def test_one_game_has_no_interval() -> None:
    """It had one of width zero."""
    p, label = np.array([0.1, 0.6, 0.3]), np.array([0, 1, 0])
    score = binary_score(p, label, np.zeros(3, np.intp), np.random.default_rng(1))
    assert score is not None
    for estimate in (score.skill, score.auc, score.log_loss):
        assert np.isfinite(estimate.value)
        assert np.isnan([estimate.low, estimate.high]).all()
    rows = np.array([1.0, 0.0, 1.0])
    ratio = ratio_estimate(rows, np.ones(3), np.zeros(3), np.random.default_rng(1))
    assert ratio.to_json() == {"value": pytest.approx(2 / 3), "low": None, "high": None}
    assert by_game(5) == "fewer than 6 games have no interval"
    assert by_game(6) == "95%, bootstrap by game"


def test_skill_of_the_constant_is_zero_and_of_the_truth_positive() -> None:
    rng = np.random.default_rng(4)
    truth = rng.choice([0.01, 0.3], 20_000)
    label = rng.random(20_000) < truth
    game = np.repeat(np.arange(100), 200)
    constant = binary_score(np.full(20_000, label.mean()), label, game, np.random.default_rng(0))
    assert constant is not None
    assert constant.skill.value == pytest.approx(0.0, abs=1e-9)
    assert constant.auc.value == pytest.approx(0.5)
    score = binary_score(truth, label, game, np.random.default_rng(0))
    assert score is not None
    assert score.skill.low > 0.2
    assert score.skill.low < score.skill.value < score.skill.high
    assert score.ece < 0.01
    assert score.games == 100
    assert score.positives == label.sum()


def test_impossible_outcomes_cost_a_clipped_loss() -> None:
    assert row_log_loss(np.array([0.0]), np.array([1]))[0] == pytest.approx(-np.log(1e-6))


def test_ece_of_a_biased_predictor_is_its_bias() -> None:
    label = np.zeros(2000)
    label[::4] = 1  # evenly spread
    assert ece(np.full(2000, 0.35), label) == pytest.approx(0.1, abs=1e-9)


def test_no_rows_no_score() -> None:
    empty = np.zeros(0)
    assert binary_score(empty, empty, empty, np.random.default_rng(0)) is None


def test_wilson_interval() -> None:
    low, high = rate_interval(10, 100)
    assert (round(low, 4), round(high, 4)) == (0.0552, 0.1744)


def test_one_less_an_estimate_turns_its_interval_round() -> None:
    skill = Estimate(0.75, 0.625, 0.875).complement()
    assert skill.to_json() == {"value": 0.25, "low": 0.125, "high": 0.375}


@pytest.mark.parametrize("games", [6, 10, 25])
def test_few_games_have_an_interval_that_holds_the_mean_as_often_as_it_says(games: int) -> None:
    """Percentiles of resamples of six games would hold it in 86%, of two in half."""
    rng = generator(7, "few games", games)
    held = 0
    for _ in range(400):
        drawn = rng.normal(size=games)
        means = resample_weights(games, rng, 300) @ drawn / games
        low, high = interval(means, games)
        held += low <= 0 <= high
    assert 0.91 < held / 400 < 0.98


@pytest.mark.parametrize("games", [6, 29])
def test_the_interval_of_a_share_is_a_share(games: int) -> None:
    """A named case: the t interval of two of six was [-0.15, 0.81]."""
    hits = np.zeros(games)
    hits[:2] = 1
    few = mean_estimate(hits, np.arange(games), generator(1, "shares"))
    most = mean_estimate(1 - hits, np.arange(games), generator(1, "shares"))
    assert 0 <= few.low < few.value < few.high <= 1
    assert 0 <= most.low < most.value < most.high <= 1
    rng = generator(2, "shares")
    p, label = rng.random(40 * games), rng.random(40 * games) < 0.5
    score = binary_score(p, p > 0.02 * label, np.arange(40 * games) % games, rng)
    assert score is not None
    assert 0 <= score.auc.low <= score.auc.high <= 1
    assert score.log_loss.low >= 0
