"""The report from disk with the network off, as a person uses it."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from served import evil_record

from haiyomi.analysis.styles import StyleShares
from haiyomi.analysis.value import Analysis, TileWaits
from haiyomi.dealin.answer import WaitShare
from haiyomi.logs.load import parse
from haiyomi.outcomes.option import Option
from haiyomi.play.demo import demo_game
from haiyomi.review.html.data import review_data
from haiyomi.review.html.document import page_html
from haiyomi.review.reviewer import review_game
from haiyomi.review.summary import Shown, summary_of
from haiyomi.tiles import Kind, Seat

pytestmark = pytest.mark.slow
Opened = Callable[..., Any]


def _written(game: Any, folder: pathlib.Path, seat: int = 0) -> str:
    data = review_data(review_game(game, Seat(seat))) | {"lang": "en"}
    file = folder / "review.html"
    file.write_text(page_html("review", data, "haiyomi"), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _written(demo_game(), tmp_path_factory.mktemp("report"))


def _where(page: Any) -> str:
    return str(page.evaluate("location.hash"))


def test_decisions_are_walked_by_keyboard(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    title = page.locator("#decision h2")
    first = title.inner_text()
    page.keyboard.press("ArrowRight")
    second = title.inner_text()
    assert second != first
    page.keyboard.press("ArrowLeft")
    assert title.inner_text() == first
    page.keyboard.press("ArrowDown")
    assert _where(page).startswith("#h1e")
    page.keyboard.press("ArrowUp")
    assert _where(page).startswith("#h0e")
    page.keyboard.press("n")
    mistake = _where(page)
    assert page.locator(".verdict.bad").count() == 1
    page.keyboard.press("n")
    assert _where(page) != mistake
    page.keyboard.press("p")
    assert _where(page) == mistake
    page.reload()
    assert _where(page) == mistake
    assert page.locator(".verdict.bad").count() == 1


def test_a_tile_shows_its_split(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.keyboard.press("n")
    before = page.locator("#detail").inner_text()
    tile = page.locator(".held:not(.chosen)").first
    tile.hover()
    hovered = page.locator("#detail").inner_text()
    assert hovered != before
    assert page.locator(".split > ul > li").count() == 3
    name = page.locator(".split h3 svg").get_attribute("aria-label")
    assert name
    assert tile.get_attribute("aria-label").startswith(name)
    page.mouse.move(0, 0)
    assert page.locator("#detail").inner_text() == before
    tile.focus()
    assert page.locator("#detail").inner_text() == hovered
    page.keyboard.press("Enter")
    page.locator("h1").hover()
    assert page.locator("#detail").inner_text() == hovered
    assert tile.get_attribute("aria-pressed") == "true"


def test_two_candidates_are_compared(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.keyboard.press("n")
    head = page.locator(".compare thead .tile")
    assert head.count() == 2
    left = head.nth(0).get_attribute("aria-label")
    right = head.nth(1).get_attribute("aria-label")
    page.keyboard.press("c")
    assert head.nth(0).get_attribute("aria-label") == right
    page.keyboard.press("]")
    assert head.nth(0).get_attribute("aria-label") == right
    page.keyboard.press("c")
    assert head.nth(0).get_attribute("aria-label") == left


def test_memory_aids_can_be_hidden(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    assert page.locator(".table .veil").count() > 0
    page.keyboard.press("a")
    assert page.locator(".table .veil, .table .ghost").count() == 0
    assert "unseen" not in page.locator(".compare").inner_text()
    page.reload()
    assert page.locator(".table .veil").count() == 0


def test_guess_first(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.keyboard.press("g")
    assert page.locator("#detail").inner_text() == ""
    numbers = "".join(page.locator(".held .number").all_inner_texts())
    assert "%" not in numbers
    page.locator(".held").nth(2).click()
    assert "%" in "".join(page.locator(".held .number").all_inner_texts())
    assert page.locator(".compare").count() == 1


def test_japanese_theme_and_help(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.keyboard.press("l")
    assert page.locator("html").get_attribute("lang") == "ja"
    assert "巡目" in page.locator("#decision h2").inner_text()
    page.keyboard.press("t")
    assert page.locator("html").get_attribute("data-theme") == "light"
    page.keyboard.press("t")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.keyboard.press("?")
    assert page.locator("dialog[open] kbd").count() > 8
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


def test_the_costliest_and_the_timeline_lead_there(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.locator(".worst button").nth(1).click()
    there = _where(page)
    assert page.evaluate("document.activeElement.id") == "decision"
    page.locator(".bar-of .hit").nth(60).click(force=True)
    assert _where(page) != there


def test_a_phone(opened: Opened, report: str) -> None:
    page = opened(report, offline=True, viewport={"width": 390, "height": 844}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    tile = page.locator(".held").nth(3)
    assert tile.bounding_box()["width"] >= 40
    tile.tap()
    assert tile.get_attribute("aria-pressed") == "true"


def test_on_a_phone_the_verdict_stands_straight_below_the_hand(opened: Opened, report: str) -> None:
    page = opened(report, offline=True, viewport={"width": 390, "height": 844}, has_touch=True)
    hand = page.locator("#own").bounding_box()
    verdict = page.locator("#decision").bounding_box()
    assert 0 <= verdict["y"] - hand["y"] - hand["height"] <= 24
    detail = page.locator("#detail").bounding_box()
    assert detail["y"] < page.locator("#timeline").bounding_box()["y"]


def test_the_page_opens_on_a_summary_whose_cards_lead_to_the_decisions(
    opened: Opened, report: str
) -> None:
    page = opened(report, offline=True)
    assert page.locator("#summary .figure").count() >= 3
    assert page.locator("#summary .card.mistake").count() == 3
    assert page.locator("#summary").bounding_box()["y"] < page.locator("#nav").bounding_box()["y"]
    page.locator("#summary .card.mistake").first.click()
    assert page.evaluate("document.activeElement.id") == "decision"
    assert page.locator(".verdict.bad").count() == 1


def test_the_three_worst_are_three_and_filters_leave_fewer(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    rows = page.locator("#mistakes tbody tr")
    every = rows.count()
    assert every >= 3
    page.locator("#three").click()
    assert rows.count() == 3
    assert page.evaluate("document.activeElement.id") == "three"
    page.locator("#three").click()
    page.get_by_label("Severity").select_option("3")
    assert rows.count() < every
    page.get_by_label("Severity").select_option("1")
    page.get_by_label("Category").select_option(index=1)
    assert 0 < rows.count() < every


def test_a_page_opens_with_the_filters_that_the_command_was_given(
    opened: Opened, tmp_path: pathlib.Path
) -> None:
    review = review_game(demo_game(), Seat(0))
    every = summary_of(review).mistakes
    kinds = (every[0].verdict.category, every[-1].verdict.category)
    shown = Shown(categories=kinds, worst=2)
    assert len(shown.of(every)) < len(every)
    data = review_data(review, listed=shown) | {"lang": "en"}
    file = tmp_path / "review.html"
    file.write_text(page_html("review", data, "haiyomi"), encoding="utf-8")
    page = opened(file.as_uri(), offline=True)
    assert page.locator("#mistakes tbody tr").count() == len(shown.of(every))
    assert page.locator("#summary .card.mistake").count() == len(shown.of(every))
    assert page.locator("#three").get_attribute("aria-pressed") == "true"


def test_a_pass_is_a_decision_with_options(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    for _ in range(178):
        page.keyboard.press("ArrowRight")
        if page.locator(".offered").count():
            break
    assert page.locator(".offered").count() == 1
    assert page.locator(".options tr.taken").count() == 1
    assert page.locator(".held .number").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_the_options_of_a_decision_are_seen_without_scrolling_sideways(
    opened: Opened, report: str, width: int
) -> None:
    page = opened(report, offline=True, viewport={"width": width, "height": 844})
    seen = 0
    for _ in range(40):
        if page.locator(".options .scroll").count():
            wide = page.locator(".options .scroll").evaluate("e => e.scrollWidth - e.clientWidth")
            assert wide <= 0, page.locator(".options").inner_text()
            seen += 1
        page.keyboard.press("ArrowRight")
    assert seen > 20


def test_a_call_shows_what_each_style_would_do(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    for _ in range(178):
        page.keyboard.press("ArrowRight")
        if page.locator(".offered").count():
            break
    rows = page.locator(".styles li").all_inner_texts()
    assert len(rows) == 6
    assert rows[-2].startswith("Suphx-like")
    assert all("pass" in row or "pon" in row or "chi" in row for row in rows)


def test_beside_the_table_the_verdict_stands_on_a_wide_screen(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    table, verdict = (page.locator(name).bounding_box() for name in ("#table", "#decision"))
    assert verdict["y"] == table["y"]
    assert verdict["x"] >= table["x"] + table["width"]
    below = page.locator("#own").bounding_box()
    assert 0 <= below["y"] - table["y"] - table["height"] <= 24


def test_what_the_rooms_add_is_drawn(
    opened: Opened,
    tmp_path: pathlib.Path,
    shots: pathlib.Path,
    serious: Callable[[Any], list[str]],
) -> None:
    """Parts of an analysis with made-up values: drawn, in both languages."""
    some = (
        WaitShare("two-sided", (Kind(12), Kind(15)), (Kind(13), Kind(14)), 0.58),
        WaitShare("shanpon", (Kind(12), Kind(27)), (Kind(12), Kind(12)), 0.17),
    )
    single = (WaitShare("single", (Kind(4),), (Kind(4),), 1.0),)

    def made(analysis: Analysis) -> Analysis:
        tiles = [choice.tile for choice in analysis.risks.choices]
        waits = tuple(TileWaits(tile, (some, (), single)) for tile in tiles)
        styles = (
            StyleShares("careful", ((Option("discard", (tiles[0],)), 0.7),)),
            StyleShares("<b>", ()),
        )
        # The page names the waits of dangerous tiles alone.
        choices = tuple(replace(choice, risk=0.2) for choice in analysis.risks.choices)
        risks = replace(analysis.risks, choices=choices)
        return replace(analysis, deal_in=risks, waits=waits, styles=styles)

    review = review_game(demo_game(), Seat(0), hands=(0, 1))
    hands = tuple(
        replace(
            hand,
            decisions=tuple(
                d if d.offer else replace(d, analysis=made(d.analysis)) for d in hand.decisions
            ),
        )
        for hand in review.hands
    )
    data = review_data(replace(review, hands=hands)) | {"lang": "en"}
    file = tmp_path / "review.html"
    file.write_text(page_html("review", data, "haiyomi"), encoding="utf-8")
    page = opened(file.as_uri(), offline=True, bypass_csp=True)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("]")
    text = page.locator("#detail").inner_text()
    for words in (
        "4-7p two-sided",
        "shanpon with East",
        "other waits",
        "careful",
        "<b>",
    ):
        assert words in text
    assert "Every option" in text
    page.screenshot(path=str(shots / "sections.png"), full_page=True)
    assert serious(page) == []
    page.keyboard.press("l")
    assert "両面" in page.locator("#detail").inner_text()


def test_names_are_only_text(opened: Opened, tmp_path: pathlib.Path) -> None:
    page = opened(_written(parse(evil_record()), tmp_path, 3), offline=True)
    assert "<script>alert(1)</script>" in page.locator(".players").inner_text()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert "{name}" in page.locator("h1").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_serious(
    opened: Opened,
    report: str,
    shots: pathlib.Path,
    serious: Callable[[Any], list[str]],
    scheme: str,
    width: int,
) -> None:
    size = {"width": width, "height": 900}
    page = opened(report, offline=True, viewport=size, color_scheme=scheme, bypass_csp=True)
    for _ in range(2):
        page.keyboard.press("n")
    page.screenshot(path=str(shots / f"review-{width}-{scheme}.png"), full_page=True)
    assert serious(page) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_of_a_players_games(
    opened: Opened,
    tmp_path: pathlib.Path,
    shots: pathlib.Path,
    serious: Callable[[Any], list[str]],
    width: int,
) -> None:
    from haiyomi.review.stats import game_stats, player_stats
    from haiyomi.review.stats_out import stats_json

    review = review_game(demo_game(), Seat(0))
    games = [game_stats(f"<b>{i}", review) for i in range(3)]
    data = {"kind": "stats"} | stats_json(player_stats("<script>", "m", games))
    file = tmp_path / "stats.html"
    file.write_text(page_html("stats", data, "haiyomi"), encoding="utf-8")
    size = {"width": width, "height": 900}
    page = opened(file.as_uri(), offline=True, viewport=size, bypass_csp=True)
    assert "<script>" in page.locator("h1").inner_text()
    assert page.locator(".chart").count() == 1
    # A named case: options stood there as "discard 5z", and nothing said what to work on.
    assert "discard" not in page.locator(".worst tbody").inner_text()
    assert page.locator(".worst tbody .tile").count() > 0
    assert page.locator("#work tbody tr").count() == len(data["given_up"]["categories"])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=str(shots / f"stats-{width}.png"), full_page=True)
    assert serious(page) == []
