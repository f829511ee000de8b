"""Hidden hands by a network: exact by brute force, and tenpai where a riichi says so."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from made_networks import OPPONENTS, made_network

from haiyomi.events import visible_to
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold
from haiyomi.kernels.shanten import shanten
from haiyomi.networks.opponents import OpponentNetwork, OpponentOutputs
from haiyomi.play.demo import demo_game
from haiyomi.reading.answer import read_opponents
from haiyomi.reading.counts import CountModel, posterior_of
from haiyomi.reading.models import load_hand_model
from haiyomi.tiles import Seat


@pytest.fixture(scope="module")
def model() -> CountModel:
    return CountModel(OpponentNetwork(made_network(OPPONENTS, 4)))


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    game = demo_game()
    found = []
    for hand in game.hands[:5]:
        fold = PositionFold(Seat(1), game.header.rules)
        for event in hand.events:
            fold.apply(visible_to(event, Seat(1)))
            if fold.position().discards_made > 6:
                found.append(fold.position())
    return found[:: len(found) // 12]


def few_tiles(model: CountModel, position: Position) -> OpponentOutputs:
    """An opponent with four concealed tiles where eleven are left."""
    seen = model.network.read_positions([position]).take(slice(0, 1))
    unseen = np.zeros(34, np.uint8)
    unseen[[0, 1, 2, 12, 31]] = 2, 1, 3, 4, 1
    seen.observations["unseen"] = unseen
    own = seen.observations["players"][0, seen.seats[0]]
    own["concealed"], own["riichi"] = 4, -1
    return seen


def test_marginals_are_those_of_all_hands_by_brute_force(
    model: CountModel, positions: list[Position]
) -> None:
    seen = few_tiles(model, positions[0])
    unseen = seen.observations["unseen"][0]
    total, sums = 0.0, np.zeros((34, 5))
    for hand in product(*(range(n + 1) for n in unseen.tolist())):
        if sum(hand) != 4:
            continue
        weight = 1.0
        for k, held in enumerate(hand):
            weight *= comb(int(unseen[k]), held)
            if held:
                weight *= float(np.exp(seen.count[0, k, held - 1].astype(float)))
        total += weight
        sums[np.arange(34), hand] += weight
    assert model.of(seen).marginals[0] == pytest.approx(sums / total, rel=1e-9, abs=1e-12)


def test_counts_sum_to_the_tiles_of_the_hand(model: CountModel, positions: list[Position]) -> None:
    for reading in (r for three in read_opponents(positions, model) for r in three):
        assert reading.marginals.sum(axis=1) == pytest.approx(np.ones(34), abs=1e-9)
        assert reading.expected.sum() == pytest.approx(reading.tiles, abs=1e-6)
        assert reading.best.sum() == reading.tiles


def test_an_opponent_in_riichi_has_a_hand_of_the_posterior(
    model: CountModel, positions: list[Position]
) -> None:
    answers = model.answers(positions)
    own = answers.seen.own
    ready = np.flatnonzero((own["riichi"] >= 0) & (own["concealed"] % 3 == 1))
    assert len(ready) > 2
    for i in ready.tolist():
        expected = posterior_of(answers.seen, i).marginals().count
        assert (answers.marginals[i] == expected).all()
        (hands,) = answers.draw(slice(i, i + 1), 30, 5)
        assert hands.shape == (30, 34)
        assert (shanten(hands) == 0).all()
        assert (hands <= answers.seen.observations["unseen"][i]).all()


def test_others_are_drawn_tenpai_as_often_as_the_network_says(
    model: CountModel, positions: list[Position]
) -> None:
    answers = model.answers(positions)
    own = answers.seen.own
    free = np.flatnonzero((own["riichi"] < 0) & (own["concealed"] % 3 == 1))[:3]
    n = 1500
    for i in free.tolist():
        (hands,) = answers.draw(slice(i, i + 1), n, 8)
        (again,) = answers.draw(slice(i, i + 1), n, 8)
        assert (hands == again).all()
        assert (hands.sum(axis=1) == own["concealed"][i]).all()
        assert (hands <= answers.seen.observations["unseen"][i]).all()
        p = 1 / (1 + np.exp(-float(answers.seen.tenpai[i])))
        assert (shanten(hands) == 0).mean() == pytest.approx(p, abs=5 * (p * (1 - p) / n) ** 0.5)


def test_what_another_network_said_is_not_taken(
    model: CountModel, positions: list[Position]
) -> None:
    class Asked:
        def __init__(self, seen: OpponentOutputs) -> None:
            self.seen = seen

    some = positions[:2]
    seen = model.network.read_positions(some)
    ours = [Asked(seen.take(slice(3 * n, 3 * n + 3))) for n in range(2)]
    other = replace(model.network.network, weights=model.network.network.weights * 0)
    theirs = [Asked(replace(each.seen, source=other, count=each.seen.count * 0)) for each in ours]
    expected = model.answers(some).marginals
    assert (model.answers(some, ours).marginals == expected).all()
    assert (model.answers(some, theirs).marginals == expected).all()


def test_a_file_of_a_network_is_a_model(model: CountModel, tmp_path: Path) -> None:
    file = tmp_path / "opponents.safetensors"
    model.network.network.save(file)
    assert isinstance(load_hand_model(str(file)), CountModel)
