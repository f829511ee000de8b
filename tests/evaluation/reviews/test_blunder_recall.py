"""Planted blunders: what is counted, and that the choices of the record stay as they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from apps.in_process import haiyomi

from haiyomi.evaluation.reviews import blunder_recall
from haiyomi.evaluation.reviews.blunder_recall import Planted, RecordFlags, recall_results, report
from haiyomi.events import Game
from haiyomi.logs.load import write
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.verdicts import Severity, Verdict


@pytest.mark.parametrize("flags", ["blunder", None])
def test_each_planted_blunder_is_judged_in_place_of_the_choice(
    two_hands: Game, monkeypatch: pytest.MonkeyPatch, flags: Severity | None
) -> None:
    seen: list[ReviewedDecision] = []

    def judge(decision: ReviewedDecision) -> Verdict:
        taken = decision.taken
        assert taken is not None
        seen.append(decision)
        return Verdict(decision.options[0], taken, 7.0, None, 7.0, 7.0, 0.0, "value", flags)

    monkeypatch.setattr(blunder_recall, "verdict_of", judge)
    rows, judged = blunder_recall.of_game("a", two_hands)
    assert len(rows) == len(seen) > 0
    assert {(row.flagged, row.blunder) for row in rows} == {(flags is not None,) * 2}
    assert {row.cost for row in rows} == {7.0}
    assert 0 <= judged.flagged <= judged.decisions
    assert blunder_recall.of_game("a", two_hands) == (rows, judged)


def test_a_choice_of_the_players_counts_as_false_only_where_it_is_no_blunder() -> None:
    rows = [
        Planted("a", "win declined", True, True, 900.0, False, True),
        Planted("a", "win declined", True, False, 300.0, False, False),
        Planted("b", "win declined", False, False, 0.0, True, False),
    ]
    results = recall_results(rows, [RecordFlags("a", 30, 3), RecordFlags("b", 10, 1)], "made")
    group, whole = results["rules"]
    assert group | {"rule": "all"} == whole
    found = {key: group[key]["value"] for key in ("recall", "as_blunder", "cost", "false")}
    assert found == pytest.approx({"recall": 2 / 3, "as_blunder": 1 / 3, "cost": 400, "false": 0.5})
    assert group["chosen_by_players"]["value"] == pytest.approx(1 / 3)
    assert results["played"]["flagged"]["value"] == pytest.approx(0.1)
    assert "66.7%" in report(results).text()


def test_the_command_writes_what_it_prints(two_hands: Game, tmp_path: Path) -> None:
    record, results = tmp_path / "one.json", tmp_path / "results.json"
    record.write_text(write(two_hands, "mjai"), encoding="utf-8")
    shown = haiyomi(
        "evaluate", "blunders", str(record), "--results", str(results), "--jobs", "1"
    )  # fmt: skip
    assert shown.returncode == 0
    found = json.loads(results.read_text("utf-8"))
    assert found["games"] == 1
    assert found["rules"][-1]["rule"] == "all"
    assert all(group["rule"] in shown.stdout for group in found["rules"])


def test_the_blunders_do_not_depend_on_where_the_records_lie(
    two_hands: Game, tmp_path: Path
) -> None:
    """A named case: the path as it was typed was part of the seed."""
    found = []
    for name in ("a", "b"):
        record = tmp_path / name / "one.mjson"
        record.parent.mkdir()
        record.write_text(write(two_hands, "mjai"), encoding="utf-8")
        found.append(blunder_recall.recall([record], None, 1, None))
    assert found[0] == found[1]
