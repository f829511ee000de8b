"""The state heads of a network: probabilities of records, and what the rules exclude there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from forecasts import played, small_network

from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.networks.network import Network
from haiyomi.networks.shape import policy_shape
from haiyomi.outcomes.corrections.tenpai_wins import TenpaiOptions
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.forecast import block_forecast
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.state import StateLater, state_endings, state_logits
from haiyomi.play.packed_decision import decision_of
from haiyomi.play.rule_games import simulate_rule_players


@pytest.fixture(scope="module")
def rows() -> Decisions:
    return decode_games(pack_games([(str(s), simulate_rule_players(3, s)) for s in range(2)]))[0]


def test_every_record_has_endings_that_sum_to_one(rows: Decisions) -> None:
    p, points = state_endings(rows, state_logits(small_network(), rows).probabilities())
    assert np.allclose(p.sum(axis=1), 1)
    assert (points[:, [Ending.TSUMO, Ending.RON]] > 0).all()
    assert (points[:, Ending.DEAL_IN_RIGHT : Ending.DEAL_IN_LEFT + 1] < 0).all()


def test_a_seat_in_riichi_is_tenpai_at_a_draw(rows: Decisions) -> None:
    riichi = rows[rows["observation"]["players"]["riichi"][:, 0] >= 0]
    assert len(riichi) > 5
    p, _ = state_endings(riichi, state_logits(small_network(), riichi).probabilities())
    assert not p[:, Ending.DRAW_NOTEN].any()


def test_a_state_is_the_forecast_of_an_option_without_exact_parts() -> None:
    """A pass excludes nothing in the middle of a hand: the record's endings are the option's. The
    worth of a tenpai hand is known."""
    network = small_network()
    seen = 0
    for decision in played(1):
        options = tuple(options_of(decision))
        no_riichi = not any(player.riichi for player in decision.position.players)
        passed = [i for i, option in enumerate(options) if option.act == "pass"]
        block = OptionBlock.of([decision])
        tenpai = set(TenpaiOptions.of(block).some.tolist()) & set(passed)
        if not passed or tenpai or not no_riichi or decision.position.draws_left == 0:
            continue
        (found, moved) = block_forecast(block, StateLater(network).later(block)).endings
        p, points = state_endings(*_of_record(network, decision_of(decision)))
        assert np.allclose(found[:, 0, passed[0]], p[0], atol=1e-6)
        assert np.allclose(moved[:, 0, passed[0]], p[0] * points[0], atol=0.1)
        seen += 1
    assert seen > 20


def _of_record(network: Network, row: Decisions):  # type: ignore[no-untyped-def]
    return row, state_logits(network, row).probabilities()


def test_a_network_without_these_heads_is_refused(tmp_path: Path) -> None:
    shape = policy_shape(16, 1, 16)
    path = tmp_path / "policy.safetensors"
    Network(shape, np.zeros(shape.size, np.float32)).save(path)
    with pytest.raises(ModelError, match="no state heads"):
        StateLater.load(path)
