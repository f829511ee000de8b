"""``haiyomi review``: verdicts as text, filters of the list, what to work on over many games."""

from __future__ import annotations

import json
import shutil
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from apps.in_process import haiyomi, page_data

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.logs.load import parse
from haiyomi.review.catalogue import Language
from haiyomi.review.categories import CATEGORIES, Category
from haiyomi.review.columns import plain
from haiyomi.review.review_text import COSTLIEST, mistake_line
from haiyomi.review.reviewer import review_game
from haiyomi.review.sentences import reason_of, sentence, verdict_said
from haiyomi.review.summary import Mistake, Summary, summary_of
from haiyomi.review.text import TextReport
from haiyomi.review.verdicts import Margins
from haiyomi.review.words import category_named, words_of

SAMPLE = Path(__file__).parents[1] / "samples" / "haiyomi-7-00000.mjlog"
SEAT = 2
ENGLISH = words_of("en")


@lru_cache(maxsize=2)
def summary(margin: float = 250.0) -> Summary:
    """Of the sample's seat, worked out without the command."""
    game = parse(SAMPLE.read_bytes(), SAMPLE.name)
    review = review_game(game, SEAT, Analyzer(parts=["deal_in", "outcomes"], details=()))
    return summary_of(review, Margins(margin))


def listed(*options: str) -> list[dict[str, Any]]:
    """The mistakes of the command's JSON."""
    done = haiyomi("review", str(SAMPLE), "--seat", str(SEAT), "--json", *options)
    found: list[dict[str, Any]] = json.loads(done.stdout)["mistakes"]
    return found


def places(mistakes: list[Mistake]) -> list[tuple[int, int]]:
    return [(m.hand.index, m.decision.event) for m in mistakes]


def test_the_text_begins_with_the_score_and_states_each_verdict() -> None:
    text = haiyomi("review", str(SAMPLE), "--seat", str(SEAT)).stdout
    whole = summary()
    assert whole.score is not None
    assert len(whole.mistakes) >= 3
    cost, n, interval = whole.score.cost, whole.score.decisions, whole.score.interval
    assert interval is not None
    low, high = interval
    flat = " ".join(text.split())
    said = f"{cost:.0f} (95% interval {low:.0f} to {high:.0f}); decisions: {n}"
    assert f"Points given up per decision: {said};" in flat[:400]
    for mistake in whole.mistakes:
        verdict, decision = mistake.verdict, mistake.decision
        assert verdict_said(verdict, ENGLISH, decision.claimed) in flat
        why = sentence(reason_of(decision, verdict), int(decision.position.dealer), ENGLISH)
        # On the first screen, where the costliest stand, and at the decision; not in the list.
        assert flat.count(why) == 1 + (mistake in whole.mistakes[:COSTLIEST])


@pytest.mark.parametrize("lang", ["ja", "zh"])
def test_lists_of_words_have_the_comma_of_their_language(lang: Language) -> None:
    line = next(mistake_line(TextReport(words_of(lang)), summary().mistakes[0]))
    assert "、" in plain(line)
    assert ", " not in plain(line)
    where = ("--seat", "0", "--hand", "E1", "--turn", "3")
    done = haiyomi("hands", str(SAMPLE), *where, "--lang", lang)
    assert "、" in done.stdout


def test_the_list_is_filtered_by_severity_category_and_number() -> None:
    every = list(summary().mistakes)
    assert [(m["hand"], m["event"]) for m in listed()] == places(every)
    grave = [m for m in every if m.verdict.severity != "inaccuracy"]
    assert 0 < len(grave) < len(every)
    found = listed("--severity", "mistake")
    assert [(m["hand"], m["event"]) for m in found] == places(grave)
    category = every[0].verdict.category
    alike = [m for m in every if m.verdict.category == category]
    assert len(alike) < len(every)
    found = listed("--category", category)
    assert [(m["hand"], m["event"]) for m in found] == places(alike)
    assert [(m["hand"], m["event"]) for m in listed("--worst", "1")] == places(every[:1])


def test_without_a_mistake_there_is_nothing_to_confirm() -> None:
    asked = ("review", str(SAMPLE), "--seat", str(SEAT), "--margin", "1e6", "--confirm")
    done = haiyomi(*asked)
    assert done.returncode == 0
    assert done.stderr == "haiyomi: --confirm: no mistake to play on\n"


def test_a_wider_margin_leaves_fewer_mistakes() -> None:
    wide = list(summary(500.0).mistakes)
    assert 0 < len(wide) < len(summary().mistakes)
    assert [(m["hand"], m["event"]) for m in listed("--margin", "500")] == places(wide)


def test_many_games_of_a_player_end_with_what_to_work_on(tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path)
    game = parse(SAMPLE.read_bytes(), SAMPLE.name)
    name = game.header.names[SEAT]
    text = haiyomi("review", str(tmp_path), "--player", name).stdout
    lost: dict[str, float] = {}
    for mistake in summary().mistakes:
        category = str(ENGLISH.categories[mistake.verdict.category])
        lost[category] = lost.get(category, 0.0) + mistake.verdict.cost
    lines = text.splitlines()
    at = [next(i for i, line in enumerate(lines) if category in line) for category in lost]
    ordered = sorted(zip(at, lost.values(), strict=True))
    assert [cost for _, cost in ordered] == sorted(lost.values(), reverse=True)
    for category, cost in lost.items():
        assert any(category in line and f"{cost:,.0f}" in line for line in lines)


def test_the_scores_of_a_player_come_as_json_too(tmp_path: Path) -> None:
    """A named case: it asked for the player, who was named."""
    for name in ("one.mjlog", "two.mjlog"):
        shutil.copy(SAMPLE, tmp_path / name)
    name = parse(SAMPLE.read_bytes(), SAMPLE.name).header.names[SEAT]
    done = haiyomi("review", str(tmp_path), "--player", name, "--margin", "300", "--json")
    value = json.loads(done.stdout)
    assert value["schema"] == "haiyomi-scores"
    assert value["margin"] == 300
    (game,) = value["games"]  # the same game twice counts once
    assert game["given_up"] == value["given_up"]
    score = summary(300.0).score
    assert score is not None
    assert value["given_up"]["decisions"] == score.decisions


def test_the_first_screen_the_page_and_the_json_list_the_same_mistakes(tmp_path: Path) -> None:
    """A named case: filters left the three costliest of text and page as they were."""
    filters = ("--margin", "300", "--severity", "mistake", "--worst", "2")
    asked = ("review", str(SAMPLE), "--seat", str(SEAT))
    found = listed(*filters)
    assert 0 < len(found) < len(summary().mistakes)
    lines = haiyomi(*asked, *filters).stdout.splitlines()
    head = [line for line in lines[: lines.index("")] if " -> " in line]
    assert len(head) == len(found)
    page = tmp_path / "page.html"
    haiyomi(*asked, *filters, "-o", str(page))
    data = page_data(page)
    assert data["margin"] == 300
    assert data["listed"] == {"severity": 2, "worst": 2}
    every = [(data["hands"][i]["i"], data["hands"][i]["d"][j]["e"]) for i, j in data["mistakes"]]
    assert every == places(list(summary(300.0).mistakes))


def test_what_to_work_on_is_of_the_mistakes_that_are_listed(tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path)
    name = parse(SAMPLE.read_bytes(), SAMPLE.name).header.names[SEAT]
    category = summary().mistakes[0].verdict.category
    text = haiyomi("review", str(tmp_path), "--player", name, "--category", category).stdout
    others = {m.verdict.category for m in summary().mistakes} - {category}
    assert others
    named = text[text.index("What to work on") :]
    assert str(ENGLISH.categories[category]) in named
    assert not any(str(ENGLISH.categories[other]) in named for other in others)


def test_the_pages_of_a_folder_take_the_margin_and_the_filters(tmp_path: Path) -> None:
    records, out = tmp_path / "records", tmp_path / "out"
    records.mkdir()
    shutil.copy(SAMPLE, records)
    asked = ("--seat", str(SEAT), "--margin", "300", "--category", "riichi", "--jobs", "1")
    assert haiyomi("review", str(records), "-o", str(out), *asked).returncode == 0
    data = page_data(next(out.glob("*/seat*.html")))
    assert data["margin"] == 300
    assert data["listed"] == {"categories": ["riichi"]}


@pytest.mark.parametrize(
    "option",
    [
        ["--confirm"], ["--hand", "S2"], ["--hands-at", "3"], ["--beside", "no.json"],
        ["--killer-mortal-gui", "OUT"], ["--truth"], ["--hands-model", "nemoto-d"], ["--seat", "1"],
    ],
)  # fmt: skip
def test_many_games_of_a_player_take_no_option_of_one_record(
    option: list[str], tmp_path: Path
) -> None:
    """A named case: they were dropped without a word."""
    shutil.copy(SAMPLE, tmp_path)
    out = tmp_path / "gui.json"
    given = [str(out) if each == "OUT" else each for each in option]
    done = haiyomi("review", str(tmp_path), "--player", "haiyomi-1", "--jobs", "1", *given)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"haiyomi: {option[0]} ")
    assert done.stderr.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("option", [["--confirm"], ["--hand", "S2"], ["--beside", "no.json"]])
def test_a_folder_of_pages_takes_no_option_of_one_record(option: list[str], tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    shutil.copy(SAMPLE, tmp_path / "records")
    done = haiyomi("review", str(tmp_path / "records"), "-o", str(tmp_path / "out"), *option)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"haiyomi: {option[0]} is for one record: ")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_goes_by_its_name_and_by_that_of_the_text(category: Category) -> None:
    """A named case: of a text that says "folded too soon" the command took ``folded`` alone."""
    for name in (category, category.upper(), ENGLISH.categories[category]):
        assert category_named(name) == category


def test_the_command_takes_a_category_as_the_text_calls_it() -> None:
    category = summary().mistakes[0].verdict.category
    said = ENGLISH.categories[category].upper()
    assert listed("--category", said) == listed("--category", category)
    done = haiyomi("review", str(SAMPLE), "--seat", "0", "--category", "luck")
    assert done.returncode == 2
    assert "no category is named 'luck': expected pushed, folded, efficiency" in done.stderr


@pytest.mark.parametrize(
    "command",
    [("review",), ("review", "-o", "OUT"), ("stats",), ("drill", "-o", "PAGE")],
)
def test_a_player_who_is_not_there_is_told_who_is(command: tuple[str, ...], tmp_path: Path) -> None:
    """A named case: of a folder no names were listed."""
    records = tmp_path / "records"
    records.mkdir()
    shutil.copy(SAMPLE, records)
    places = {"OUT": str(tmp_path / "out"), "PAGE": str(tmp_path / "page.html")}
    asked = (places.get(word, word) for word in command)
    done = haiyomi(*asked, str(records), "--player", "pooled", "--jobs", "1")
    assert (done.returncode, done.stdout) == (2, "")
    names = sorted(parse(SAMPLE.read_bytes(), SAMPLE.name).header.names)
    assert "no player is named 'pooled' in " in done.stderr
    assert done.stderr.endswith(f": the players are {', '.join(names)}\n")
