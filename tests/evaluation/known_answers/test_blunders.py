"""Known blunders: the rules name what positions beyond dispute prove wrong, and nothing right."""

from __future__ import annotations

import pytest

from haiyomi.evaluation.known_answers.blunders import BLUNDERS, Moment, found
from haiyomi.evaluation.known_answers.suite import Case, cases
from haiyomi.game.position import Position
from haiyomi.outcomes.option import Option, options_of
from haiyomi.play.stated_decision import decision_at

CASES = cases()
BROKEN = {
    "seat": "S",
    "indicators": "4z",
    "hand": "12379m456p2p45s88s",
    "drawn": "3z",
    "players": {
        "E": {"river": "4z 9p"},
        "S": {"river": "2z"},
        "W": {"river": "3z"},
        "N": {"river": "1s"},
    },
}
"""One step from tenpai with two complete runs."""


def moment(case: Case) -> Moment:
    decision = case.decision
    offered = None if decision.offer is None else decision.offer.tile
    return Moment(decision.position, tuple(options_of(decision)), offered)


def at(position: dict[str, object]) -> Moment:
    decision = decision_at(Position.from_json(position))
    return Moment(decision.position, tuple(options_of(decision)), None)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.category}: {case.name}")
def test_no_right_option_is_called_a_blunder(case: Case) -> None:
    named = {option for options in found(moment(case)).values() for option in options}
    assert not named & set(case.best)
    assert all(worse in named for better, worse in case.above if better in named)
    assert named <= set(options_of(case.decision))


@pytest.mark.parametrize(
    ("proved", "rule"),
    [
        ("declare riichi", "no riichi without a yaku"),
        ("a call without a yaku", "call without a yaku"),
        ("fold a far hand", "dangerous tile far from tenpai"),
        ("push a good mangan", "mangan tenpai folded"),
    ],
)
def test_the_rules_name_what_the_positions_prove_wrong(proved: str, rule: str) -> None:
    here = [case for case in CASES if case.category == proved]
    assert any(rule in found(moment(case)) for case in here)


def test_a_complete_set_is_broken_by_its_own_tiles_alone() -> None:
    named = found(at(BROKEN))["complete set broken"]
    assert {str(option) for option in named} == {f"discard {t}" for t in (
        "1m", "2m", "3m", "4p", "5p", "6p")}  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"players": {**BROKEN["players"], "N": {"river": "1s!"}}, "sticks": 1},  # type: ignore[dict-item]
        {"hand": "12m123456p688s27p"},
        {"hand": "123m4599p4588s22z"},
    ],
    ids=["riichi", "a flush is near", "seven pairs are near"],
)
def test_a_set_that_may_be_broken_for_a_reason_is_left_alone(change: dict[str, object]) -> None:
    assert "complete set broken" not in found(at(BROKEN | change))


def test_a_win_may_be_declined_where_places_count() -> None:
    won = [c for c in CASES if {o.act for o in options_of(c.decision)} & {"tsumo", "ron"}]
    early = [c for c in won if not moment(c).last_round]
    assert len(won) > len(early)
    for case in won:
        assert ("win declined" in found(moment(case))) == (case in early)


def test_every_rule_says_what_it_is() -> None:
    assert all(rule.__doc__ for rule in BLUNDERS.values())
    assert Option.parse("discard 1m") in found(at(BROKEN))["complete set broken"]
