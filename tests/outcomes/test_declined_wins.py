"""A claim that is declined: the hand goes on as any other, not as one that has ended."""

from __future__ import annotations

from forecasts import played

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.game.position import Position
from haiyomi.outcomes.ending import Ending
from haiyomi.play.stated_decision import decision_at


def test_declining_a_win_is_not_valued_as_the_win() -> None:
    """A named case: what is expected before a claim is the claim, and passing won 99% of hands."""
    decisions = [d for n in range(8) for d in played(n)]
    found = [
        {outcome.option.act: outcome for outcome in outcomes}
        for outcomes in Analyzer().outcomes([d for d in decisions if d.offer is not None])
    ]
    rons = [by_act for by_act in found if "ron" in by_act]
    assert len(rons) > 5
    for by_act in rons:
        assert by_act["ron"].win == 1.0
        assert by_act["ron"].share is not None
        assert by_act["ron"].share > 0.5
    assert sum(by_act["pass"].win for by_act in rons) < 0.7 * len(rons)


def test_declining_nine_terminals_is_not_valued_as_declaring_them() -> None:
    """A named case: a discard instead of nine terminals aborted up to 95% of hands."""
    position = Position.from_json(
        {"seat": "E", "indicators": "4p", "hand": "19m19p19s1234z258m", "drawn": "5z"}
    )
    (found,) = Analyzer().outcomes([decision_at(position)])
    aborted = {str(outcome.option): outcome.probability(Ending.ABORTED) for outcome in found}
    assert aborted.pop("nine terminals") == 1
    assert max(aborted.values()) < 0.25
