"""The network of opponents: rows of three opponents a record, the same in any batch."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.networks.first_weights import first_weights
from haiyomi.networks.network import Network
from haiyomi.networks.opponents import OpponentNetwork, OpponentOutputs
from haiyomi.networks.shape import policy_shape


def same(a: OpponentOutputs, b: OpponentOutputs) -> bool:
    return all(np.array_equal(getattr(a, f.name), getattr(b, f.name)) for f in fields(a)[1:])


def test_rows_are_the_three_opponents_of_each_record(records: Decisions, network: Network) -> None:
    rows = records[:40]
    seen = OpponentNetwork(network).read(rows)
    found = network.answers(rows)
    for n in (0, 7, 39):
        for r in (1, 2, 3):
            i = 3 * n + r - 1
            assert seen.seats[i] == r
            assert (seen.ron[i] == found["ron"][n, r - 1, :, 0]).all()
            assert seen.tenpai[i] == found["tenpai"][n, r - 1, 0]
            assert (seen.factors[i] == found["factors"][n, r - 1]).all()
            own = rows["observation"]["players"][n, r]
            assert seen.own[i] == own


def test_the_answers_do_not_depend_on_the_batch(records: Decisions, network: Network) -> None:
    model = OpponentNetwork(network)
    whole = model.read(records[:12])
    parts = [model.read(records[i : i + 1]) for i in range(12)]
    assert same(whole, OpponentOutputs.join(parts))
    assert same(whole.take(slice(9, 12)), parts[3])
    assert parts[3].source is network


def test_a_network_of_other_heads_is_refused(tmp_path: Path, network: Network) -> None:
    file = tmp_path / "policy.safetensors"
    shape = policy_shape(32, 1, 16)
    Network(shape, first_weights(shape, np.random.default_rng(0))).save(file)
    with pytest.raises(ModelError, match="without the opponents' heads"):
        OpponentNetwork.load(file)
    good = tmp_path / "opponents.safetensors"
    network.save(good)
    assert OpponentNetwork.load(good).network.shape == network.shape


def test_parts_are_joined_with_their_observations(records: Decisions, network: Network) -> None:
    whole = OpponentNetwork(network).read(records[:4])
    joined = OpponentOutputs.join([whole.take(slice(3 * n, 3 * n + 3)) for n in range(4)])
    for field in fields(OpponentOutputs)[1:]:
        one, other = getattr(joined, field.name), getattr(whole, field.name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
