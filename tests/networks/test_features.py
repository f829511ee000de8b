"""The features that networks read, made by the core."""

from __future__ import annotations

import numpy as np

from haiyomi.game.decision_record import Decisions, as_bytes
from haiyomi.game.position import Position
from haiyomi.kernels.network import decision_features, opponent_features
from haiyomi.networks.opponents import shipped_opponents
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.option_inputs import NAMES, exact_inputs, see
from haiyomi.play.stated_decision import decision_at
from haiyomi.styles.policy import shipped_policy


def test_threads_change_no_bit(records: Decisions) -> None:
    mirror = np.arange(len(records), dtype=np.uint8) % 2
    one = decision_features(as_bytes(records), mirror)
    three = decision_features(as_bytes(records), mirror, 3)
    assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))


def test_a_row_has_the_features_that_it_has_alone(records: Decisions) -> None:
    mirror = np.arange(len(records), dtype=np.uint8) % 2
    every = opponent_features(as_bytes(records), mirror)
    for at in (0, 1, len(records) - 1):
        alone = opponent_features(as_bytes(records)[at : at + 1], mirror[at : at + 1])
        assert all(np.array_equal(a[at], b[0]) for a, b in zip(every, alone, strict=True))


def test_networks_are_told_of_43_useful_tiles_at_most() -> None:
    """Without a triplet's tile the hand lacks a seventh kind to seven pairs, and any would do."""
    position = Position.from_json(
        {"seat": "E", "indicators": "4z", "hand": "222m77m44p66p77p77s", "drawn": "7s"}
    )
    block = OptionBlock.of([decision_at(position)])
    efficiency = block.records["efficiency"][0]
    seven_sou, four_pin, two_man = 24, 12, 1
    assert efficiency[seven_sou, :2].tolist() == [1, 111]
    told, _ = decision_features(as_bytes(block.records), np.zeros(1, np.uint8))
    assert told[0, seven_sou, 16] == told[0, two_man, 16] == np.float32(43 / 20)
    assert told[0, four_pin, 16] == np.float32(efficiency[four_pin, 1] / 20)
    seen = see(block.records, shipped_policy(), shipped_opponents().network)
    exact, _, _ = exact_inputs(block.records, seen, block.actions)
    told_of = exact[:, NAMES.index("useful tiles")]
    by_kind = dict(zip(block.actions.kind.tolist(), told_of, strict=True))
    assert by_kind[seven_sou] == np.float32(43 / 20)
    assert by_kind[four_pin] == np.float32(efficiency[four_pin, 1] / 20)
