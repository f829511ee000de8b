"""Playing on: what deals are drawn, and what the options of a decision share."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.errors import HaiyomiError
from haiyomi.events import Event, visible_to
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.waits import waits
from haiyomi.networks.first_weights import first_weights
from haiyomi.networks.network import Network
from haiyomi.networks.shape import policy_shape
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import shipped
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.play.simulate import simulate
from haiyomi.playouts.deals import POOL, draw_deals, with_reds
from haiyomi.playouts.play import PlayingOn
from haiyomi.rules import TENHOU
from haiyomi.seeds import generator
from haiyomi.styles.choice_loss import bits
from haiyomi.styles.policy import Policy

GAME = simulate(5, 5)
PAYOFF = Payoff.parse("90/45/0/-135", TENHOU)


def _events(decision: RecordedDecision) -> list[Event]:
    hand = GAME.hands[decision.hand]
    return [visible_to(event, decision.seat) for event in hand.events[: decision.event + 1]]


@pytest.fixture(scope="module")
def some() -> list[RecordedDecision]:
    """Own turns and another's tile, with and without another's riichi."""
    found = list(islice(decisions(GAME), 400))
    riichi = [d for d in found if any(p.riichi for p in d.position.players[1:])]
    quiet = [d for d in found if d.position.order > 20 and d not in riichi]
    offers = [d for d in found if d.offer is not None and d.position.order > 8]
    return [next(d for d in riichi if d.offer is None), quiet[0], offers[0]]


@pytest.fixture(scope="module")
def policy() -> Policy:
    shape = policy_shape(16, 1, 16)
    return Policy(Network(shape, first_weights(shape, generator(1, "policy"))))


def _playing(decision: RecordedDecision, policy: Policy, seed: int = 0) -> PlayingOn:
    return PlayingOn(decision, _events(decision), policy, shipped(), PAYOFF, seed=seed)


def test_the_three_hands_of_a_deal_lie_on_one_table(some: list[RecordedDecision]) -> None:
    for decision in some:
        position = decision.position
        deals = draw_deals(position, 300, 1)
        assert (deals.sum(axis=1) <= np.array(position.unseen)).all()
        concealed = [player.concealed for player in position.players[1:]]
        assert (deals.sum(axis=2) == concealed).all()
        np.testing.assert_array_equal(draw_deals(position, 100, 1), deals[:100])
        codes = with_reds(position, deals, 1)
        kinds = np.where(codes < 34, codes, (codes.astype(int) - 34) * 9 + 4)
        for r in range(3):
            held = kinds[:, position.absolute(r + 1)]
            counts = (held[:, :, None] == np.arange(34)).sum(axis=1)
            np.testing.assert_array_equal(counts, deals[:, r])
        for suit in range(3):
            assert (codes == 34 + suit).sum(axis=(1, 2)).max() <= 1


def test_deals_are_tenpai_and_hold_tiles_as_often_as_the_reading_says(
    some: list[RecordedDecision],
) -> None:
    for decision in some:
        deals = draw_deals(decision.position, 3000, 1)
        readings = read_hands(decision.position, POOL, 1)
        for r, reading in enumerate(readings):
            tenpai, drawn = (reading.shanten == 0).mean(), (shanten(deals[:, r]) == 0).mean()
            error = np.sqrt(max(tenpai * (1 - tenpai), 0.01) / POOL)
            assert abs(tenpai - drawn) < 4 * error + 0.02
            # That the hands lie on one table moves the mean counts a little.
            assert np.abs(deals[:, r].mean(axis=0) - reading.samples.mean(axis=0)).mean() < 0.03
        riichi = [player.riichi for player in decision.position.players[1:]]
        for r in np.flatnonzero(riichi):
            assert (shanten(deals[:, r]) == 0).all()
            read, drawn = (
                bits(waits(hands)).mean(axis=0) for hands in (readings[r].samples, deals[:, r])
            )
            error = np.sqrt(np.maximum(read * (1 - read), 0.01) / POOL)
            assert (np.abs(read - drawn) < 4 * error + 0.03).all()


def test_the_same_seed_plays_the_same_worlds(some: list[RecordedDecision], policy: Policy) -> None:
    one, two = (list(_playing(some[2], policy, 3).run(64))[-1] for _ in range(2))
    assert one == two
    other = list(_playing(some[2], policy, 4).run(64))[-1]
    assert one.outcomes != other.outcomes


def test_every_option_is_played_and_its_parts_sum_up(
    some: list[RecordedDecision], policy: Policy
) -> None:
    for decision in some:
        found = list(_playing(decision, policy).run(64))[-1]
        assert [outcome.option for outcome in found.outcomes] == list(options_of(decision))
        assert found.gaps.count(None) == 1
        for outcome, worlds in zip(found.outcomes, found.worlds, strict=True):
            assert worlds >= 60
            assert outcome.error is not None
            assert outcome.placement is not None
            assert outcome.placement.error is not None
            assert abs(outcome.points) < 20_000


def test_a_hand_that_is_not_the_decisions_is_refused(
    some: list[RecordedDecision], policy: Policy
) -> None:
    decision = some[1]
    playing = PlayingOn(decision, _events(decision)[:-4], policy, shipped(), PAYOFF)
    with pytest.raises(HaiyomiError, match="contradict what the seat saw"):
        next(playing.run(64))
