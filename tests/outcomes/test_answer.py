"""An Outcome sums to one, and its totals are those of its endings."""

from __future__ import annotations

import json

import pytest

from haiyomi.outcomes.answer import Endings, EndingShare, Outcome, Placement
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option

PASS = Option.parse("pass")
SHARES = Endings([
    EndingShare(Ending.RON, 0.25, 8000),
    EndingShare(Ending.DEAL_IN_LEFT, 0.125, -12000, 300),
    EndingShare(Ending.DRAW_NOTEN, 0.625, -1000),
])  # fmt: skip
PLACEMENT = Placement((0.5, 0.25, 0.25, 0), 30000, "90/45/0/-135", 56.25)


def test_totals_are_those_of_the_endings() -> None:
    outcome = Outcome(PASS, "imitation", SHARES, placement=PLACEMENT)
    assert outcome.points == 2000 - 1500 - 625
    assert (outcome.win, outcome.deal_in) == (0.25, 0.125)
    assert outcome.probability(Ending.RON, Ending.DRAW_NOTEN, Ending.TSUMO) == 0.875
    stated = json.loads(json.dumps(outcome.to_json()))
    assert stated["option"] == "pass"
    assert stated["points"] == outcome.points
    assert stated["endings"][1]["ending"] == "deal-in to the player to the left"
    assert stated["placement"] == [0.5, 0.25, 0.25, 0]
    assert Outcome(PASS, "imitation", SHARES).to_json()["placement"] is None
    assert repr(SHARES) == "<Endings: 3 ways, -125.0 points, win 0.2500>"


@pytest.mark.parametrize("total", [(0.25, 0.125), (0.25, 0.125, 0.62), (1.25, -0.25, 0)])
def test_what_does_not_sum_to_one_is_refused(total: tuple[float, ...]) -> None:
    shares = [
        EndingShare(share.ending, p, share.points) for share, p in zip(SHARES, total, strict=False)
    ]
    with pytest.raises(ValueError, match="not 1"):
        Endings(shares)
    with pytest.raises(ValueError, match="places"):
        Placement((0.5, 0.25, 0.25, 0.1), 30000, "points", 1)


def test_endings_stand_in_their_order() -> None:
    with pytest.raises(ValueError, match="order"):
        Endings(SHARES[::-1])
    half = EndingShare(Ending.RON, 0.5, 1000)
    with pytest.raises(ValueError, match="each once"):
        Endings((half, half))
