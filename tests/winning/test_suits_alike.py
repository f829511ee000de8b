"""Renaming the suits changes no value of the win program: no rule tells them apart."""

from __future__ import annotations

import pytest
from evaluation.known_answers.metamorphic import Suits, exchanged

from haiyomi.evaluation.known_answers.suite import Case, cases
from haiyomi.winning.own import Own, own_values_of

OWN = [case for case in cases() if case.decision.offer is None]


def numbers(own: Own) -> list[float]:
    return [own.win, own.tenpai or 0.0, own.points or 0.0]


@pytest.mark.parametrize("suits", [(0, 2, 1), (1, 0, 2)])
@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_values_do_not_depend_on_the_names_of_the_suits(case: Case, suits: Suits) -> None:
    position = case.decision.position
    here, moved_there = own_values_of([position, exchanged(position, suits)])
    there = {(own.tile.kind, own.tile.red): own for own in moved_there}
    for own in here:
        kind = own.tile.kind
        moved = kind if kind > 26 else suits[kind // 9] * 9 + kind % 9
        other = there[moved, own.tile.red]
        assert numbers(other) == pytest.approx(numbers(own), rel=1e-9, abs=1e-12)
