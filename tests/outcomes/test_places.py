"""The placement of options: the mean over the ends of the hand, and certain where the rules say."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from forecasts import any_later, played

from haiyomi.evaluation.suite import cases
from haiyomi.kernels.replay import HandEnd
from haiyomi.outcomes.ends import CLASSES, N_ENDS, Stakes, ends_with
from haiyomi.outcomes.forecast import hand_forecast
from haiyomi.outcomes.joint import ABORTED, DRAWN, JOINT
from haiyomi.outcomes.later import Later
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import shipped
from haiyomi.outcomes.places import not_placed, place
from haiyomi.outcomes.starts import HandEnds
from haiyomi.outcomes.worth import shipped as shipped_worth
from haiyomi.rules import TENHOU

PAYOFF = Payoff.parse("90/45/0/-135", TENHOU)


@pytest.mark.parametrize("deposit", [0.0, 1.0])
@pytest.mark.parametrize("joint", [4, 0, 9, 15, DRAWN + 3, DRAWN + 12, ABORTED])
def test_one_end_that_is_certain_is_looked_up_as_it_is(joint: int, deposit: float) -> None:
    """The hand's end built by hand, with the rules of the deal and the deposits."""
    turn = [d for d in played(1) if d.offer is None and d.position.draws_left > 20]
    decision = next(d for d in turn if not any(p.riichi or p.melds for p in d.position.players))
    position = decision.position
    option = next(o for o in options_of(decision) if o.act == "discard")
    ending, worth = np.zeros((1, 33)), np.zeros((1, 4, CLASSES))
    ending[0, joint] = worth[0, :, 4] = 1
    own = np.array([[deposit, 0, 0, 0]])
    later = Later(ending, worth, own)
    forecast = hand_forecast(decision, [option], later, {})
    ((outcome,),) = place([forecast], [forecast.outcomes("x")], PAYOFF, shipped())
    what = JOINT[joint]
    stakes = Stakes(position.dealer, position.honba, position.sticks)
    end = joint * CLASSES + 4 if joint < DRAWN else N_ENDS - len(JOINT) + joint
    changes = ends_with(shipped_worth(), stakes).changes[end].tolist()
    noten = what.tenpai is not None and not what.tenpai & 1
    paid = 1000 * (deposit == 1 and what.winner != 0 and not noten)
    changes[0] -= paid
    if what.winner is not None:
        changes[what.winner] += paid
    scores = [0.0] * 4
    for r, player in enumerate(position.players):
        scores[position.absolute(r)] = player.score + changes[r]
    deals = what.winner == position.dealer
    stays = deals or joint == ABORTED or (what.tenpai or 0) >> position.dealer & 1 == 1
    kind: Literal["win", "abort", "exhaustive"]
    kind = "win" if what.winner is not None else "abort" if joint == ABORTED else "exhaustive"
    honba = 0 if kind == "win" and not deals else position.honba + 1
    a, b, c, d = (round(score) for score in scores)
    sticks = 0 if kind == "win" else position.sticks + paid // 1000
    hand = HandEnd(kind, stays, (a, b, c, d), sticks, position.kyoku + (not stays), honba)
    due = shipped().ends(HandEnds.of([hand]), position.rules)
    assert outcome.placement is not None
    assert outcome.placement.places == pytest.approx(due.places[0, position.seat])
    assert outcome.placement.final == pytest.approx(due.final[0, position.seat])


def test_a_decision_of_many_has_the_placement_that_it_has_by_itself() -> None:
    turns = [d for d in played(1) if len(options_of(d)) > 1][:40:8]
    forecasts = []
    for decision in turns:
        options = tuple(options_of(decision))
        forecasts.append(hand_forecast(decision, options, any_later(len(options)), {}))
    plain = [forecast.outcomes("x") for forecast in forecasts]
    together = place(forecasts, plain, PAYOFF, shipped())
    for forecast, outcomes, found in zip(forecasts, plain, together, strict=True):
        (single,) = place([forecast], [outcomes], PAYOFF, shipped())
        for one, other in zip(single, found, strict=True):
            assert one.placement is not None
            assert one == other


def test_a_win_that_decides_the_game_makes_its_place_certain() -> None:
    """Every case of the suite that names a certain place."""
    decided = [case for case in cases() if case.place]
    assert decided
    for case in decided:
        options = tuple(options_of(case.decision))
        forecast = hand_forecast(case.decision, options, any_later(len(options)), {})
        (found,) = place([forecast], [forecast.outcomes("x")], case.payoff, shipped())
        places = {o.option: o.placement for o in found}
        for option, number in case.place:
            placement = places[option]
            assert placement is not None
            assert placement.places[number - 1] == pytest.approx(1)


def test_a_position_with_unknown_scores_has_points_alone() -> None:
    decision = next(d for d in played(1) if d.offer is None)
    position = decision.position
    first = replace(position.players[0], score=position.players[0].score + 500)
    unknown = replace(decision, position=replace(position, players=(first, *position.players[1:])))
    assert not_placed(position) is None
    assert "the scores are unknown" in (not_placed(unknown.position) or "")
    options = tuple(options_of(unknown))
    forecast = hand_forecast(unknown, options, any_later(len(options)), {})
    outcomes = forecast.outcomes("x")
    assert place([forecast], [outcomes], PAYOFF, shipped()) == [outcomes]
