"""Pages of docs that a script makes of stored results are what it makes of them now."""

from __future__ import annotations

import importlib
import pathlib
import re

import pytest

from haiyomi.evaluation.papers.reproduction_page import PAPERS, pages

TABLES = {"kurita-hoki": 3, "nemoto": 6, "tomohxx": 0, "maekawa-takeuchi": 4}
"""Tables that each paper has."""


@pytest.mark.parametrize(
    ("script", "page", "stated"),
    [
        ("fill_imitation", "imitation.md", ("## Model card",)),
        ("fill_placement", "placement.md", ("scores and round", "## Calibration")),
        ("fill_outcomes", "outcome-baselines.md", ("oosted trees", "## Endings")),
        ("fill_two_ways", "two-ways.md", ("*coefficient*", "*Error*", "temperature")),
        ("fill_release", "test-split.md", ("commit", "riichi, live tiles", "P(win)")),
        ("fill_mistakes", "mistakes.md", ("complete set broken", "points given up")),
        ("fill_dealin", "deal-in.md", ("beside kurita-hoki", "known biases", "step by step")),
    ],
)
def test_a_page_is_made_of_the_results(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch, script: str, page: str, stated: tuple[str]
) -> None:
    monkeypatch.syspath_prepend(str(root / "docs"))
    text = (root / "docs" / "explanation" / page).read_text(encoding="utf-8")
    assert text == importlib.import_module(script).page()
    assert all(words in text for words in stated)


def test_the_pages_of_the_papers_are_made_of_the_results(root: pathlib.Path) -> None:
    made = pages(root / "docs")
    for name, text in made.items():
        assert (root / "docs" / "reproduction" / name).read_text(encoding="utf-8") == text
    for name, tables in TABLES.items():
        paper = PAPERS[name].title.partition(":")[0]
        listed = re.findall(
            rf"^\| {re.escape(paper)} \| Table (\d)", made["index.md"], re.MULTILINE
        )
        assert sorted(set(map(int, listed))) == list(range(1, tables + 1))
