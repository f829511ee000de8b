"""A call is worth what the discards after it are worth."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.calls import discard_after
from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.events import Chi, Pon
from haiyomi.outcomes import forecast
from haiyomi.outcomes.option import options_of
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.play.rule_games import simulate_rule_players


@pytest.fixture(scope="module")
def offers() -> list[RecordedDecision]:
    found = [d for d in decisions(simulate_rule_players(2, 3)) if d.of(Chi) or d.of(Pon)]
    return found[::5][:12]


def test_the_decision_after_a_call_is_that_of_the_record() -> None:
    game = list(decisions(simulate_rule_players(2, 3)))
    seen = 0
    for before, after in pairwise(game):
        if isinstance(before.chosen, Chi | Pon) and after.seat == before.seat:
            made = discard_after(before, before.chosen)
            assert made.position == after.position
            assert set(made.choices) == set(after.choices)
            seen += 1
    assert seen > 10


def test_a_call_is_worth_its_discards(
    offers: list[RecordedDecision], monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for calls without a yaku, which count the less the fewer players make them."""
    monkeypatch.setattr(forecast, "open_yaku_part", lambda block, share: np.ones(len(share)))
    models = Models()
    seen = 0
    for decision, outcomes in zip(offers, outcomes_of(models, offers, "90/45/0/-135"), strict=True):
        for outcome in outcomes:
            call = options_of(decision)[outcome.option][0]
            if not isinstance(call, Chi | Pon):
                continue
            (after,) = outcomes_of(models, [discard_after(decision, call)], "90/45/0/-135")
            shares = np.array([each.share for each in after])
            for name in ("points", "win", "deal_in"):
                values = np.array([getattr(each, name) for each in after])
                assert getattr(outcome, name) == pytest.approx(shares @ values / shares.sum())
            places = np.array([each.placement.places for each in after if each.placement])
            assert outcome.placement is not None
            assert outcome.placement.places == pytest.approx(shares @ places / shares.sum())
            values = np.array([each.placement.value for each in after if each.placement])
            assert outcome.placement.value == pytest.approx(shares @ values / shares.sum())
            assert sum(share.probability for share in outcome.endings) == pytest.approx(1)
            assert outcome.deal_in_now == 0
            seen += 1
    assert seen > 10


def test_a_review_asks_for_calls_as_any_other_question_does(offers: list[RecordedDecision]) -> None:
    analyzer = Analyzer(parts=["outcomes", "styles"])
    answers = analyzer.analyze_offers(offers)
    assert [each.outcomes for each in answers] == analyzer.outcomes(offers)
    styles = Analyzer(parts=["styles"]).analyze_offers(offers)
    assert [each.styles for each in answers] == [each.styles for each in styles]
