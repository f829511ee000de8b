"""``haiyomi review --confirm``: the costliest mistakes, played on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from apps.in_process import haiyomi

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.apps.confirming import ToConfirm, confirm, confirmed, costliest
from haiyomi.events import Game
from haiyomi.logs.load import write
from haiyomi.outcomes.option import Option
from haiyomi.play.simulate import simulate
from haiyomi.review.confirmed import Confirmed
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.reviewer import review_game
from haiyomi.review.verdicts import USUAL, Margins, Verdict

PAYOFF = "90/45/0/-135"


@pytest.fixture(scope="module")
def game() -> Game:
    whole = simulate(5, 5)
    return replace(whole, hands=whole.hands[:1])


@pytest.fixture(scope="module")
def review(game: Game) -> Review:
    return review_game(game, 1, Analyzer(parts=("deal_in", "outcomes"), details=()))


@pytest.fixture(autouse=True)
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the models say: where the likeliest other option was not taken, it was better."""

    def better(decision: ReviewedDecision) -> Verdict | None:
        others = [o for o in decision.options if o.option != decision.done]
        if decision.taken is None or not others or decision.forced:
            return None
        cost = 1000.0 + decision.event
        return Verdict(others[0], decision.taken, cost, None, cost, 1.0, "value", "mistake")

    def every(
        review: Review, margins: Margins = USUAL
    ) -> list[tuple[HandReview, ReviewedDecision, Verdict]]:
        return [(h, d, v) for h, d in review.decisions if (v := better(d)) is not None]

    monkeypatch.setattr("haiyomi.review.summary.verdicts", every)


def test_the_costliest_mistakes_are_played_on_and_nothing_else_changes(
    game: Game, review: Review
) -> None:
    asked = costliest(review, 2)
    assert [each.decision.event for each in asked] == sorted(
        (d.event for _, d in review.decisions if len(d.options) > 1 and not d.forced), reverse=True
    )[:2]
    steps: list[tuple[int, int]] = []
    found = confirm(
        game, review, PAYOFF, n=2, worlds=64, step=lambda done, most: steps.append((done, most))
    )
    played = [d for _, d in found.decisions if d.confirmed is not None]
    assert [d.event for d in played] == sorted(each.decision.event for each in asked)
    assert steps[-1][1] == 2 * 64 * len(asked)
    for decision in played:
        assert decision.confirmed is not None
        assert decision.confirmed.worlds == 64
        assert decision.confirmed.better != decision.done
        assert decision.confirmed.points_error > 0
        assert decision.confirmed.value_error is not None
    assert [replace(d, confirmed=None) for _, d in found.decisions] == [
        d for _, d in review.decisions
    ]


def test_the_difference_turns_its_sign_with_the_options(game: Game, review: Review) -> None:
    decision = next(d for _, d in review.discards if len(d.options) > 3 and not d.forced)
    other = next(o.option for o in decision.options if o.option != decision.done)
    one = confirmed(game, ToConfirm(decision, other), PAYOFF, 64)
    turned = confirmed(game, ToConfirm(replace(decision, done=other), decision.done), PAYOFF, 64)
    assert one.points == pytest.approx(-turned.points)
    assert one.points_error == pytest.approx(turned.points_error)
    assert one.value == pytest.approx(-(turned.value or 0))


@pytest.mark.parametrize(
    ("value", "error", "finding"),
    [(30.0, 10.0, "confirmed"), (15.0, 10.0, "open"), (-30.0, 10.0, "contradicted")],
)
def test_a_difference_within_two_standard_errors_is_open(
    value: float, error: float, finding: str
) -> None:
    better = Option.parse("discard 5p")
    assert Confirmed(better, "pooled", 64, value, error).finding == finding
    assert Confirmed(better, "pooled", 64, -500, 1, value, error).finding == finding


def test_the_command_prints_and_writes_what_was_found(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("haiyomi.apps.confirming.WORLDS", 64)
    record = tmp_path / "game.json"
    record.write_text(write(game, "mjai"), encoding="utf-8")
    asked = ("review", str(record), "--seat", "1", "--confirm")
    done = haiyomi(*asked)
    assert done.returncode == 0
    title = done.stdout.splitlines().index("Played on")
    assert "instead of" in done.stdout.splitlines()[title + 1]
    answer = json.loads(haiyomi(*asked, "--json").stdout)
    found = [d["confirmed"] for hand in answer["hands"] for d in hand["decisions"]
             if "confirmed" in d]  # fmt: skip
    assert 1 <= len(found) <= 3
    assert {each["finding"] for each in found} <= {"confirmed", "open", "contradicted"}
    assert "confirmed" not in haiyomi("review", str(record), "--seat", "1", "--json").stdout
