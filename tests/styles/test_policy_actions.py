"""The policy's choices, in a batch and one by one, are those of a choice in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from made_networks import POLICY, made_network
from styles.plain_choice import plain_choice

from haiyomi.errors import ArgumentError
from haiyomi.kernels.network import STYLE
from haiyomi.play.actions import action_of, legal_mask
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import TENHOU_EAST
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_actions import policy_actions
from haiyomi.tiles import Seat

STYLES_USED = [RULE_STYLES[name] for name in ("caller", "caller", "bold", "balanced")]


def restless() -> Policy:
    """A policy without a habit: it takes every kind of choice now and then."""
    return Policy(made_network(POLICY, 3, 0.3))


@pytest.fixture(scope="module")
def made() -> list[RecordedDecision]:
    return [
        decision
        for number in range(6)
        for decision in decisions(
            simulate_rule_players(33, number, rules=TENHOU_EAST, styles=STYLES_USED)
        )
    ]


@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0])
def test_the_choices_are_those_in_plain_python(
    made: list[RecordedDecision], temperature: float
) -> None:
    policy = restless()
    records = unpack_decisions(b"".join(pack_decision(d) for d in made))
    legal = np.array([legal_mask(d.choices) for d in made])
    found = policy_actions(policy, records, legal, None, temperature, np.random.default_rng(1))
    uniforms = np.random.default_rng(1).random((len(made), 5))
    expected = [
        action_of(plain_choice(d, policy.logits(records[i : i + 1]), temperature, row.__getitem__))
        for i, (d, row) in enumerate(zip(made, uniforms, strict=True))
    ]
    assert found.tolist() == expected
    assert len(set(expected)) > 60


@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0])
def test_a_player_draws_a_number_only_for_what_it_asks(
    made: list[RecordedDecision], temperature: float
) -> None:
    policy = restless()
    rng, again = np.random.default_rng(1), np.random.default_rng(1)
    player = Imitator(Seat(0), policy, rng, None, temperature, TENHOU_EAST)
    for decision in made:
        logits = policy.logits(unpack_decisions(pack_decision(decision)))
        expected = plain_choice(decision, logits, temperature, lambda _: again.random())
        assert player.choose(decision) == expected
    assert rng.bit_generator.state == again.bit_generator.state


def test_drawn_choices_are_legal_and_as_frequent_as_predicted(made: list[RecordedDecision]) -> None:
    policy = restless()
    records = unpack_decisions(b"".join(pack_decision(d) for d in made))
    legal = np.array([legal_mask(d.choices) for d in made])
    rng = np.random.default_rng(5)
    found = policy_actions(policy, records, legal, None, 1.0, rng)
    assert legal[np.arange(len(found)), found].all()
    row = int(np.flatnonzero(records["from"] == 255)[0])
    many = np.repeat(records[row : row + 1], 4000)
    drawn = policy_actions(policy, many, np.repeat(legal[row : row + 1], 4000, 0), None, 1.0, rng)
    scores = policy.logits(records[row : row + 1]).discards[0]
    kinds = [k for k in range(34) if int(records["discards"][row]) >> k & 1]
    shares = np.exp(scores[kinds] - scores[kinds].max())
    shares /= shares.sum()
    codes = drawn % 37
    as_kind = np.where(codes > 33, (codes - 34) * 9 + 4, codes)
    for kind, share in zip(kinds, shares, strict=True):
        error = 4 * np.sqrt(share * (1 - share) / 4000)
        assert abs((as_kind == kind).mean() - share) < error + 0.001


def test_a_style_vector_for_each_row_is_that_of_its_row(made: list[RecordedDecision]) -> None:
    policy = restless()
    records = unpack_decisions(b"".join(pack_decision(d) for d in made[:50]))
    legal = np.array([legal_mask(d.choices) for d in made[:50]])
    style = np.ones((50, STYLE), np.float32)
    style[:25] = 0
    mixed = policy_actions(policy, records, legal, style)
    assert mixed[:25].tolist() == policy_actions(policy, records[:25], legal[:25]).tolist()
    assert (
        mixed[25:].tolist() == policy_actions(policy, records[25:], legal[25:], style[25]).tolist()
    )


def test_drawing_needs_a_generator_and_no_rows_need_nothing(made: list[RecordedDecision]) -> None:
    policy = restless()
    records = unpack_decisions(pack_decision(made[0]))
    legal = legal_mask(made[0].choices)[None]
    with pytest.raises(ValueError, match="generator"):
        policy_actions(policy, records, legal, temperature=1.0)
    with pytest.raises(ArgumentError, match=r"^temperature -1: expected 0 or more$"):
        policy_actions(policy, records, legal, temperature=-1)
    assert policy_actions(policy, records[:0], legal[:0]).shape == (0,)


def test_what_may_not_be_chosen_from_is_refused(made: list[RecordedDecision]) -> None:
    policy = restless()
    own, answer = (next(d for d in made if (d.offer is None) is turn) for turn in (True, False))
    records = unpack_decisions(pack_decision(own) + pack_decision(answer))
    legal = np.array([legal_mask(d.choices) for d in (own, answer)])
    assert legal[[0, 1], policy_actions(policy, records, legal)].all()
    with pytest.raises(ValueError, match="decision 0: no discard in the own turn, no pass"):
        policy_actions(policy, records, legal[::-1])
    with pytest.raises(ValueError, match="decision 1: no discard in the own turn, no pass"):
        policy_actions(policy, records, legal[[0, 0]])
    with pytest.raises(ValueError, match="legal actions for another number of decisions"):
        policy_actions(policy, records, legal[:1])
    with pytest.raises(ValueError, match="temperature is not a number"):
        policy_actions(policy, records, legal, temperature=float("nan"))
