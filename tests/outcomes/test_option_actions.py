"""Options as arrays: the same as one decision's, and the policy's shares of them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from haiyomi.events import Hand
from haiyomi.game.decision_record import Decisions
from haiyomi.game.observation import NONE
from haiyomi.kernels.replay import encode
from haiyomi.kernels.tables import Worlds, games_of_worlds
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_actions import (
    DISCARDS,
    OWN_KANS,
    RIICHIS,
    OptionActions,
    action_probabilities,
    option_shares,
    options_of_records,
)
from haiyomi.play.actions import RIICHI, action_of, legal_mask
from haiyomi.play.decision import Decision, decisions
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.seeds import generator
from haiyomi.styles.policy import shipped_policy
from haiyomi.styles.policy_actions import policy_actions
from haiyomi.styles.policy_network import Logits
from haiyomi.styles.self_play import choices


def _drawn(n: int) -> list[Decision]:
    """Decisions of two games, those with a rare option first."""
    found = [d for seed in (2, 5) for d in decisions(simulate_rule_players(seed, seed))]
    return sorted(found, key=lambda d: -len(options_of(d)))[: n // 2] + found[: n // 2]


@pytest.fixture(scope="module")
def some() -> list[Decision]:
    return _drawn(400)


@pytest.fixture(scope="module")
def rows(some: list[Decision]) -> Decisions:
    return unpack_decisions(b"".join(map(pack_decision, some)))


@pytest.fixture(scope="module")
def options(some: list[Decision], rows: Decisions) -> OptionActions:
    return options_of_records(rows, np.array([legal_mask(d.choices) for d in some]))


def test_the_options_of_records_are_those_of_their_decisions(
    some: list[Decision], options: OptionActions
) -> None:
    for row, decision in enumerate(some):
        expected = set()
        for path in options_of(decision).values():
            first, *second = map(action_of, path)
            expected.add((first, second[0] if second else NONE))
        mine = options.row == row
        found = list(zip(options.first[mine].tolist(), options.second[mine].tolist(), strict=True))
        assert len(found) == len(set(found))
        assert set(found) == expected
    assert {DISCARDS, RIICHIS, OWN_KANS} <= set(options.sort.tolist())


def test_the_shares_of_a_decision_sum_to_one(rows: Decisions, options: OptionActions) -> None:
    share = option_shares(rows, shipped_policy().logits(rows), options)
    assert (share >= 0).all()
    np.testing.assert_allclose(np.bincount(options.row, share), 1, rtol=0, atol=1e-12)


def test_shares_are_how_often_the_table_chooses_the_options() -> None:
    game = simulate_rule_players(5, 5)
    wanted = [d for d in decisions(game) if any(action_of(c) == RIICHI for c in d.choices)]
    others = [d for d in decisions(game) if d.offer is not None]
    n = 4000
    for decision in [*islice(wanted, 2), *islice(others, 3)]:
        events = game.hands[decision.hand].events[: decision.event + 1]
        known = np.full((n, 4, 14), NONE, np.uint8)
        worlds = Worlds(np.zeros(n, np.int32), known, np.zeros((n, 0), np.uint8))
        words = [encode(Hand(events)).tolist()]
        tables = games_of_worlds(game.header.rules, words, worlds, 1, np.arange(n))
        table, seat = tables.pending()
        mine = seat == decision.seat
        row = unpack_decisions(pack_decision(decision))
        found = options_of_records(row, tables.legal()[mine][:1])
        logits = shipped_policy().logits(row)
        many = Logits(
            *(np.repeat(part, len(table), axis=0)
              for part in (logits.discards, logits.kans, logits.acts))
        )  # fmt: skip
        chosen = choices(tables, many, by_place=True)[mine]
        share = option_shares(row, logits, found)
        for action in np.unique(found.first):
            p = share[found.first == action].sum()
            error = 4 * np.sqrt(p * (1 - p) / n) + 1e-3
            assert abs((chosen == action).mean() - p) < error


def test_probabilities_of_actions_are_how_often_they_are_drawn(
    some: list[Decision], rows: Decisions
) -> None:
    legal = np.array([legal_mask(d.choices) for d in some])
    p = action_probabilities(shipped_policy(), rows, legal)
    assert p.sum(axis=1) == pytest.approx(np.ones(len(some)))
    assert not p[~legal].any()
    number = int(np.argmin(p.max(axis=1)))  # where the policy is least sure
    one, n = slice(number, number + 1), 4000
    again, allowed = np.repeat(rows[one], n), np.repeat(legal[one], n, axis=0)
    drawn = policy_actions(shipped_policy(), again, allowed, None, 1.0, generator(3, "drawn"))
    often = np.bincount(drawn, minlength=p.shape[1]) / n
    assert np.abs(often - p[number]).max() < 4 * 0.5 / n**0.5
