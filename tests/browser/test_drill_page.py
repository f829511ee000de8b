"""The page of drills: it asks, answers with the analysis, and remembers."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from haiyomi.apps.drills import cards_of, drill_data
from haiyomi.play.demo import demo_game
from haiyomi.review.html.data import review_data
from haiyomi.review.html.document import page_html
from haiyomi.review.reviewer import review_game
from haiyomi.tiles import Seat

pytestmark = pytest.mark.slow
Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def drills(tmp_path_factory: pytest.TempPathFactory) -> str:
    game = demo_game()
    data = review_data(review_game(game, Seat(0), hands=(8, 9, 10, 11)))
    cards = cards_of("<b>game", game.header.names[0], data)
    assert len(cards) > 2
    file = tmp_path_factory.mktemp("drill") / "drills.html"
    page = page_html("drill", drill_data(cards, "<script>", "en"), "haiyomi")
    file.write_text(page, encoding="utf-8")
    return file.as_uri()


def _due(page: Any) -> int:
    return int(page.locator("#progress").inner_text().split(":")[1].split(".")[0])


def test_a_known_question_comes_on_another_day_and_a_missed_one_again(
    opened: Opened, drills: str
) -> None:
    page = opened(drills, offline=True)
    due = _due(page)
    assert page.locator("#detail").count() == 0
    assert "%" not in "".join(page.locator(".held .number").all_inner_texts())
    best, taken = (
        page.evaluate(
            """([which]) => {
              const d = JSON.parse(document.getElementById("data").textContent).cards[0].d;
              return which === "best" ? d.op[d.v[5]][0] : d.dn;
            }""",
            [which],
        )
        for which in ("best", "taken")
    )
    _answer(page, taken)
    assert page.locator("#result.bad").count() == 1
    assert page.locator(".options tr").count() > 2
    page.keyboard.press("Enter")
    assert _due(page) == due
    page.reload()
    _answer(page, best)
    assert page.locator("#result.bad").count() == 0
    page.keyboard.press("Enter")
    assert _due(page) == due - 1
    page.reload()
    assert _due(page) == due - 1


def _answer(page: Any, option: str) -> None:
    """Press the button of the first question that carries an option."""
    page.locator(f'.answers button[data-option="{option}"]').click()


def test_the_tiles_are_asked_for_in_the_order_of_the_hand(opened: Opened, drills: str) -> None:
    """A named case: 0s 4m 4s 5m 5p, by the letters of their names."""
    page = opened(drills, offline=True)
    names = page.locator(".answers button").evaluate_all("all => all.map(b => b.dataset.option)")
    tiles = [name[-2:] for name in names if name.startswith("discard ")]
    assert tiles == sorted(tiles, key=lambda tile: (tile[1], "5" if tile[0] == "0" else tile[0]))
    assert len(tiles) > 5


@pytest.mark.parametrize("width", [390, 1280])
def test_the_drill_is_accessible_and_fits(
    opened: Opened,
    drills: str,
    shots: pathlib.Path,
    serious: Callable[[Any], list[str]],
    width: int,
) -> None:
    size = {"width": width, "height": 900}
    page = opened(drills, offline=True, viewport=size, bypass_csp=True)
    assert page.locator("b").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert serious(page) == []
    page.locator(".answers button").first.click()
    page.screenshot(path=str(shots / f"drill-{width}.png"), full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert serious(page) == []
