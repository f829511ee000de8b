"""P(ron) from the network's answer and the posterior's: the features and their weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from haiyomi.arrays import Singles
from haiyomi.dealin.combination import FEATURES, MEAN, TABLE, weights_of
from haiyomi.dealin.network_model import NetworkModel, shipped
from haiyomi.errors import ModelError
from haiyomi.game.position import Position
from haiyomi.kernels.posterior import RonAnswer, ron_chances
from haiyomi.networks.network import Network
from haiyomi.networks.opponents import OpponentNetwork, OpponentOutputs
from haiyomi.reading.opponent_class import class_of
from haiyomi.tiles import Kind, dora_of


@pytest.fixture
def weights() -> Singles:
    return np.random.default_rng(5).normal(0, 0.5, MEAN.shape).astype(np.float32)


@pytest.fixture
def seen(
    random_network: OpponentNetwork, positions: list[Position], weights: Singles
) -> OpponentOutputs:
    network = replace(random_network.network, tables={TABLE: weights})
    return OpponentNetwork(network).read_positions(positions)


def odds(seen: OpponentOutputs, by_hands: NDArray[np.float64]) -> NDArray[np.float64]:
    """(m, 34) log odds of a ron of opponents in tenpai; NaN by the rules' zeros."""
    answers = RonAnswer(by_hands, by_hands, by_hands, np.zeros((*by_hands.shape, 4)))
    tenpai, ron = np.full(len(by_hands), 60, np.float32), np.ascontiguousarray(seen.ron)
    p = ron_chances(seen.shown(), tenpai, ron, answers, weights_of(seen.source), 0.0).ron
    return np.log(np.where(p > 0, p, np.nan)) - np.log1p(-p)


def test_the_weights_of_a_file_join_the_answers(
    seen: OpponentOutputs, weights: Singles, positions: list[Position]
) -> None:
    p = np.random.default_rng(6).uniform(0.001, 0.4, seen.ron.shape)
    found = odds(seen, p)
    cls = class_of(seen.observations, seen.seats)
    let_pass = seen.shown().masks()[1].tolist()
    marked = passed = 0
    for i in range(len(p)):
        position = positions[i // 3]
        dora = {dora_of(tile.kind) for tile in position.indicators}
        riichi = sum(player.riichi for player in position.players[1:])
        for kind in range(34):
            parts = {
                "network": float(seen.ron[i, kind]),
                "posterior": float(np.log(p[i, kind] / (1 - p[i, kind]))),
                "constant": 1.0,
                "honour": float(kind >= 27),
                "dora": float(Kind(kind) in dora),
                "two in riichi": float(riichi > 1),
                "let pass": float(let_pass[i] >> kind & 1),
            }
            marked += int(kind in dora)
            passed += let_pass[i] >> kind & 1
            expected = sum(w * parts[n] for w, n in zip(weights[cls[i]], FEATURES, strict=True))
            if not np.isnan(found[i, kind]):
                assert found[i, kind] == pytest.approx(expected, abs=1e-5)
    assert marked
    assert passed


def test_the_odds_are_the_weighted_sums_of_the_features(
    seen: OpponentOutputs, weights: Singles
) -> None:
    p = np.random.default_rng(7).uniform(0, 0.4, seen.ron.shape)
    cls = class_of(seen.observations, seen.seats)
    ron = np.ascontiguousarray(seen.ron)
    terms = seen.shown().odds(ron, p) * weights[cls][:, None]
    expected = terms[:, :, 0]
    for i in range(1, len(FEATURES)):
        expected = expected + terms[:, :, i]
    found = odds(seen, p)
    possible = ~np.isnan(found)
    assert possible.mean() > 0.5
    assert found[possible] == pytest.approx(expected[possible], abs=1e-9)


def test_a_network_without_weights_takes_the_mean(random_network: OpponentNetwork) -> None:
    plain: Network = random_network.network
    assert (weights_of(plain) == MEAN).all()


def test_weights_of_other_features_are_refused(
    random_network: OpponentNetwork, tmp_path: Path
) -> None:
    file = tmp_path / "older.safetensors"
    older = {TABLE: np.zeros((5, 6), np.float32)}
    replace(random_network.network, tables=older, manifest={"phase": "opponents"}).save(file)
    with pytest.raises(ModelError, match=r"older.safetensors: the table 'ron weights' .*\(5, 6\)"):
        NetworkModel.load(file)


def test_the_shipped_network_trusts_both_answers() -> None:
    weights = weights_of(shipped().network.network)
    assert (weights != MEAN).any()
    assert (weights[:, :2] > 0).all()
