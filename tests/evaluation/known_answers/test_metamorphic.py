"""Metamorphic rules, on the positions beyond dispute: of positions, and of outcomes."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from evaluation.known_answers.metamorphic import (
    exchanged,
    exchanged_option,
    richer,
    suit_differences,
)
from forecasts import any_later

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.evaluation.known_answers.suite import OptionValue, cases
from haiyomi.game.position import Position
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.claimed import claimed
from haiyomi.outcomes.forecast import block_forecast
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import Decision
from haiyomi.play.stated_decision import decision_at
from haiyomi.tiles import Kind, Tile, kind_counts

OWN = [case for case in cases() if case.decision.offer is None]
ORDERS = [suits for suits in permutations(range(3)) if suits != (0, 1, 2)]


@pytest.mark.parametrize("suits", ORDERS)
def test_suits_exchanged_there_and_back_change_nothing(suits: tuple[int, int, int]) -> None:
    back = (suits.index(0), suits.index(1), suits.index(2))
    for case in OWN:
        position = case.decision.position
        there = exchanged(position, suits)
        assert there != position
        assert exchanged(there, back) == position
        # It is a position: what follows from the rest is what JSON would fill in.
        assert Position.from_json(there.to_json()) == there
        same = {exchanged_option(option, suits) for option in options_of(case.decision)}
        assert same == set(options_of(decision_at(there)))


def by_acceptance(decision: Decision, payoff: Payoff) -> dict[Option, OptionValue]:
    """A valuer without suits: how many unseen tiles make the hand that a discard leaves tenpai."""
    position = decision.position
    found = {}
    for option in options_of(decision):
        if option.act == "discard":
            left = list(position.hand)
            left.remove(option.tiles[0])
            mask = int(waits(np.array([kind_counts(left)], np.uint8))[0])
            tiles = sum(n for kind, n in enumerate(position.unseen) if mask >> kind & 1)
            found[option] = OptionValue(float(tiles), tiles / 136)
    return found


def by_suit(decision: Decision, payoff: Payoff) -> dict[Option, OptionValue]:
    """A valuer that likes to discard circles."""
    return {
        option: OptionValue(100.0 * (option.tiles[0].kind // 9 == 1), 0.0)
        for option in options_of(decision)
        if option.act == "discard"
    }


def test_a_valuer_that_prefers_a_suit_is_found_out() -> None:
    for case in OWN:
        position = case.decision.position
        assert suit_differences(by_acceptance, position, case.payoff, (2, 0, 1)) == (0, 0)
        assert suit_differences(by_suit, position, case.payoff, (1, 0, 2)) == (100, 0)


def test_more_on_the_table_is_stated_as_such() -> None:
    position = OWN[0].decision.position
    more = richer(position, sticks=2, honba=1, indicator=Tile.parse("1z"))
    assert (more.sticks, more.honba) == (position.sticks + 2, position.honba + 1)
    assert sum(more.dora) == sum(position.dora) + 1
    assert sum(more.seen) == sum(position.seen) + 1
    gone = Tile(position.seen.index(4)) if 4 in position.seen else None  # type: ignore[arg-type]
    if gone is not None:
        with pytest.raises(ValueError, match="all four"):
            richer(position, indicator=gone)


def own_wins(outcome: Outcome) -> tuple[float, float]:
    """The probability to win, and the mean points of such a win."""
    wins = [share for share in outcome.endings if share.ending.wins]
    p = sum(share.probability for share in wins)
    return p, sum(share.probability * share.points for share in wins) / p if p > 0 else 0.0


def test_exchanged_suits_change_no_outcome() -> None:
    """What differs is rounding of float32, and the hands drawn for the points of a deal-in."""
    analyzer = Analyzer()
    free = [case.decision for case in OWN if len(case.decision.choices) > 1]
    red = [decision for decision in free if decision.position.reds_seen not in (0, 7)]
    turns = [*red, *[decision for decision in free if decision not in red][::4]]
    assert len(red) > 5
    assert len(turns) > len(red) + 5
    there = [decision_at(exchanged(decision.position, (2, 0, 1))) for decision in turns]
    for one, other in zip(analyzer.outcomes(turns), analyzer.outcomes(there), strict=True):
        moved = {outcome.option: outcome for outcome in other}
        for outcome in one:
            same = moved[exchanged_option(outcome.option, (2, 0, 1))]
            assert same.endings.probabilities == pytest.approx(
                outcome.endings.probabilities, abs=1e-4
            )
            for share, again in zip(outcome.endings, same.endings, strict=True):
                if share.probability > 1e-3 and not share.ending.deals_in:
                    assert again.points == pytest.approx(share.points, abs=1)


def test_more_deposits_raise_the_worth_of_every_win_by_what_they_are() -> None:
    """With the same later ends, a win takes what lies on the table; nothing else changes."""
    for case in cases()[::5]:
        position = case.decision.position
        block = OptionBlock.of([case.decision])
        more = replace(case.decision, position=richer(position, sticks=2))
        risen = replace(block, decisions=(more,))
        later = any_later(block)
        plain, other = (block_forecast(each, later).outcomes("x") for each in (block, risen))
        for one, two in zip(plain, other, strict=True):
            p, points = own_wins(one)
            assert own_wins(two)[0] == p
            assert p == 0 or own_wins(two)[1] == pytest.approx(points + 2000)


def test_the_shipped_forecast_raises_every_win_by_deposits_and_honba() -> None:
    analyzer = Analyzer()
    free = [case.decision for case in OWN if len(case.decision.choices) > 1][::6]
    plain = analyzer.outcomes(free)
    for due, sticks, honba in ((2000, 2, 0), (300, 0, 1)):
        more = [
            replace(each, position=richer(each.position, sticks=sticks, honba=honba))
            for each in free
        ]
        for one, two in zip(plain, analyzer.outcomes(more), strict=True):
            before = {outcome.option: own_wins(outcome) for outcome in one}
            for outcome in two:
                p, points = own_wins(outcome)
                if p > 0.01:
                    assert 0 < points - before[outcome.option][1] < 1.5 * due


def test_more_dora_never_lower_a_claimed_win() -> None:
    claims = [c for c in cases() if any(o.act in ("ron", "tsumo") for o in options_of(c.decision))]
    assert claims
    for case in claims:
        decision = case.decision
        for kind in range(0, 34, 5):
            try:
                position = richer(decision.position, indicator=Tile(Kind(kind)))
            except ValueError:
                continue
            before, after = (
                sum(way.probability * way.changes[0] for way in claimed(d))
                for d in (decision, replace(decision, position=position))
            )
            assert after >= before - 1e-6
