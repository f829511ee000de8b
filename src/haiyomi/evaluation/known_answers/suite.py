"""Positions beyond dispute: what any value of options must get right, and who does.

Each case is a decision with what must hold of the values of its options, and why: a rule, or an
enumeration that the tests recompute. The cases were written before any model of values was fitted.
``beyond_dispute/`` has a file for each category.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.evaluation.report import Report
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.later import LaterModel
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.play.decision import Decision
from haiyomi.play.stated_decision import read_decision

FOLDER = Path(__file__).with_name("beyond_dispute")
ZERO = 1e-9


@dataclass(frozen=True, slots=True)
class OptionValue:
    """What a valuer says of one option: its ``value`` under the payoff, P(win the hand), P(win by
    ron) and P(1st) to P(4th); None where it does not say."""

    value: float
    win: float | None = None
    ron: float | None = None
    places: tuple[float, float, float, float] | None = None


class Valuer(Protocol):
    """Values some or all options of a decision under a payoff."""

    def __call__(self, decision: Decision, payoff: Payoff) -> Mapping[Option, OptionValue]: ...


@dataclass(frozen=True, slots=True)
class Case:
    """One decision and what must hold.

    ``best``: one of these has the highest value. ``above``: pairs, the first has the higher value.
    ``no_win``, ``no_ron``: options with which the seat cannot win (by ron). ``place``: (option,
    place) that the option makes certain. ``absent`` and ``present``: what the rules do and do not
    allow. ``rule`` and ``why`` say why; ``proof`` is what the tests recompute.
    """

    category: str
    name: str
    rule: str
    why: str
    decision: Decision
    payoff: Payoff
    best: tuple[Option, ...]
    above: tuple[tuple[Option, Option], ...]
    no_win: tuple[Option, ...]
    no_ron: tuple[Option, ...]
    place: tuple[tuple[Option, int], ...]
    absent: tuple[Option, ...]
    present: tuple[Option, ...]
    proof: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """What a valuer made of one case: the sentences that do not hold, and those on which it said
    nothing. It ``holds`` where both are empty."""

    case: Case
    missed: tuple[str, ...]
    unanswered: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.missed and not self.unanswered


def cases() -> list[Case]:
    """Every case, in the order of the files' names."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        body = json.loads(path.read_text(encoding="utf-8"))
        found += [_case(body, one) for one in body["cases"]]
    return found


def _case(body: Mapping[str, Any], one: Mapping[str, Any]) -> Case:
    lines = one.get("mjai")
    text = json.dumps(one["position"]) if lines is None else "\n".join(map(json.dumps, lines))
    decision = read_decision(text)
    expect = one["expect"]

    def options(name: str) -> tuple[Option, ...]:
        named = expect.get(name, [])
        return tuple(options_of(decision)) if named == ["*"] else tuple(map(Option.parse, named))

    return Case(
        category=body["category"],
        name=one["name"],
        rule=body["rule"],
        why=one["why"],
        decision=decision,
        payoff=Payoff.parse(one["payoff"], decision.position.rules),
        best=options("best"),
        above=tuple((Option.parse(a), Option.parse(b)) for a, b in expect.get("above", [])),
        no_win=options("no_win"),
        no_ron=options("no_ron"),
        place=tuple((Option.parse(o), place) for o, place in expect.get("place", {}).items()),
        absent=options("absent"),
        present=options("present"),
        proof=one["proof"],
    )


def judge(case: Case, valuer: Valuer) -> CaseVerdict:
    """What a valuer makes of a case."""
    said = valuer(case.decision, case.payoff)
    missed: list[str] = []
    unanswered: list[str] = []

    def check(sentence: str, holds: bool | None) -> None:
        if holds is None:
            unanswered.append(sentence)
        elif not holds:
            missed.append(sentence)

    if case.best:
        named = " or ".join(map(str, case.best))
        top = max(said, key=lambda option: said[option].value, default=None)
        known = any(option in said for option in case.best)
        check(f"{named} is best, not {top}", top in case.best if known else None)
    for better, worse in case.above:
        both = better in said and worse in said
        higher = said[better].value > said[worse].value if both else None
        check(f"{better} is worth more than {worse}", higher)
    for what, options in (("win", case.no_win), ("ron", case.no_ron)):
        for option in options:
            p = getattr(said[option], what) if option in said else None
            check(f"no {what} after {option}", None if p is None else abs(p) <= ZERO)
    for option, place in case.place:
        places = said[option].places if option in said else None
        sure = None if places is None else abs(places[place - 1] - 1) <= ZERO
        check(f"{option} makes place {place} certain", sure)
    for option in case.absent:
        check(f"{option} is no option", option not in said)
    for option in case.present:
        check(f"{option} is an option", True if option in said else None)
    return CaseVerdict(case, tuple(missed), tuple(unanswered))


def results_json(verdicts: Iterable[CaseVerdict], valuer: str) -> dict[str, Any]:
    """How many cases hold, by category, and every sentence that does not."""
    found = list(verdicts)
    by_category: dict[str, dict[str, int]] = {}
    for verdict in found:
        counts = by_category.setdefault(
            verdict.case.category, {"cases": 0, "hold": 0, "missed": 0, "unanswered": 0}
        )
        counts["cases"] += 1
        state = "hold" if verdict.holds else "missed" if verdict.missed else "unanswered"
        counts[state] += 1
    return {
        "valuer": valuer,
        "cases": len(found),
        "hold": sum(verdict.holds for verdict in found),
        "categories": by_category,
        "failures": [
            {
                "category": verdict.case.category,
                "name": verdict.case.name,
                "missed": list(verdict.missed),
                "unanswered": list(verdict.unanswered),
            }
            for verdict in found
            if not verdict.holds
        ],
    }


def suite_report(results: Mapping[str, Any]) -> Report:
    """How many cases hold in each category, by results JSON."""
    rows = [
        (name, c["cases"], c["hold"], c["missed"], c["unanswered"])
        for name, c in results["categories"].items()
    ]
    total = [sum(row[i] for row in rows) for i in range(1, 5)]
    return Report(
        f"Positions beyond dispute: {results['valuer']}",
        ("category", "cases", "hold", "missed", "not answered"),
        (*rows, ("all", *total)),
    )


class OutcomeValuer:
    """The outcomes of every option by a model of what comes later; the value under the payoff."""

    def __init__(self, later: LaterModel | None) -> None:
        self._models = Models(later=later)

    def __call__(self, decision: Decision, payoff: Payoff) -> Mapping[Option, OptionValue]:
        """Every option; points where a position has no placement."""
        (found,) = outcomes_of(self._models, [decision], str(payoff))
        return {
            outcome.option: OptionValue(
                outcome.preference,
                outcome.win,
                outcome.probability(Ending.RON),
                None if outcome.placement is None else outcome.placement.places,
            )
            for outcome in found
        }
