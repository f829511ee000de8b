"""A call is worth what the discards after it are worth."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.calls import discard_after
from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.events import Chi, Pon
from haiyomi.networks.network import Network
from haiyomi.outcomes import forecast
from haiyomi.outcomes.option import options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.option_model import with_swaps
from haiyomi.play.decision import Decision, RecordedDecision, decisions
from haiyomi.play.player import Claim
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.stated_decision import read_decision


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
    monkeypatch.setattr(forecast, "open_yaku_part", lambda block, share, made: np.ones(len(share)))
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


def test_the_opponents_of_an_offer_are_read_after_its_calls_alone(
    offers: list[RecordedDecision], monkeypatch: pytest.MonkeyPatch
) -> None:
    """But where a win may be declined, which is a question of its own."""
    some = [d for d in offers if not d.of(Claim)]
    assert len(some) > 5
    models = Models()
    before = outcomes_of(models, some, "points")

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Network, "answers", never)  # asked where nothing was read
    assert outcomes_of(models, some, "points") == before


def offered(hand: str, tile: str) -> Decision:
    """The first 2m, or another tile, is offered to the North seat."""
    start = {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "scores": [25000] * 4, "dora_marker": "N", "tehais": [["?"] * 13] * 3 + [hand.split()],
    }  # fmt: skip
    lines: list[dict[str, object]] = [{"type": "start_game"}, start]
    for seat, discard in enumerate(("W", "W", tile)):
        lines.append({"type": "tsumo", "actor": seat, "pai": "?"})
        lines.append({"type": "dahai", "actor": seat, "pai": discard, "tsumogiri": False})
    return read_decision("\n".join(map(json.dumps, lines)), 3)


def test_a_call_that_forbids_the_best_discard_is_worth_less() -> None:
    """Tenpai with three dragons. After chi 34m neither 2m nor 5m may go, so that a set breaks."""
    (outcomes,) = outcomes_of(
        Models(), [offered("3m 4m 5m 2p 2p 3s 4s 5s 6s 7s P P P", "2m")], "90/45/0/-135"
    )
    win = {str(each.option): each.win for each in outcomes}
    assert win["pass"] > 0.8
    assert win["chi 34m"] < win["pass"] - 0.2
    call = next(each for each in outcomes if str(each.option) == "chi 34m")
    assert call.points < outcomes[0].points - 2000


def test_the_discards_that_a_call_forbids_count_where_options_are_centred(
    offers: list[RecordedDecision],
) -> None:
    call = offered("3m 4m 5m 2p 2p 3s 4s 5s 6s 7s P P P", "2m")
    after = discard_after(call, call.of(Chi)[0])
    block = OptionBlock.of([offers[0], after, offers[1]])
    every, allowed = with_swaps(block.records, block.actions)
    assert (every.row[~allowed], every.kind[~allowed]) == (1, 4)  # 5m
    assert every.row.tolist() == sorted(every.row.tolist())
    kept = every.take(allowed)
    for name in ("row", "first", "second", "sort", "kind", "red"):
        assert (getattr(kept, name) == getattr(block.actions, name)).all()
    alone = OptionBlock.of(offers)
    assert with_swaps(alone.records, alone.actions)[0] is alone.actions


def test_shares_after_a_call_sum_to_one() -> None:
    call = offered("3m 4m 5m 2p 2p 3s 4s 5s 6s 7s P P P", "2m")
    after = discard_after(call, call.of(Chi)[0])
    (outcomes,) = outcomes_of(Models(), [after], "90/45/0/-135")
    assert sum(each.share or 0.0 for each in outcomes) == pytest.approx(1)
