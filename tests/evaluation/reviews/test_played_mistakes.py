"""Decisions played on: who goes on, what is kept of each, and that work goes on after a stop."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from apps.in_process import haiyomi

from haiyomi.evaluation.reviews import played_mistakes
from haiyomi.evaluation.reviews.played_mistakes import Settings, play_mistakes
from haiyomi.logs.load import write
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.review.confirmed_part import JudgedChoice
from haiyomi.review.decisions import Review, ReviewedDecision
from haiyomi.review.summary import Mistake
from haiyomi.review.verdicts import Verdict

SETTINGS = Settings(share=1.0, worlds=64)


def chosen(review: Review, wanted: Callable[[ReviewedDecision], bool]) -> list[Mistake]:
    """The first tile of one seat that is ``wanted``, as a mistake against another option."""
    for hand in review.hands:
        for decision in hand.decisions if review.seat == 1 else ():
            others = [o for o in decision.options if o.option != decision.done]
            if decision.taken is None or not others or not decision.gives:
                continue
            if others[0].deal_in_now != decision.taken.deal_in_now and wanted(decision):
                verdict = Verdict(
                    others[0], decision.taken, 9, None, 9.0, 9.0, 1.0, "value", "mistake"
                )  # fmt: skip
                return [Mistake(hand, decision, verdict)]
    return []


@pytest.mark.parametrize(("group", "ways"), [("riichi not declared", 3), ("value", 1)])
def test_only_riichi_that_is_not_declared_is_fitted_to_all_ways(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str, ways: int
) -> None:
    def one(review: Review, _: float | None) -> Iterator[tuple[ReviewedDecision, Verdict]]:
        return ((each.decision, each.verdict) for each in chosen(review, lambda d: not d.forced))

    monkeypatch.setattr(played_mistakes, "_choices", one)
    made = JudgedChoice(group, 500.0, 0.6, 0.2, 0.1)
    monkeypatch.setattr(played_mistakes, "choice_of", lambda *_: made)
    settings = replace(SETTINGS, least=120.0)
    rows, _ = play_mistakes([record], None, settings, tmp_path / "out", 1)
    assert [len(row.worlds) for row in rows] == [ways]


def test_a_tile_that_dealt_in_is_told_with_its_risks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    due: list[tuple[float, float]] = []

    def dealt_in(review: Review) -> list[Mistake]:
        found = chosen(review, lambda decision: bool(decision.outcome.wins))
        due.extend((m.verdict.taken.deal_in_now, m.verdict.best.deal_in_now) for m in found)
        return found

    monkeypatch.setattr(played_mistakes, "mistakes_of", dealt_in)
    record = tmp_path / "whole.json"
    record.write_text(write(simulate_rule_players(5, 5), "mjai"), encoding="utf-8")
    rows, _ = play_mistakes([record], None, SETTINGS, tmp_path / "out", 1)
    assert [(row.risks, row.dealt_in) for row in rows] == [(risks, True) for risks in due]
    assert len(due) == 1


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """One hand of rule-based players."""
    whole = simulate_rule_players(5, 5)
    path = tmp_path / "one.json"
    path.write_text(write(replace(whole, hands=whole.hands[:1]), "mjai"), encoding="utf-8")
    return path


def test_the_work_goes_on_after_a_stop(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first(review: Review) -> list[Mistake]:
        return chosen(review, lambda decision: not decision.forced)

    monkeypatch.setattr(played_mistakes, "mistakes_of", first)
    rows, skipped = play_mistakes([record], None, SETTINGS, tmp_path / "out", 1)
    assert not skipped
    assert [row.worlds for row in rows] == [(64, 64, 64)]
    assert len(set(rows[0].points)) > 1
    monkeypatch.setattr(played_mistakes, "_played", None)
    assert play_mistakes([record], None, SETTINGS, tmp_path / "out", 1)[0] == rows
    results = tmp_path / "results.json"
    shown = haiyomi(
        "evaluate", "mistakes", str(record), "-o", str(tmp_path / "out"), "--share", "1",
        "--worlds", "64", "--results", str(results), "--jobs", "1",
    )  # fmt: skip
    assert shown.returncode == 0
    assert json.loads(results.read_text("utf-8"))["groups"][0]["n"] == 1
