"""The forecast of one seat's decision, read for all four seats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from forecasts import any_later, played

from haiyomi.analysis.models import Models
from haiyomi.analysis.opponents import MOST_SHANTEN, opponents_at, shanten_shares
from haiyomi.analysis.table_forecast import forecast, table_forecast
from haiyomi.dealin.network_model import shipped
from haiyomi.dealin.without_ron import without_ron
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.ends import deposits_at
from haiyomi.outcomes.forecast import block_forecast
from haiyomi.outcomes.joint import ABORTED, DRAWN, ENDING_OF, WINNER
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.seats import joint_endings, points_of_seats, winning_hands
from haiyomi.play.decision import decisions
from haiyomi.play.demo import demo_game
from haiyomi.play.player import Claim


def test_joint_endings_add_up_to_the_endings_of_the_outcomes() -> None:
    block = OptionBlock.of(played(1)[:40])
    forecast = block_forecast(block, any_later(block, members=2))
    joint, (endings, _) = joint_endings(forecast), forecast.endings
    for ending, p in enumerate(endings.mean(axis=1)):
        assert joint[ending == ENDING_OF].sum(axis=0) == pytest.approx(p)


def test_what_the_seats_win_and_lose_adds_up_to_the_deposits() -> None:
    """Nothing is won but deposits, and nothing is lost but to them."""
    block = OptionBlock.of(played(2)[:60])
    forecast = block_forecast(block, any_later(block))
    joint, points = joint_endings(forecast), points_of_seats(forecast)
    own = forecast.endings[1].sum(axis=0).mean(axis=0)
    assert points[0] == pytest.approx(own)
    sticks = np.array([stakes.sticks for stakes in forecast.stakes])[block.row]
    won = joint[:DRAWN].sum(axis=0)
    later = forecast.later.mean(axis=1) * forecast.once.nobody
    deposits = deposits_at(forecast.deposit.mean(axis=1).T)
    paid = sum(deposits[:, j].sum(axis=1) * later[j] for j in range(DRAWN, ABORTED + 1))
    goes_on = ~block.does("nine terminals")
    balance = points.sum(axis=0) - 1000 * (sticks * won - paid)
    assert np.abs(balance[goes_on]).max() < 1e-6


def test_a_win_is_worth_more_to_the_dealer() -> None:
    block = OptionBlock.of(played(1)[:1])
    later = any_later(block)
    later.others[:] = later.others[:, :1]
    forecast = block_forecast(block, later)
    hands = winning_hands(forecast, joint_endings(forecast))[0]
    dealer = forecast.stakes[0].dealer
    for seat in (1, 2, 3):
        assert dealer in (0, seat) or dealer == 0 or hands[seat - 1] < hands[dealer - 1]


def test_the_hand_that_wins_is_that_of_the_options_that_count() -> None:
    """A seat that may declare riichi deals in to richer hands after it: a mean by hand."""
    decision = next(d for d in played(1) if any(o.act == "riichi" for o in options_of(d)))
    block = OptionBlock.of([decision])
    later = any_later(block)
    share = np.full(len(block.act), 1 / len(block.act))
    forecast = block_forecast(block, replace(later, share=share))
    joint = joint_endings(forecast)
    assert len(forecast.others) > 1
    alone = np.array([
        winning_hands(forecast, joint * (np.arange(len(share)) == number))[0]
        for number in range(len(share))
    ])  # fmt: skip
    weight = np.array([joint[4 * seat : 4 * seat + 4].sum(axis=0) for seat in (1, 2, 3)]).T
    due = (weight * alone).sum(axis=0) / weight.sum(axis=0)
    assert winning_hands(forecast, joint)[0] == pytest.approx(due)
    assert np.ptp(alone, axis=0).min() > 1


def test_the_four_seats_share_the_four_places() -> None:
    models = Models()
    for decision in played(1)[5:60:18]:
        found = table_forecast(models, [decision])
        assert found.places is not None
        assert found.final is not None
        assert found.places.sum(axis=1) == pytest.approx(1)
        assert found.places.sum(axis=0) == pytest.approx(1, abs=0.01)
        assert found.final.sum() == pytest.approx(100_000, abs=100)
        assert found.endings.sum() == pytest.approx(1)


def test_the_mean_over_decisions_is_the_mean_of_their_forecasts() -> None:
    models = Models()
    a, b = [d for d in played(1) if d.offer is None and d.seat == 0][:2]
    found = table_forecast(models, [a, b], (0.25, 0.75))
    one, other = (table_forecast(models, [decision]) for decision in (a, b))
    for name in ("endings", "points", "hands", "places", "final"):
        mean = 0.25 * getattr(one, name) + 0.75 * getattr(other, name)
        assert getattr(found, name) == pytest.approx(mean)


def test_after_a_claimed_win_nothing_is_left_open() -> None:
    decision = next(d for d in played(1) if any(isinstance(c, Claim) for c in d.choices))
    claim = next(c for c in decision.choices if isinstance(c, Claim))
    block = OptionBlock.of([decision])
    option = next(o for o in block.flat if o.act in ("tsumo", "ron"))
    found = table_forecast(Models(), [decision], made=option)
    payer = (claim.target - claim.seat) % 4
    assert found.endings[payer] == pytest.approx(1)
    assert found.endings[WINNER == 0].sum() == pytest.approx(1)


def test_shanten_shares_the_rest_as_the_drawn_hands_do() -> None:
    found = shanten_shares(0.2, np.array([0, 1, 1, 2, 9], np.int8))
    assert found == pytest.approx([0.2, 0.4, 0.2, 0, 0, 0, 0.2])
    assert len(found) == MOST_SHANTEN + 1
    assert shanten_shares(1.0, np.zeros(3, np.int8)) == pytest.approx([1] + [0] * 6)


def test_an_opponent_in_riichi_lacks_a_ron_only_by_furiten() -> None:
    decision = next(d for d in played(1) if any(p.riichi for p in d.position.players[1:]))
    (read,) = shipped().read([decision.position])
    for seat in (1, 2, 3):
        if decision.position.players[seat].riichi:
            reading = read.rows[seat - 1]
            hands = reading.posterior.sample(500, 0)
            lost = (waits(hands) & np.uint64(reading.given.barred)) != 0
            assert without_ron(read, seat, 500, 0) == lost.mean()


def test_every_opponent_has_an_answer_at_any_moment() -> None:
    for decision in played(1)[::50]:
        for opponent in opponents_at(Models(), decision.position):
            assert opponent.shanten.sum() == pytest.approx(1)
            assert len(opponent.risks) == 34
            assert opponent.without_ron is not None
            assert 0 <= opponent.without_ron <= 1


def test_equal_forecasts_are_equal() -> None:
    """They were not: their arrays compared by identity."""
    position = next(iter(decisions(demo_game()))).position
    one, two = forecast(position), forecast(position)
    assert one == two
    assert hash(one) == hash(two)
    assert one != replace(one, points=one.points + 1)
    assert one != replace(one, places=None)
    assert one != position
