"""A win that is declined: the hand goes on as any other, not as one that has been won."""

from __future__ import annotations

from forecasts import played

from haiyomi.analysis.analyzer import Analyzer


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
