"""The placement of options: the mean over the ends of the hand, and certain where the rules say."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from forecasts import any_later, played

from haiyomi.evaluation.known_answers.suite import cases
from haiyomi.game.position import Position
from haiyomi.kernels.replay import HandEnd
from haiyomi.outcomes import places
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.corrections import later_deal_ins
from haiyomi.outcomes.ends import CLASSES, N_ENDS, Stakes, ends_with
from haiyomi.outcomes.forecast import block_forecast
from haiyomi.outcomes.joint import ABORTED, DRAWN, JOINT
from haiyomi.outcomes.later import LaterEndings
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import shipped
from haiyomi.outcomes.places import not_placed, placements
from haiyomi.outcomes.starts import HandEnds
from haiyomi.outcomes.worth import shipped as shipped_worth
from haiyomi.play.stated_decision import decision_at
from haiyomi.rules import TENHOU
from haiyomi.seeds import generator

PAYOFF = Payoff.parse("90/45/0/-135", TENHOU)


def outcomes_of(block: OptionBlock, later: LaterEndings) -> list[Outcome]:
    forecast = block_forecast(block, later)
    return forecast.outcomes("x", placements(forecast, PAYOFF, shipped()))


@pytest.mark.parametrize("deposit", [0.0, 1.0])
@pytest.mark.parametrize("joint", [4, 0, 9, 15, DRAWN + 3, DRAWN + 12, ABORTED])
def test_one_end_that_is_certain_is_looked_up_as_it_is(joint: int, deposit: float) -> None:
    """The hand's end built by hand, with the rules of the deal and the deposits."""
    turn = [d for d in played(1) if d.offer is None and d.position.draws_left > 20]
    decision = next(d for d in turn if not any(p.riichi or p.melds for p in d.position.players))
    position = decision.position
    option = next(o for o in options_of(decision) if o.act == "discard")
    ending, worth = np.zeros((1, 1, 33)), np.zeros((1, 4, CLASSES))
    ending[0, 0, joint] = worth[0, :, 4] = 1
    later = LaterEndings(ending, worth[:, :1], worth[:, 1:], np.array([[deposit, 0, 0, 0]]))
    (outcome,) = outcomes_of(OptionBlock.of([decision], [[option]]), later)
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


def test_the_ends_that_count_are_those_of_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of options that differ by next to nothing leave out the same ends as one group."""
    decision = next(d for d in played(1) if {"riichi", "discard"} <= {o.act for o in options_of(d)})
    block = OptionBlock.of([decision])
    rng = generator(2, "skewed")
    share = np.full(len(block.act), 1 / len(block.act))
    later = replace(
        any_later(block), ending=rng.dirichlet(np.full(33, 0.05), (1, len(share))), share=share
    )
    values, groups = [], []
    for tilt in (0.0, 1e-13):
        monkeypatch.setattr(later_deal_ins, "RICHER_RIICHI", tilt)
        monkeypatch.setattr(later_deal_ins, "RICHER_TENPAI", tilt)
        found = block_forecast(block, later)
        groups.append(len(found.group_begins))
        values.append([p.value for p in placements(found, PAYOFF, shipped()) if p is not None])
    assert groups[0] == 1 < groups[1]
    assert values[0] == pytest.approx(values[1], abs=1e-9)


@pytest.mark.parametrize("members", [1, 2])
def test_a_decision_of_many_has_the_outcomes_that_it_has_by_itself(members: int) -> None:
    turns = [d for d in played(1) if len(options_of(d)) > 1][:40:4]
    block = OptionBlock.of(turns)
    later = any_later(block, members=members)
    together = iter(outcomes_of(block, later))
    for number, decision in enumerate(turns):
        mine = slice(block.begins[number], block.ends[number])
        one = slice(number, number + 1)
        single = LaterEndings(
            later.ending[:, mine], later.own[:, mine], later.others[one], later.deposit[one]
        )
        for outcome in outcomes_of(OptionBlock.of([decision]), single):
            assert outcome.placement is not None
            assert outcome == next(together)


@pytest.mark.parametrize(("floor", "within"), [(0.0, 1e-9), (places.FLOOR, 0.5)])
def test_an_ensemble_is_the_mean_of_its_members(
    floor: float, within: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exactly where no end is left out. An ensemble leaves out those that are rare in the mean of
    its members, and a member those that are rare in itself: of the 225 points between first and
    last place that moves less than half a point."""
    monkeypatch.setattr(places, "FLOOR", floor)
    block = OptionBlock.of([d for d in played(2) if len(options_of(d)) > 1][:40:4])
    later = any_later(block, members=2)
    # A deposit of another counts where it is likelier than not: for no member here.
    later = replace(later, deposit=later.deposit / 4)
    parts = [
        outcomes_of(block, replace(later, ending=later.ending[e : e + 1], own=later.own[e : e + 1]))
        for e in (0, 1)
    ]
    for outcome, *each in zip(outcomes_of(block, later), *parts, strict=True):
        assert outcome.members == pytest.approx([one.points for one in each])
        assert outcome.points == pytest.approx(sum(outcome.members) / 2)
        values = [one.placement.value for one in each if one.placement]
        assert outcome.placement is not None
        assert outcome.placement.members == pytest.approx(values, abs=within, rel=0)
        assert outcome.placement.value == pytest.approx(sum(outcome.placement.members) / 2)


def test_a_win_that_decides_the_game_makes_its_place_certain() -> None:
    """Every case of the suite that names a certain place."""
    decided = [case for case in cases() if case.place]
    assert decided
    for case in decided:
        block = OptionBlock.of([case.decision])
        forecast = block_forecast(block, any_later(block))
        found = forecast.outcomes("x", placements(forecast, case.payoff, shipped()))
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
    block = OptionBlock.of([unknown])
    assert all(outcome.placement is None for outcome in outcomes_of(block, any_later(block)))


LAST_HAND = {
    "seat": "S",
    "round": "S4",
    "indicators": "9m",
    "hand": "123678m22345p78s",
    "drawn": "1z",
    "draws_left": 30,
}
"""Pinfu with a dora after the East wind: 2,000 by ron, 700/1,300 by own draw; in riichi 3,900 and
1,300/2,600 at least."""


@pytest.mark.parametrize(
    ("leader", "joint", "option", "first"),
    [
        (33800, 2, "riichi 1z", (1, 1)),
        (34000, 2, "riichi 1z", (0.2, 0.8)),  # ura dora and ippatsu
        (36400, 0, "riichi 1z", (1, 1)),
        (36600, 0, "riichi 1z", (0.2, 0.8)),
        (31900, 2, "discard 1z", (0.8, 1)),
        (32100, 2, "discard 1z", (0, 0.3)),  # some declare riichi later
        (33300, 0, "discard 1z", (0.8, 1)),
        (33500, 0, "discard 1z", (0, 0.4)),
    ],
)
def test_a_tenpai_hand_wins_what_it_is_worth_in_the_last_hand(
    leader: int, joint: int, option: str, first: tuple[float, float]
) -> None:
    """The last hand of a hanchan, which the seat, with 30,000 points, surely wins: by ron off the
    seat across, or by own draw; the leader sits to its right."""
    scores = {"S": 30000, "W": leader, "N": 15000, "E": 55000 - leader}
    rivers = {"E": "4z 9p 1p", "S": "2z 3z", "W": "3z 1s", "N": "1s 9p"}
    players = {seat: {"score": scores[seat], "river": rivers[seat]} for seat in scores}
    decision = decision_at(Position.from_json(json.dumps({**LAST_HAND, "players": players})))
    ending, worth = np.zeros((1, 1, 33)), np.zeros((1, 4, CLASSES))
    ending[0, 0, joint] = worth[0, :, 0] = 1
    later = LaterEndings(ending, worth[:, :1], worth[:, 1:], np.zeros((1, 4)))
    (outcome,) = outcomes_of(OptionBlock.of([decision], [[Option.parse(option)]]), later)
    assert outcome.placement is not None
    least, most = first
    assert least - 1e-9 <= outcome.placement.places[0] <= most + 1e-9
    assert sum(outcome.placement.places) == pytest.approx(1)
