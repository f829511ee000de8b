"""An outcome of several, by hand."""

from __future__ import annotations

import pytest

from haiyomi.outcomes.answer import Endings, EndingShare, Outcome, Placement
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.mixture import mixture
from haiyomi.outcomes.option import Option


def test_endings_errors_and_places_are_those_of_the_parts() -> None:
    option = Option("pass")
    later = Endings(
        [EndingShare(Ending.TSUMO, 0.5, 4000, 100.0), EndingShare(Ending.DRAW_NOTEN, 0.5, -1000)]
    )
    once = Endings([EndingShare(Ending.DEAL_IN_LEFT, 1.0, -8000)])
    parts = (
        Outcome(option, "x", later, 80.0, Placement((0.5, 0.5, 0, 0), 30000, "points", 10, 2.0)),
        Outcome(option, "x", once, None, Placement((0, 0, 0, 1.0), 10000, "points", -20)),
    )
    found = mixture(parts[0], (0.75, 0.25), parts)
    assert found.endings == (
        EndingShare(Ending.TSUMO, 0.375, 4000, 100.0),
        EndingShare(Ending.DEAL_IN_LEFT, 0.25, -8000),
        EndingShare(Ending.DRAW_NOTEN, 0.375, -1000),
    )
    assert found.points == pytest.approx(0.75 * 1500 - 2000)
    assert found.error == 60
    assert found.placement == Placement((0.375, 0.375, 0, 0.25), 25000, "points", 2.5, 1.5)
    assert mixture(parts[1], (0.5, 0.5), (parts[1], parts[1])).error is None
