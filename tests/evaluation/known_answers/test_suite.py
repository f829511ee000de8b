"""The positions beyond dispute: every proof holds, and the runner lists what a valuer misses."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from evaluation.known_answers.suite_proofs import prove

from haiyomi.evaluation.known_answers.suite import (
    Case,
    OptionValue,
    OutcomeValuer,
    cases,
    judge,
    results_json,
)
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import Decision

CASES = cases()


def test_there_are_sixty_positions_of_every_category() -> None:
    assert len(CASES) >= 60
    assert len({(case.category, case.name) for case in CASES}) == len(CASES)
    counts: dict[str, int] = {}
    for case in CASES:
        counts[case.category] = counts.get(case.category, 0) + 1
    assert len(counts) == 13
    assert min(counts.values()) >= 3


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.category}: {case.name}")
def test_the_proof_holds(case: Case) -> None:
    prove(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.category}: {case.name}")
def test_every_named_option_is_one_of_the_decision(case: Case) -> None:
    options = set(options_of(case.decision))
    named = {*case.best, *case.no_win, *case.no_ron, *case.present}
    named |= {option for pair in case.above for option in pair}
    named |= {option for option, _ in case.place}
    assert named <= options
    assert not set(case.absent) & options


def test_the_shipped_models_get_every_case_right() -> None:
    valuer = OutcomeValuer(None)
    stated = results_json([judge(case, valuer) for case in CASES], "outcomes")
    assert stated["failures"] == []
    assert stated["hold"] == len(CASES)


def worst(decision: Decision, payoff: Payoff) -> Mapping[Option, OptionValue]:
    """A valuer that is wrong about everything that a case states."""
    case = next(c for c in CASES if c.decision is decision)
    low = {*case.best, *(better for better, _ in case.above)}
    options = [*options_of(decision), *case.absent]
    return {o: OptionValue(-float(o in low), 0.5, 0.5, (0.25, 0.25, 0.25, 0.25)) for o in options}


def right(decision: Decision, payoff: Payoff) -> Mapping[Option, OptionValue]:
    """A valuer that knows what each case states."""
    case = next(c for c in CASES if c.decision is decision)
    high = {*case.best, *(better for better, _ in case.above)}
    places = dict(case.place)
    found = {}
    for option in options_of(decision):
        place = places.get(option, 1)
        at = (place == 1, place == 2, place == 3, place == 4)
        found[option] = OptionValue(float(option in high), 0.0, 0.0, tuple(map(float, at)))  # type: ignore[arg-type]
    return found


def nothing(decision: Decision, payoff: Payoff) -> Mapping[Option, OptionValue]:
    """A valuer that says nothing."""
    return {}


def test_the_runner_tells_right_from_wrong_and_silent() -> None:
    assert all(judge(case, right).holds for case in CASES)
    assert all(judge(case, worst).missed for case in CASES)
    silent = [judge(case, nothing) for case in CASES]
    assert all(verdict.unanswered and not verdict.missed for verdict in silent)
    stated = results_json(silent, "nothing")
    assert stated["hold"] == 0
    assert stated["cases"] == len(CASES) == len(stated["failures"])
    assert sum(c["unanswered"] for c in stated["categories"].values()) == len(CASES)
