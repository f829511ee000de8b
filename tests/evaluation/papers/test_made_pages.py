"""Pages of docs that a script makes of stored results are what it makes of them now."""

from __future__ import annotations

import importlib
import pathlib
import re

import pytest

from haiyomi.evaluation.networks_used import shipped_networks
from haiyomi.evaluation.papers.reproduction_page import PAPERS, pages

TABLES = {"kurita-hoki": 3, "nemoto": 6, "tomohxx": 0, "maekawa-takeuchi": 4}
"""Tables that each paper has."""


@pytest.mark.parametrize(
    ("script", "page", "stated"),
    [
        ("fill_imitation", "imitation.md", ("## Model card",)),
        ("fill_placement", "placement.md", ("scores and round", "## Calibration")),
        ("fill_outcomes", "outcome-baselines.md", ("oosted trees", "## Endings")),
        ("fill_playouts", "playouts.md", ("*coefficient*", "*Error*", "temperature")),
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


def test_lines_outside_their_interval_are_named(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root / "docs"))
    outside = importlib.import_module("fill_outcomes").outside

    def line(of: str, expected: float, low: float | None, high: float | None) -> dict[str, object]:
        came = {"value": 0.2, "low": low, "high": high}
        return {"decisions": of, "what": "wins", "expected": expected, "came": came}

    lines = [line("a", 0.2, 0.1, 0.3), line("b", 0.4, 0.1, 0.3), line("c", 0.4, None, None),
             line("d", 0.4, 0.2, 0.2)]  # fmt: skip
    assert outside({"lines": lines}) == ["b: wins"]


def test_a_page_says_which_networks_are_earlier_and_where_none_is_named(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root / "docs"))
    of_earlier_networks = importlib.import_module("stored_results").of_earlier_networks

    assert "does not name" in of_earlier_networks({"games": 1})
    assert of_earlier_networks({"networks": shipped_networks()}) is None
    stated = of_earlier_networks(
        {"networks": shipped_networks() | {"policy.safetensors": "0" * 12}}
    )
    assert stated == (
        "Measured with networks before the present ones: `policy.safetensors` 000000000000."
    )
