"""One table of results in three forms."""

from __future__ import annotations

import json

from haiyomi.evaluation.report import Figure, Report, Scope

REPORT = Report(
    "Skill by opponent",
    ("opponent", "n", "skill", "function"),
    (
        ("riichi", Figure(1200), Figure(0.1234, ".1%", 0.1, 0.15), "`f`"),
        ("1 meld", Figure(7), Figure(None, ".1%"), "`g`"),
    ),
    Scope(465, "test", "95%, bootstrap by game"),
)


def test_text_is_aligned() -> None:
    assert REPORT.text().splitlines() == [
        "Skill by opponent (465 games of test; 95%, bootstrap by game)",
        "  opponent      n                 skill  function",
        "  riichi    1,200  12.3% [10.0%, 15.0%]  `f`",
        "  1 meld        7                     -  `g`",
    ]


def test_markdown_aligns_figures_to_the_right() -> None:
    assert REPORT.markdown().splitlines() == [
        "**Skill by opponent (465 games of test; 95%, bootstrap by game)**",
        "",
        "| opponent | n | skill | function |",
        "|---|---:|---:|---|",
        "| riichi | 1,200 | 12.3% [10.0%, 15.0%] | `f` |",
        "| 1 meld | 7 | - | `g` |",
    ]


def test_json_keeps_values_and_intervals() -> None:
    value = json.loads(json.dumps(REPORT.to_json()))
    assert (value["games"], value["split"]) == (465, "test")
    assert value["columns"] == list(REPORT.columns)
    assert value["rows"][0][2] == {"value": 0.1234, "low": 0.1, "high": 0.15}
    assert value["rows"][1][0] == "1 meld"


def test_a_scope_says_what_it_knows() -> None:
    assert str(Scope()) == ""
    assert str(Scope(3)) == "3 games"
    assert str(Scope(1)) == "1 game"
    assert str(Scope(None, "valid")) == "valid"
    assert str(Scope(210, "210 games of valid")) == "210 games of valid"
    assert str(Scope(1, "1,380 games of valid")) == "1 of 1,380 games of valid"
    assert str(Scope.of({"games": 2000, "records": "a.zip", "split": None})) == (
        "2,000 games of a.zip"
    )
