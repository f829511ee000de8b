"""The pages without a mouse: the focus stays, what is asked for is seen, keys can be silent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from served import Served, demo_bytes, served

from haiyomi.play.demo import demo_game
from haiyomi.review.html.data import review_data
from haiyomi.review.html.document import page_html
from haiyomi.review.reviewer import review_game
from haiyomi.tiles import Seat

pytestmark = pytest.mark.slow
Opened = Callable[..., Any]
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    data = review_data(review_game(demo_game(), Seat(0))) | {"lang": "en"}
    file = tmp_path_factory.mktemp("report") / "review.html"
    file.write_text(page_html("review", data, "haiyomi"), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("library") / "library.sqlite3") as server:
        yield server


def _focused(page: Any) -> str:
    """What has the focus: its id, else its name, else its tag."""
    found = page.evaluate(
        """() => {
          const { id, tagName, textContent } = document.activeElement;
          const label = document.activeElement.getAttribute("aria-label");
          return id || label || (tagName === "BODY" ? "BODY" : textContent);
        }"""
    )
    return str(found)


@pytest.mark.parametrize("key", ["next", "nextHand", "nextMistake"])
def test_a_step_leaves_the_focus_on_its_button(opened: Opened, report: str, key: str) -> None:
    page = opened(report, offline=True)
    button = page.locator(f"#nav [data-key={key}]")
    button.focus()
    name, before = _focused(page), page.evaluate("location.hash")
    page.keyboard.press("Enter")
    once = page.evaluate("location.hash")
    assert once != before
    assert _focused(page) == name
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") != once


@pytest.mark.parametrize("control", ["aids", "quiz", "theme"])
def test_a_switch_keeps_the_focus(opened: Opened, report: str, control: str) -> None:
    page = opened(report, offline=True)
    button = page.locator(f"#{control}")
    said = (button.inner_text(), button.get_attribute("aria-pressed"))
    button.focus()
    page.keyboard.press("Enter")
    assert (button.inner_text(), button.get_attribute("aria-pressed")) != said
    assert _focused(page) == control


def test_a_choice_of_language_or_hand_keeps_the_focus(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.locator("#language").focus()
    page.locator("#language").select_option("ja")
    assert page.locator("html").get_attribute("lang") == "ja"
    assert _focused(page) == "language"
    page.locator("#nav select").focus()
    page.locator("#nav select").select_option(index=2)
    assert page.evaluate("document.activeElement.dataset.key") == "hand"


def test_risks_that_are_shown_take_the_focus_to_the_decision(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.locator("#quiz").click()
    page.locator(".ask button").focus()
    page.keyboard.press("Enter")
    assert page.locator(".ask").count() == 0
    assert _focused(page) == "decision"


def test_the_last_decision_has_no_next_one_and_the_focus_stays_among_the_buttons(
    opened: Opened, report: str
) -> None:
    page = opened(report, offline=True)
    hands = page.locator("#nav select option").count()
    page.locator("#nav select").select_option(index=hands - 1)
    button = page.locator("#nav [data-key=next]")
    button.focus()
    for _ in range(60):
        if button.is_disabled():
            break
        page.keyboard.press("Enter")
    assert button.is_disabled()
    assert _focused(page) == "nav"
    before = page.evaluate("location.hash")
    page.keyboard.press("Enter")  # whoever goes on pressing goes nowhere
    assert page.evaluate("location.hash") == before


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE])
@pytest.mark.parametrize("row", ["#mistakes button.link", "#worst button.link"])
def test_a_row_of_the_lists_shows_its_decision(
    opened: Opened, report: str, row: str, viewport: dict[str, int]
) -> None:
    page = opened(report, offline=True, viewport=viewport)
    page.locator(row).first.click()
    box = page.locator("#table").bounding_box()
    nav = page.locator("#nav").bounding_box()
    assert nav["y"] + nav["height"] <= box["y"] + 1
    assert box["y"] < viewport["height"] / 2


def test_no_link_is_hidden_below_the_bar_that_stays(opened: Opened, report: str) -> None:
    page = opened(report, offline=True, viewport=PHONE)
    page.locator("#worst button.link").last.focus()
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        nav = page.locator("#nav").bounding_box()
        top = page.evaluate(
            """() => {
              const on = document.activeElement;
              return on.closest("#nav, #app > :not(section)") ? null
                : on.getBoundingClientRect().bottom;
            }"""
        )
        assert top is None or top > nav["y"] + nav["height"]


def test_keys_can_be_silent(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.keyboard.press("?")
    page.locator("#help input[type=checkbox]").uncheck()
    page.keyboard.press("Escape")
    before = page.evaluate("location.hash")
    for key in ("ArrowRight", "n", "t", "?"):
        page.keyboard.press(key)
    assert page.evaluate("location.hash") == before
    assert page.evaluate("document.documentElement.dataset.theme") == "auto"
    assert not page.locator("#help").is_visible()
    page.reload()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == before
    page.locator("#keys").click()
    page.locator("#help input[type=checkbox]").check()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") != before


def test_a_step_is_said_in_short(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.keyboard.press("n")
    said = page.locator("#status").inner_text()
    assert page.locator("#decision h2").inner_text() in said
    assert page.locator(".verdict").inner_text() in said
    assert len(said) < 600


def test_mistakes_that_a_filter_hides_are_counted(opened: Opened, report: str) -> None:
    page = opened(report, offline=True)
    page.keyboard.press("n")
    rows = page.locator("#mistakes tbody tr")
    n = rows.count()
    severity, category = page.locator("#filters select").all()
    severity.select_option("3")
    for value in category.locator("option").evaluate_all("all => all.map((one) => one.value)"):
        category.select_option(value)
        if not rows.count():
            break
    assert f"hidden: {n}" in page.locator("#mistakes").inner_text()
    page.reload()
    assert rows.count() == n


def test_a_step_from_a_tile_compares_what_was_best(opened: Opened, report: str) -> None:
    """The tile in the place of the one that had the focus was compared."""
    page = opened(report, offline=True)
    other = opened(report, offline=True)
    for _ in range(12):
        held = page.locator(".held.chosen")
        if held.count():
            held.focus()
        page.keyboard.press("ArrowRight")
        other.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.id") == "own":
            assert page.locator("#detail").inner_text() == other.locator("#detail").inner_text()
            return
    raise AssertionError("no step left its tile behind")


def test_print_has_all_and_light_colours(opened: Opened, report: str) -> None:
    page = opened(report, offline=True, color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).color")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).color") != dark
    for hidden in ("#nav", ".tools", "#filters"):
        assert not page.locator(hidden).is_visible()
    assert page.locator("#mistakes").is_visible()


def _ask_for_a_review(page: Any, seat: int) -> None:
    """Of the bundled game, added to the library."""
    file = {"name": "demo.mjlog", "mimeType": "text/xml", "buffer": demo_bytes()}
    page.set_input_files("#files", file)
    page.locator("#records li").wait_for()
    page.locator("#records .row button:not(.link)").nth(seat).click()


def test_the_library_does_not_leave_who_is_typing(opened: Opened, server: Served) -> None:
    page = opened(server.address + "/")
    _ask_for_a_review(page, 2)
    page.locator("#paste").click()
    page.keyboard.type("half a text")
    page.locator("#notes a[href^='/reviews/']").wait_for(timeout=60_000)
    assert page.locator("#paste").input_value() == "half a text"
    assert _focused(page) == "paste"
    assert "done" in page.locator("#notes").inner_text()


def test_the_lists_of_the_library_keep_the_focus(opened: Opened, server: Served) -> None:
    """They are drawn anew while a review runs."""
    page = opened(server.address + "/")
    _ask_for_a_review(page, 3)
    remove = page.locator("#reviews button.link").first
    remove.focus()
    page.keyboard.press("Shift")  # as somebody who is there: the page does not go to the review
    name = _focused(page)
    page.wait_for_timeout(1500)
    assert _focused(page) == name


def test_a_tile_that_is_pressed_on_takes_nothing_else_away(opened: Opened, server: Served) -> None:
    page = opened(server.address + "/position")
    page.locator(".held").first.wait_for()
    page.locator("#placed [data-key=drawn0]").focus()
    dora = page.locator("#placed [data-key^=dora]").count()
    for _ in range(4):
        page.keyboard.press("Enter")
    assert page.locator("#placed [data-key=drawn0]").count() == 0
    assert page.locator("#placed [data-key^=dora]").count() == dora


def test_the_position_editor_keeps_the_focus(opened: Opened, server: Served) -> None:
    page = opened(server.address + "/position")
    page.locator(".held").first.wait_for()
    last = page.locator("#placed [data-key^=hand]").last
    last.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") in ("placed", "")
    assert page.evaluate("document.getElementById('placed').contains(document.activeElement)")
    # A number that is typed is taken when the focus has gone to the next field.
    page.locator("[data-key=sE]").fill("31000")
    page.keyboard.press("Tab")
    page.wait_for_timeout(100)
    assert page.evaluate("document.activeElement.dataset.key") == "sS"
    assert page.locator("[data-key=sE]").input_value() == "31000"
    page.locator("#form button").last.focus()
    page.keyboard.press("Enter")
    assert page.locator("#form button:focus").count() == 1
    page.locator("summary").first.click()
    page.locator("#json-text").fill("{")
    page.locator("#json-text").blur()
    page.locator("#problem").wait_for()
    page.locator("[data-key=to-MS]").check()
    page.locator("[data-key=meld-kind]").select_option("chi low")
    assert page.locator("[data-key=k9m]").is_disabled()
    assert page.locator("[data-key=k7m]").is_enabled()
